#ifndef LEAN_PROGRAM_H
#define LEAN_PROGRAM_H

/// Nothing to call: see SQLite.c, SwiftRuntime.c, CLibrary.c and Memory.c.

#endif

#ifndef LEAN_PROGRAM_H
#define LEAN_PROGRAM_H

/// Nothing to call: see SQLite.c and SwiftRuntime.c.

#endif

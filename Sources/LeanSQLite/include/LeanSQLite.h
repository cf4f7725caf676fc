#ifndef LEAN_SQLITE_H
#define LEAN_SQLITE_H

/// Nothing to call: see LeanSQLite.c.

#endif

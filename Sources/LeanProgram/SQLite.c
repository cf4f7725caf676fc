// What SQLite does for every program and a walk log never asks for.

#include <sqlite3.h>

// Full-text search and R-trees, a third of a megabyte. SQLite calls these functions to register them
// when a file is opened; the linker takes the definitions here and passes the library's by. Where
// SQLite is a shared library, its own are called and these are not.

int sqlite3Fts3Init(sqlite3 *db);
int sqlite3Fts5Init(sqlite3 *db);
int sqlite3RtreeInit(sqlite3 *db);

int sqlite3Fts3Init(sqlite3 *db) {
  (void)db;
  return SQLITE_OK;
}

int sqlite3Fts5Init(sqlite3 *db) {
  (void)db;
  return SQLITE_OK;
}

int sqlite3RtreeInit(sqlite3 *db) {
  (void)db;
  return SQLITE_OK;
}

// Counting how much memory is in use, under a lock, at each of thousands of allocations: a twentieth
// of what an `add` takes. Before `main`, since it has to be said before SQLite is first used.
__attribute__((constructor)) static void count_no_memory(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Leaves out of the one-file program what SQLite brings along and a walk log never asks for: its
// full-text search and its R-trees, a third of a megabyte. SQLite calls these functions to register
// them when a file is opened; the linker takes the definitions here and passes the library's by.
// Where SQLite is a shared library, its own are called and these are not.

struct sqlite3;

int sqlite3Fts3Init(struct sqlite3 *db);
int sqlite3Fts5Init(struct sqlite3 *db);
int sqlite3RtreeInit(struct sqlite3 *db);

int sqlite3Fts3Init(struct sqlite3 *db) {
  (void)db;
  return 0;
}

int sqlite3Fts5Init(struct sqlite3 *db) {
  (void)db;
  return 0;
}

int sqlite3RtreeInit(struct sqlite3 *db) {
  (void)db;
  return 0;
}

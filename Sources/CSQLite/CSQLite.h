#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/// Keeps the write-ahead log where it is when the last connection closes.
/// `sqlite3_db_config` is variadic, which Swift cannot call.
static inline int csqlite_keep_wal_on_close(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/// Keeps the write-ahead log where it is when the last connection closes.
/// `sqlite3_db_config` is variadic, which Swift cannot call.
static inline int csqlite_keep_wal_on_close(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Whether a file says that it is to be read together with a write-ahead log: byte 19 of it is 2.
static inline int csqlite_expects_log(sqlite3 *db) {
  sqlite3_file *file = 0;
  unsigned char version = 0;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  if (!file || !file->pMethods) return 0;
  return file->pMethods->xRead(file, &version, 1, 19) == SQLITE_OK && version == 2;
}

#endif

#ifndef CSQLITE_H
#define CSQLITE_H

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#if defined(__linux__)
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/// Whether the write-ahead log stays where it is when the last connection closes.
/// `sqlite3_db_config` is variadic, which Swift cannot call.
static inline int csqlite_keep_wal_on_close(sqlite3 *db, int keeps) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}

/// Whether the next VACUUM leaves an empty database, whatever is in the file.
static inline int csqlite_reset_database(sqlite3 *db, int resets) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_RESET_DATABASE, resets, (int *)0);
}

/// Has SQLite count no memory, which takes a lock for each allocation, and allocate the pages of
/// its caches as they are needed, not twenty ahead for each cache. For all connections of the
/// process; does nothing once there has been one. `sqlite3_config` is variadic, too.
static inline void csqlite_spare_memory(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

/// The open file of a connection's main database; null where there is none.
static inline sqlite3_file *csqlite_file(sqlite3 *db) {
  sqlite3_file *file = 0;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  return file && file->pMethods ? file : 0;
}

/// The number of the last error that the system told of a connection's main file or of its log; 0
/// where there was none. Of a read that fails SQLite keeps nothing else.
static inline int csqlite_file_errno(sqlite3 *db) {
  int number = 0;
  sqlite3_file *log = 0;
  sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
  if (number) return number;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log &&
      log->pMethods)
    log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number);
  return number;
}

/// Whether a file says that it is to be read together with a write-ahead log: byte 19 of it is 2.
static inline int csqlite_expects_log(sqlite3 *db) {
  sqlite3_file *file = csqlite_file(db);
  unsigned char version = 0;
  return file && file->pMethods->xRead(file, &version, 1, 19) == SQLITE_OK && version == 2;
}

/// Whether nobody else has the file open with its log: then an exclusive lock is to be had, which
/// is let go of at once. For a connection that may write and has not read anything yet.
static inline int csqlite_is_alone(sqlite3 *db) {
  sqlite3_file *file = csqlite_file(db);
  int alone;
  if (!file || file->pMethods->xLock(file, SQLITE_LOCK_SHARED) != SQLITE_OK) return 0;
  alone = file->pMethods->xLock(file, SQLITE_LOCK_EXCLUSIVE) == SQLITE_OK;
  file->pMethods->xUnlock(file, SQLITE_LOCK_NONE);
  return alone;
}

/// Gives a file another name that no file has; the number of the error where that does not go,
/// EINVAL or ENOSYS where the system or its disk cannot do it in one step. What does it in C
/// libraries is behind a macro that Swift does not set, or missing.
static inline int csqlite_rename_new(const char *old_path, const char *new_path) {
#if defined(__APPLE__)
  return renamex_np(old_path, new_path, RENAME_EXCL) == 0 ? 0 : errno;
#elif defined(__linux__) && defined(SYS_renameat2)
  const unsigned no_replace = 1;
  return syscall(SYS_renameat2, AT_FDCWD, old_path, AT_FDCWD, new_path, no_replace) == 0 ? 0
                                                                                         : errno;
#else
  (void)old_path;
  (void)new_path;
  return ENOSYS;
#endif
}

#endif

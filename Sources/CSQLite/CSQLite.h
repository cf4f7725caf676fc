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

/// `xOpen` of the system's VFS, but that a log with frames in it is not opened as one to be made.
///
/// With the first sync of a log that it may have made, SQLite syncs the folder as well. Whoever put
/// the first frame into the log has done so: SQLite writes a log's header and syncs it, and the
/// folder, before the frames behind the header's 32 bytes. Once is enough, and a second sync is half
/// of what an `add` costs on a disk.
static inline int csqlite_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags,
                               int *found) {
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  sqlite3_int64 size = 0;
  (void)vfs;
  if ((flags & SQLITE_OPEN_WAL) &&
      system->xOpen(system, path, file, flags & ~SQLITE_OPEN_CREATE, found) == SQLITE_OK) {
    if (file->pMethods->xFileSize(file, &size) == SQLITE_OK && size > 32) return SQLITE_OK;
    file->pMethods->xClose(file);
  }
  return system->xOpen(system, path, file, flags, found);
}

/// Registers the VFS of `csqlite_open`, the system's in everything else, and gives its name.
/// To be called once; null where there is no VFS to build on.
static inline const char *csqlite_register_vfs(void) {
  static sqlite3_vfs vfs;
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  if (!system) return 0;
  vfs = *system;
  vfs.pNext = 0;
  vfs.zName = "dogwalk";
  vfs.xOpen = csqlite_open;
  return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK ? vfs.zName : 0;
}

#endif

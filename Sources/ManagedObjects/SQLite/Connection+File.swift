import CSQLite

/// Reading the connection's file as bytes.
extension Connection {
  /// The path of the file, with symbolic links resolved (`sqlite3_db_filename`).
  var path: String { sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? "" }

  /// Passes the bytes of the file to a closure, from start to end, as they are on the disk.
  ///
  /// Reads through SQLite's file handle: closing any other descriptor of the file would release the
  /// POSIX locks that this process holds on it.
  ///
  /// - Parameter limit: how many bytes to read at most.
  func readFile(
    upTo limit: Int = .max, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard let file = csqlite_file(handle), let methods = file.pointee.pMethods else { return }
    var size: sqlite3_int64 = 0
    try check(methods.pointee.xFileSize(file, &size))
    size = min(size, sqlite3_int64(limit))
    try withUnsafeTemporaryAllocation(byteCount: 1 << 20, alignment: 16) { buffer in
      var offset: sqlite3_int64 = 0
      while offset < size {
        let count = Int(min(size - offset, sqlite3_int64(buffer.count)))
        let code = methods.pointee.xRead(file, buffer.baseAddress, Int32(count), offset)
        // A file that has become shorter in the meantime is filled up with zeros.
        if code != SQLITE_IOERR | (2 << 8) { try check(code) }
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        offset += sqlite3_int64(count)
      }
    }
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code != SQLITE_OK else { return }
    throw SQLiteError(
      extendedCode: code, message: String(cString: sqlite3_errstr(code)),
      systemErrno: sqlite3_system_errno(handle))
  }
}

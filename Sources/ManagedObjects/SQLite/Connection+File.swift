import CSQLite

/// The connection's file as bytes.
extension Connection {
  /// Where the file is, links followed (`sqlite3_db_filename`).
  var path: String { sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? "" }

  /// Hands over the bytes of the file from front to back, as they stand on the disk.
  ///
  /// Through SQLite: in this process somebody may hold locks on the file, which the system would
  /// take away if it were opened and closed by itself.
  func readFile(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let file = csqlite_file(handle), let methods = file.pointee.pMethods else { return }
    var size: sqlite3_int64 = 0
    try check(methods.pointee.xFileSize(file, &size))
    try withUnsafeTemporaryAllocation(byteCount: 1 << 20, alignment: 16) { buffer in
      var offset: sqlite3_int64 = 0
      while offset < size {
        let count = Int(min(size - offset, sqlite3_int64(buffer.count)))
        let code = methods.pointee.xRead(file, buffer.baseAddress, Int32(count), offset)
        // One that became shorter meanwhile is filled with zeros.
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

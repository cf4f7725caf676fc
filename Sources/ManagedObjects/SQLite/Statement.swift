import CSQLite

/// A prepared statement that one holder uses at a time: SQL text with parameters.
///
///     let statement = try connection.statement("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
///     defer { statement.reset() }
///     statement.bind(Int64(2), at: 1)
///     while try statement.step() { statement.integer(at: 0) }
///
/// The connection hands the same prepared statement out again only after the last reference to this
/// object is released; until then the connection stays open, and then the statement is reset.
/// Pointers into a row are valid until the next step, the reset or the release: the `defer` keeps
/// the object alive beyond them. Parameters count from 1, columns from 0, as in SQLite. Not
/// Sendable: it belongs to its connection.
final class Statement {
  private let prepared: PreparedStatement
  private let handle: OpaquePointer
  private let connection: Connection
  /// Whether a value list is bound, which `reset()` releases.
  private var hasList = false
  // Read at each step, and nothing else runs while it is read or written.
  /// Why a value could not be bound, which leaves NULL in its place; the next step throws it.
  @exclusivity(unchecked) private var bindingFailure = SQLITE_OK

  /// Marks a prepared statement as in use; called by connections.
  ///
  /// - Precondition: no other `Statement` uses it.
  init(borrowing prepared: PreparedStatement, of connection: Connection) {
    self.prepared = prepared
    self.connection = connection
    handle = prepared.handle
    prepared.isInUse = true
  }

  deinit {
    reset()
    prepared.isInUse = false
  }

  /// The number of columns in its result.
  var columnCount: Int32 { sqlite3_column_count(handle) }

  /// Advances to the next row; returns false when there is none (`sqlite3_step`).
  func step() throws(SQLiteError) -> Bool {
    guard bindingFailure == SQLITE_OK else { throw takeBindingFailure() }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let error = SQLiteError(connection: connection.handle, sql: prepared.sql)
      sqlite3_reset(handle)
      throw error
    }
  }

  private func takeBindingFailure() -> SQLiteError {
    defer { bindingFailure = SQLITE_OK }
    return SQLiteError(
      extendedCode: bindingFailure, message: String(cString: sqlite3_errstr(bindingFailure)),
      sql: prepared.sql)
  }

  /// Runs a statement that gives no rows, and makes it ready for the next run.
  func run() throws(SQLiteError) {
    while try step() {}
    sqlite3_reset(handle)
  }

  /// Frees the connection's cached pages that no running statement uses
  /// (`sqlite3_db_release_memory`).
  func releaseMemory() { sqlite3_db_release_memory(connection.handle) }

  /// Makes the statement ready to run again; its values stay bound (`sqlite3_reset`).
  func reset() {
    sqlite3_reset(handle)
    bindingFailure = SQLITE_OK
    if hasList {
      sqlite3_clear_bindings(handle)
      hasList = false
    }
  }

  // MARK: Binding

  /// Keeps that a value could not be bound: it is longer than SQLite takes, or memory is used up.
  private func note(_ result: Int32) {
    if result != SQLITE_OK { bindingFailure = result }
  }

  func bind(_ value: Int64, at parameter: Int32) { sqlite3_bind_int64(handle, parameter, value) }
  func bind(_ value: Double, at parameter: Int32) { sqlite3_bind_double(handle, parameter, value) }
  func bindNull(at parameter: Int32) { sqlite3_bind_null(handle, parameter) }

  /// Binds UTF-8 text without copying; it must stay in place until the reset or the next binding.
  func bind(text: UnsafeRawBufferPointer, at parameter: Int32) {
    note(
      sqlite3_bind_text64(
        handle, parameter, text.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.empty,
        UInt64(text.count), nil, UInt8(SQLITE_UTF8)))
  }

  /// Binds bytes without copying; they must stay in place until the reset or the next binding.
  func bind(blob: UnsafeRawBufferPointer, at parameter: Int32) {
    note(
      sqlite3_bind_blob64(
        handle, parameter, blob.baseAddress ?? UnsafeRawPointer(Self.empty), UInt64(blob.count),
        nil))
  }

  /// Binds a copy of a text.
  func bind(_ text: String, at parameter: Int32) {
    var text = text
    text.withUTF8 {
      note(
        sqlite3_bind_text64(
          handle, parameter,
          UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self) ?? Self.empty,
          UInt64($0.count), Self.transient, UInt8(SQLITE_UTF8)))
    }
  }

  /// Binds a copy of some bytes.
  func bind(_ bytes: [UInt8], at parameter: Int32) {
    bytes.withUnsafeBytes {
      note(
        sqlite3_bind_blob64(
          handle, parameter, $0.baseAddress ?? UnsafeRawPointer(Self.empty), UInt64($0.count),
          Self.transient))
    }
  }

  /// Binds the values of another statement's row, column by column (`sqlite3_bind_value`).
  func bind(columnsOf row: Statement) {
    for column in 0..<row.columnCount {
      note(sqlite3_bind_value(handle, column + 1, sqlite3_column_value(row.handle, column)))
    }
  }

  /// Binds UTF-8 text, or bytes that are stored and compared as text.
  func bind(text bytes: [UInt8], at parameter: Int32) {
    bytes.withUnsafeBytes {
      note(
        sqlite3_bind_text64(
          handle, parameter, $0.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.empty,
          UInt64($0.count), Self.transient, UInt8(SQLITE_UTF8)))
    }
  }

  /// Binds a list of values for `Z_VALUES(?)`: see `ValueList`.
  func bind(list: [Scalar], at parameter: Int32) {
    hasList = true
    sqlite3_bind_pointer(
      handle, parameter, Unmanaged.passRetained(ValueList(list)).toOpaque(), ValueList.pointerType,
      { Unmanaged<ValueList>.fromOpaque($0!).release() })
  }

  // A null pointer would bind NULL, so an empty value needs an address. It is never written
  // through.
  private nonisolated(unsafe) static let empty: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
  }()
  // SQLITE_TRANSIENT, a cast of -1 that Swift does not import: "copy before returning".
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  // MARK: Columns

  /// The storage class of a value, whatever type the column was declared with.
  enum StorageClass {
    case null
    case integer
    case real
    case text
    case blob
  }

  /// The storage class of a column's value (`sqlite3_column_type`).
  func storageClass(at column: Int32) -> StorageClass {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// Whether a column's value is stored as a number.
  func isNumber(at column: Int32) -> Bool {
    let type = sqlite3_column_type(handle, column)
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT
  }

  func isNull(at column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
  func integer(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
  func real(at column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// The UTF-8 of a text column, or nil for NULL; valid until the next step.
  func text(at column: Int32) -> UnsafeRawBufferPointer? {
    let value = sqlite3_column_value(handle, column)
    guard let start = sqlite3_value_text(value) else { return nil }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// The bytes of a column, or nil for NULL; valid until the next step.
  func blob(at column: Int32) -> UnsafeRawBufferPointer? {
    let value = sqlite3_column_value(handle, column)
    // An empty blob has a null address, as NULL has.
    guard let start = sqlite3_value_blob(value) else {
      return sqlite3_value_type(value) == SQLITE_NULL
        ? nil : UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// A text column as a string, or nil for NULL.
  func string(at column: Int32) -> String? {
    text(at: column).map { String(decoding: $0, as: UTF8.self) }
  }
}

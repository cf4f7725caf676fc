import CSQLite
import TextMatching

extension Connection {
  /// Registers the text functions that this library's own derivation triggers call, and creates
  /// those triggers as temporary ones, for this connection only.
  func keepDerivations(_ triggers: [String]) throws(SQLiteError) {
    guard !triggers.isEmpty else { return }
    try defineDerivationFunctions()
    try execute("PRAGMA temp_store = MEMORY")
    for trigger in triggers { try execute(trigger) }
  }

  /// Registers only the text functions that derivation triggers call.
  func defineDerivationFunctions() throws(SQLiteError) {
    try register("MO_CANONICAL") { context, _, values in
      answer(context, values) { TextFolding.fold($0, [.caseInsensitive, .diacriticInsensitive]) }
    }
    try register("MO_UPPERCASE") { context, _, values in
      answer(context, values) { Array(String(decoding: $0, as: UTF8.self).uppercased().utf8) }
    }
    try register("MO_LOWERCASE") { context, _, values in
      answer(context, values) { Array(String(decoding: $0, as: UTF8.self).lowercased().utf8) }
    }
  }

  private typealias Function =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  private func register(_ name: String, _ function: Function) throws(SQLiteError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    guard
      sqlite3_create_function_v2(handle, name, 1, flags, nil, function, nil, nil, nil) == SQLITE_OK
    else { throw SQLiteError(connection: handle) }
  }

  /// Registers no-op stand-ins for the functions that Core Data's derivation triggers call.
  ///
  /// Only Apple's framework implements them. The triggers themselves keep the columns up to date;
  /// the functions notify the framework's contexts. The stand-ins return NULL, so that an INSERT or
  /// UPDATE does not fail with "no such function".
  func registerDerivationFunctions() throws(SQLiteError) {
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ] {
      let code = sqlite3_create_function_v2(
        handle, name, -1, SQLITE_UTF8, nil, { context, _, _ in sqlite3_result_null(context) }, nil,
        nil, nil)
      guard code == SQLITE_OK else { throw SQLiteError(connection: handle) }
    }
  }
}

/// Returns to SQLite what a closure makes of a text argument; NULL if the argument is NULL.
private func answer(
  _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?,
  _ body: (UnsafeRawBufferPointer) -> [UInt8]
) {
  guard let value = values?[0], let text = sqlite3_value_text(value) else {
    return sqlite3_result_null(context)
  }
  let count = Int(sqlite3_value_bytes(value))
  let result = body(UnsafeRawBufferPointer(start: text, count: count))
  // One byte more, so that an empty text has an address too and does not become NULL.
  (result + [0]).withUnsafeBytes { bytes in
    // -1, SQLITE_TRANSIENT: SQLite copies the text before this returns.
    sqlite3_result_text64(
      context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(result.count),
      unsafeBitCast(-1, to: sqlite3_destructor_type.self), UInt8(SQLITE_UTF8))
  }
}

import CSQLite

extension Connection {
  /// Registers the functions that the triggers of derived attributes call, which only Apple's
  /// framework has.
  ///
  /// The triggers themselves keep the columns right; the functions tell the framework's contexts of
  /// it. Here they do nothing, so that an INSERT or UPDATE does not fail with "no such function".
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

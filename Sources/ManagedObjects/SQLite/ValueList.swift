import CSQLite

/// A list of values that SQL reads as a table: `x IN (SELECT value FROM Z_VALUES(?))`.
///
/// For lists of any length: the number of parameters is limited (`SQLITE_MAX_VARIABLE_NUMBER`), and
/// each count of parameters would need a statement of its own. `Statement.bind(list:at:)` binds it
/// as a pointer (`sqlite3_bind_pointer`). Follows SQLite's `carray` extension.
final class ValueList {
  fileprivate let values: [Scalar]

  init(_ values: [Scalar]) { self.values = values }

  /// The type name by which SQLite recognises the pointer; it must outlive the process's
  /// connections.
  static var pointerType: UnsafePointer<CChar> {
    UnsafeRawPointer(typeName.utf8Start).assumingMemoryBound(to: CChar.self)
  }
  private static let typeName: StaticString = "ManagedObjects.ValueList"
}

/// The position of a query in a list; C code holds it, so it starts with SQLite's own structure.
private struct ValueCursor {
  var base = sqlite3_vtab_cursor()
  var index = 0
  /// The list, retained; nil before the first use.
  var list: Unmanaged<ValueList>?
}

extension Connection {
  /// Makes the table-valued function `Z_VALUES` (`sqlite3_create_module_v2`).
  func defineValueList() throws(SQLiteError) {
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    module.initialize(to: valueModule())
    // SQLite frees the module's description when the connection closes.
    let code = sqlite3_create_module_v2(handle, "Z_VALUES", module, module) {
      $0?.assumingMemoryBound(to: sqlite3_module.self).deallocate()
    }
    guard code == SQLITE_OK else { throw SQLiteError(connection: handle) }
  }
}

private func valueModule() -> sqlite3_module {
  var module = sqlite3_module()
  // Without xCreate the table exists in every schema without being declared (an eponymous-only
  // table).
  module.xConnect = { handle, _, _, _, table, _ in
    let code = sqlite3_declare_vtab(handle, "CREATE TABLE x(value, list HIDDEN)")
    guard code == SQLITE_OK else { return code }
    let made = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
    made.initialize(to: sqlite3_vtab())
    table?.pointee = made
    return SQLITE_OK
  }
  module.xDisconnect = { table in
    table?.deallocate()
    return SQLITE_OK
  }
  module.xBestIndex = { _, info in
    guard let info else { return SQLITE_ERROR }
    for index in 0..<Int(info.pointee.nConstraint) {
      let constraint = info.pointee.aConstraint[index]
      guard constraint.iColumn == 1, constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ) else {
        continue
      }
      guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
      info.pointee.aConstraintUsage[index].argvIndex = 1
      info.pointee.aConstraintUsage[index].omit = 1
    }
    info.pointee.estimatedCost = 100
    info.pointee.estimatedRows = 100
    return SQLITE_OK
  }
  module.xOpen = { _, cursor in
    let made = UnsafeMutablePointer<ValueCursor>.allocate(capacity: 1)
    made.initialize(to: ValueCursor())
    cursor?.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(
      to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }
  module.xClose = { cursor in
    let cursor = valueCursor(cursor)
    cursor.pointee.list?.release()
    cursor.deallocate()
    return SQLITE_OK
  }
  module.xFilter = { cursor, _, _, count, arguments in
    let cursor = valueCursor(cursor)
    cursor.pointee.index = 0
    cursor.pointee.list?.release()
    cursor.pointee.list =
      count == 0
      ? nil
      : sqlite3_value_pointer(arguments?[0], ValueList.pointerType)
        .map { Unmanaged<ValueList>.fromOpaque($0).retain() }
    return SQLITE_OK
  }
  module.xNext = { cursor in
    valueCursor(cursor).pointee.index += 1
    return SQLITE_OK
  }
  module.xEof = { cursor in
    let cursor = valueCursor(cursor).pointee
    let count = cursor.list?.takeUnretainedValue().values.count ?? 0
    return cursor.index < count ? 0 : 1
  }
  module.xColumn = { cursor, context, column in
    let cursor = valueCursor(cursor).pointee
    guard column == 0, let context, let list = cursor.list?.takeUnretainedValue() else {
      return SQLITE_OK
    }
    SQLFunctionCall(resultOf: context).result(list.values[cursor.index])
    return SQLITE_OK
  }
  module.xRowid = { cursor, row in
    row?.pointee = Int64(valueCursor(cursor).pointee.index)
    return SQLITE_OK
  }
  return module
}

private func valueCursor(
  _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
) -> UnsafeMutablePointer<ValueCursor> {
  // Every cursor was created by `xOpen`.
  UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: ValueCursor.self)
}

@available(*, unavailable) extension ValueList: Sendable {}

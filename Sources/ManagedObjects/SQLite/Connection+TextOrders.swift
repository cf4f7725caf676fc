import CSQLite
import TextMatching

extension Connection {
  /// Defines the collations for text orders, once per connection, before the first sort by one
  /// (`sqlite3_create_collation_v2`).
  ///
  /// ```sql
  /// SELECT … ORDER BY t0.ZNAME COLLATE Z_NATURAL
  /// ```
  ///
  /// Nothing in the stored schema names them, so other programs can still read the file.
  func defineTextOrders() throws(SQLiteError) {
    guard !hasTextOrders else { return }
    for order in [TextOrder.caseInsensitive, .natural] {
      // The raw value of the order is passed as the address that SQLite hands back.
      let code = sqlite3_create_collation_v2(
        handle, order.collation, SQLITE_UTF8,
        UnsafeMutableRawPointer(bitPattern: UInt(order.rawValue)),
        { order, count, text, otherCount, other in
          let compared = TextOrder(rawValue: UInt8(UInt(bitPattern: order)))?.compare(
            UnsafeRawBufferPointer(start: text, count: Int(count)),
            UnsafeRawBufferPointer(start: other, count: Int(otherCount)))
          return Int32((compared ?? 0).signum())
        }, nil)
      guard code == SQLITE_OK else { throw SQLiteError(connection: handle) }
    }
    hasTextOrders = true
  }
}

extension TextOrder {
  /// The name of the collation; nil for SQLite's own (`BINARY`).
  var collation: String? {
    switch self {
    case .bytes: nil
    case .caseInsensitive: "Z_NOCASE"
    case .natural: "Z_NATURAL"
    }
  }
}

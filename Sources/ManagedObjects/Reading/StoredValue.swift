/// A value as it stands in a column, whatever the attribute's type; no value is `nil`.
///
///     rows.value(of: 0)   // .text("Fido")
///
/// SQLite keeps a whole number as `.integer` in columns of dates and of floating-point numbers too.
package enum StoredValue: Sendable, Hashable {
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// Text; bytes that are no UTF-8 are replaced.
  case text(String)
  /// Bytes.
  case bytes([UInt8])
}

extension Statement {
  /// A copy of a column's value; nil for NULL.
  func storedValue(at column: Int32) -> StoredValue? {
    switch storageClass(at: column) {
    case .null: nil
    case .integer: .integer(integer(at: column))
    case .real: .real(real(at: column))
    case .text: .text(string(at: column) ?? "")
    case .blob: .bytes(blob(at: column).map { Array($0) } ?? [])
    }
  }
}

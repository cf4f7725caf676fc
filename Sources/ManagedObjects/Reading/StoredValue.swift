/// A value as it is stored in a column, whatever the attribute's type; `nil` stands for no value.
///
///     rows.value(of: 0)   // .text("Fido")
///
/// SQLite stores a number without a fraction as `.integer` even in columns of dates and
/// floating-point numbers.
package enum StoredValue: Sendable, Hashable {
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// Text; invalid UTF-8 is replaced.
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

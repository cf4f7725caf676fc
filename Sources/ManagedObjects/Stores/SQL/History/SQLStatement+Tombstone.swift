import DataModel
import SystemLibraries

/// The values that a history keeps of deleted objects.
///
/// In SQLite, as in Core Data, they are in untyped columns, unchanged from the row; other engines
/// have typed columns, which hold bytes.
extension SQLStatement {
  /// Binds a value of a deleted row; binds nothing if it has none.
  ///
  /// - Parameter takesAnyType: whether the column accepts values of any type.
  func bind(
    tombstone row: PackedRow, _ slot: Int, kind: SlotKind, at parameter: Int32, takesAnyType: Bool
  ) {
    guard row.hasValue(slot) else { return }
    guard takesAnyType else {
      switch kind {
      case .integer, .key, .entityNumber, .orderKey, .real:
        bind(withUnsafeBytes(of: row.bits(slot).bigEndian) { Array($0) }, at: parameter)
      case .text, .blob, .external: bind(Array(row.bytes(slot)), at: parameter)
      }
      return
    }
    switch kind {
    case .integer, .key, .entityNumber, .orderKey: bind(row.integer(slot), at: parameter)
    case .real: bind(row.real(slot), at: parameter)
    case .text: bind(text: Array(row.bytes(slot)), at: parameter)
    case .blob: bind(Array(row.bytes(slot)), at: parameter)
    // Its file is removed with the row, so the bytes themselves are kept.
    case .external: bind([1] + Array(row.bytes(slot)), at: parameter)
    }
  }

  /// The value in a tombstone's column as an attribute value; nil if there is none or it does not
  /// fit.
  func tombstone(
    at column: Int32, of attribute: AttributeDescription, takesAnyType: Bool
  ) -> AttributeValue? {
    guard !isNull(at: column) else { return nil }
    func number() -> UInt64? {
      guard let bytes = blob(at: column), bytes.count == 8 else { return nil }
      return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    }
    func integer() -> Int64? {
      takesAnyType ? self.integer(at: column) : number().map { Int64(bitPattern: $0) }
    }
    func real() -> Double? {
      takesAnyType ? self.real(at: column) : number().map { Double(bitPattern: $0) }
    }
    func text() -> String? {
      takesAnyType
        ? string(at: column) : blob(at: column).map { String(decoding: $0, as: UTF8.self) }
    }
    switch attribute.type {
    case .integer16, .integer32, .integer64: return integer().map { .integer($0) }
    case .boolean: return integer().map { .boolean($0 != 0) }
    case .double, .float: return real().map { .double($0) }
    case .date: return real().map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .decimal: return real().map { .decimal(Decimal(stored: $0)) }
    case .string: return text().map { .string($0) }
    case .uri: return text().flatMap { URL(string: $0) }.map { .uri($0) }
    case .uuid: return blob(at: column).flatMap { UUID(slotBytes: $0) }.map { .uuid($0) }
    case .undefined, .binaryData, .transformable, .composite:
      guard let bytes = blob(at: column) else { return nil }
      guard takesAnyType, attribute.isExternal else { return .binary(Data(bytes)) }
      // Only inline bytes: a file named here no longer exists.
      return bytes.first == 1 ? .binary(Data(bytes.dropFirst())) : nil
    }
  }
}

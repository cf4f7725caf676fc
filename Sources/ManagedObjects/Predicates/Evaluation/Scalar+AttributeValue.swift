import DataModel
import SystemLibraries

extension Scalar {
  init(_ value: AttributeValue) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .boolean(let flag): self = .integer(flag ? 1 : 0)
    case .double(let number): self = .real(number)
    case .decimal(let number): self = .real(number.stored)
    case .date(let date): self = .real(date.timeIntervalSinceReferenceDate)
    case .string(let text): self = .text(Array(text.utf8))
    case .uri(let url): self = .text(Array(url.absoluteString.utf8))
    case .uuid(let uuid): self = .bytes(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case .binary(let data): self = .bytes(Array(data))
    }
  }

  /// Reads a slot; nil where there is no value.
  init?(_ row: PackedRow, slot: Int, kind: SlotKind) {
    guard row.hasValue(slot) else { return nil }
    switch kind {
    case .integer, .key, .entityNumber, .orderKey: self = .integer(row.integer(slot))
    case .real: self = .real(row.real(slot))
    case .text: self = .text(Array(row.bytes(slot)))
    case .blob, .external: self = .bytes(Array(row.bytes(slot)))
    }
  }
}

extension AttributeValue {
  /// Whether the value is a number that is none.
  var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    case .integer, .boolean, .string, .binary, .uuid, .uri: false
    }
  }

  /// Negative, zero or positive as this value stands before, with or behind another.
  ///
  /// As SQLite orders stored values: numbers by size, texts by their UTF-8, bytes.
  func compare(_ other: AttributeValue) -> Int { Scalar(self).compare(Scalar(other)) }
}

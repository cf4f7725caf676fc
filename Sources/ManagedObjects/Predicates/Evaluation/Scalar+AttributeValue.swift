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

  /// Reads a slot; nil if it has no value.
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
  /// Whether the value is NaN.
  var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    case .integer, .boolean, .string, .binary, .uuid, .uri: false
    }
  }

  /// Negative, zero or positive if this value sorts before, equal to or after another.
  ///
  /// In SQLite's order of stored values: numbers by size, texts and bytes bytewise.
  func compare(_ other: AttributeValue) -> Int { Scalar(self).compare(Scalar(other)) }
}

extension Scalar {
  /// The value as an attribute type, or unconverted for nil; nil if it does not fit the type.
  func value(as type: AttributeDescription.AttributeType?) -> AttributeValue? {
    switch (type, self) {
    case (nil, .integer(let number)): .integer(number)
    case (nil, .real(let number)): .double(number)
    case (nil, .text(let bytes)), (.string, .text(let bytes)):
      .string(String(decoding: bytes, as: UTF8.self))
    case (.uri, .text(let bytes)):
      URL(string: String(decoding: bytes, as: UTF8.self)).map { .uri($0) }
    case (.uuid, .bytes(let bytes)):
      bytes.withUnsafeBytes { UUID(slotBytes: $0) }.map { .uuid($0) }
    case (_, .bytes(let bytes)): .binary(Data(bytes))
    case (.integer16, _), (.integer32, _), (.integer64, _):
      if case .integer(let number) = self {
        .integer(number)
      } else {
        number.flatMap { Int64(exactly: $0.rounded(.towardZero)) }.map { .integer($0) }
      }
    case (.boolean, _): number.map { .boolean($0 != 0) }
    case (.double, _), (.float, _): number.map { .double($0) }
    case (.decimal, _): number.map { .decimal(Decimal(stored: $0)) }
    case (.date, _): number.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    default: nil
    }
  }
}

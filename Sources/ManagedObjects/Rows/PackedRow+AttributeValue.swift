import DataModel
import SystemLibraries

extension PackedRow {
  /// The value of an attribute of any type; nil if there is none.
  func value(at slot: Int, type: AttributeDescription.AttributeType) -> AttributeValue? {
    guard hasValue(slot) else { return nil }
    switch type {
    case .integer16, .integer32, .integer64: return .integer(integer(slot))
    case .boolean: return .boolean(integer(slot) != 0)
    case .double, .float: return .double(real(slot))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: real(slot)))
    case .decimal: return .decimal(Decimal(stored: real(slot)))
    case .string: return .string(String(decoding: bytes(slot), as: UTF8.self))
    case .uri: return URL(string: String(decoding: bytes(slot), as: UTF8.self)).map { .uri($0) }
    case .uuid: return UUID(slotBytes: bytes(slot)).map { .uuid($0) }
    case .undefined, .binaryData, .transformable, .composite: return .binary(Data(bytes(slot)))
    }
  }

  /// Sets the value of an attribute of any type; returns the row to use from then on.
  ///
  /// - Precondition: the value has the slot's type.
  func setting(
    _ value: AttributeValue?, at slot: Int, kinds: [SlotKind], tailSlots: [Int]
  ) -> PackedRow {
    func tail(_ bytes: UnsafeRawBufferPointer?) -> PackedRow {
      replacingBytes(slot, with: bytes, slotCount: kinds.count, tailSlots: tailSlots)
    }
    switch (value, kinds[slot]) {
    case (nil, let kind):
      if kind.isTail { return tail(nil) }
      setHasValue(false, slot)
    case (.integer(let number), .integer): setBits(UInt64(bitPattern: number), slot)
    case (.boolean(let flag), .integer): setBits(flag ? 1 : 0, slot)
    case (.integer(let number), .real): setReal(Double(number), slot)
    case (.double(let number), .real): setReal(number, slot)
    case (.date(let date), .real): setReal(date.timeIntervalSinceReferenceDate, slot)
    case (.decimal(let number), .real): setReal(number.stored, slot)
    case (.string(var text), .text): return text.withUTF8 { tail(UnsafeRawBufferPointer($0)) }
    case (.uri(let url), .text):
      var text = url.absoluteString
      return text.withUTF8 { tail(UnsafeRawBufferPointer($0)) }
    case (.uuid(let uuid), .blob): return withUnsafeBytes(of: uuid.uuid) { tail($0) }
    case (.binary(let data), .blob), (.binary(let data), .external):
      return Array(data).withUnsafeBytes { tail($0) }
    default: fatalError("The value \(value!) is not of the type that the model says.")
    }
    return self
  }

  /// Sets a floating-point number; NaN, which SQLite cannot store, becomes no value.
  private func setReal(_ number: Double, _ slot: Int) {
    if number.isNaN { setHasValue(false, slot) } else { setBits(number.bitPattern, slot) }
  }
}

extension UUID {
  /// Creates a UUID from its 16 bytes; nil for any other number of bytes.
  init?(slotBytes bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}

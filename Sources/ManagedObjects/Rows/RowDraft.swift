import DataModel
import SystemLibraries

/// A packed row under construction, reused for the next row.
struct RowDraft {
  private var slotCount = 0
  private var bits: [UInt64?] = []
  private var tail: [UInt8] = []

  /// Starts a row without values.
  mutating func begin(slotCount: Int) {
    self.slotCount = slotCount
    bits.removeAll(keepingCapacity: true)
    bits.append(contentsOf: repeatElement(nil, count: slotCount))
    tail.removeAll(keepingCapacity: true)
  }

  /// Sets the 64 bits of a slot.
  mutating func set(_ value: UInt64, at slot: Int) { bits[slot] = value }

  /// Sets the bytes of a slot.
  mutating func set(_ bytes: some Collection<UInt8>, at slot: Int) {
    bits[slot] = UInt64(8 * slotCount + tail.count) | UInt64(bytes.count) << 32
    tail.append(contentsOf: bytes)
  }

  /// Sets the UTF-8 bytes of a text.
  mutating func set(text: Span<UInt8>, at slot: Int) {
    text.withUnsafeBufferPointer { set($0, at: slot) }
  }

  /// Sets an attribute's value, which must fit its type; NaN counts as no value.
  mutating func set(_ value: AttributeValue, at slot: Int) {
    switch value {
    case .integer(let number): set(UInt64(bitPattern: number), at: slot)
    case .boolean(let flag): set(flag ? 1 : 0, at: slot)
    case .double(let number): set(real: number, at: slot)
    case .date(let date): set(real: date.timeIntervalSinceReferenceDate, at: slot)
    case .decimal(let number): set(real: number.stored, at: slot)
    case .string(let text): set(text.utf8, at: slot)
    case .uri(let url): set(url.absoluteString.utf8, at: slot)
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { set($0, at: slot) }
    case .binary(let data): set(data, at: slot)
    }
  }

  private mutating func set(real number: Double, at slot: Int) {
    if !number.isNaN { set(number.bitPattern, at: slot) }
  }

  /// Creates the row, which the caller must free.
  func makeRow() -> PackedRow {
    let header = PackedRow.headerSize(slotCount: slotCount)
    let size = 8 * slotCount + tail.count
    let memory = PackedRow.allocate(byteCount: header + size)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: header + 8 * slotCount)
    let row = PackedRow(slots: memory + header)
    row.byteCount = size
    for (slot, value) in bits.enumerated() {
      if let value { row.setBits(value, slot) }
    }
    tail.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      (row.slots + 8 * slotCount).copyMemory(from: start, byteCount: bytes.count)
    }
    return row
  }
}

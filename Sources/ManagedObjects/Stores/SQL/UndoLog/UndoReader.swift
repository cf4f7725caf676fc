/// A reader of what an `UndoRecorder` has written.
///
/// Safe for untrusted bytes: everything is checked, and invalid input throws `unreadable`.
struct UndoReader {
  static let none: UInt8 = 0
  static let integer: UInt8 = 1
  static let real: UInt8 = 2
  static let tail: UInt8 = 3

  let bytes: [UInt8]
  private(set) var position: Int
  /// The longest run of rows that is not considered damage.
  let maximumRowCount: Int64

  init(_ bytes: [UInt8], from position: Int, maximumRowCount: Int64) {
    self.bytes = bytes
    self.position = position
    self.maximumRowCount = maximumRowCount
  }

  /// The next change; nil at the end.
  mutating func next() throws(StoreUndoError) -> UndoChange? {
    guard position < bytes.count else { return nil }
    switch UndoOperation(rawValue: try byte()) {
    case .inserted:
      let (entity, first, count) = (try count(), try key(), try key())
      guard count <= maximumRowCount else { throw .unreadable }
      return .inserted(entity: entity, first: first, count: count, known: try number())
    case .updated:
      return .updated(
        entity: try count(), key: try key(), before: try number(), after: try number(),
        values: try values())
    case .deleted:
      return .deleted(
        entity: try count(), key: try key(), known: try number(), actual: try number(),
        values: try values())
    case .linked:
      return .linked(join: try count(), first: try key(), second: try key())
    case .unlinked:
      return .unlinked(
        join: try count(), first: try key(), second: try key(), firstOrder: try optional(),
        secondOrder: try optional())
    case .moved:
      return .moved(
        join: try count(), first: try key(), second: try key(), isFirst: try number() == 1,
        order: try optional())
    case .metadata:
      let key = String(decoding: bytes[try range()], as: UTF8.self)
      return .metadata(key: key, old: Array(bytes[try range()]), new: Array(bytes[try range()]))
    case nil: throw .unreadable
    }
  }

  private mutating func values() throws(StoreUndoError) -> [UndoValue] {
    let count = try count()
    var values: [UndoValue] = []
    for _ in 0..<count {
      let slot = try self.count()
      let content: UndoValue.Content
      switch try byte() {
      case Self.none: content = .none
      case Self.integer: content = .integer(try number())
      case Self.real:
        var bits: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bits |= UInt64(try byte()) << shift }
        content = .real(Double(bitPattern: bits))
      case Self.tail: content = .tail(try range())
      default: throw .unreadable
      }
      values.append(UndoValue(slot: slot, content: content))
    }
    return values
  }

  private mutating func range() throws(StoreUndoError) -> Range<Int> {
    let count = try count()
    guard count <= bytes.count - position else { throw .unreadable }
    defer { position += count }
    return position..<position + count
  }

  private mutating func optional() throws(StoreUndoError) -> Int64? {
    try byte() == 0 ? nil : try number()
  }

  /// Reads an index or a count.
  private mutating func count() throws(StoreUndoError) -> Int {
    let count = try number()
    guard (0...Int64(Int32.max)).contains(count) else { throw .unreadable }
    return Int(count)
  }

  /// Reads a primary key or a count of keys; small enough that adding two does not overflow.
  private mutating func key() throws(StoreUndoError) -> Int64 {
    let key = try number()
    guard (0...Int64.max / 2).contains(key) else { throw .unreadable }
    return key
  }

  private mutating func number() throws(StoreUndoError) -> Int64 {
    var bits: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = try byte()
      bits |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1) }
    }
    throw .unreadable
  }

  private mutating func byte() throws(StoreUndoError) -> UInt8 {
    guard position < bytes.count else { throw .unreadable }
    defer { position += 1 }
    return bytes[position]
  }
}

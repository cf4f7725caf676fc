import SystemLibraries

/// A writer of a binary property list, with objects in the order in which Apple's writer numbers
/// them.
///
/// The root comes first; a dictionary is followed by its keys and then its values, each followed by
/// its contents. Uses a work list instead of recursion, so that depth does not matter.
struct BinaryPropertyListWriter {
  /// An encoded object: its own bytes, and the numbers of its members.
  private struct Object {
    var bytes: [UInt8]
    var members: [Int]
  }

  private var objects: [Object] = []
  /// The numbers of the objects without members, by their bytes.
  private var indexes: [[UInt8]: Int] = [:]

  /// Numbers the values of a list.
  init(_ list: PropertyList) {
    var waiting = [(value: list, owner: 0, position: 0)]
    while let (value, owner, position) = waiting.popLast() {
      let (index, members) = add(value)
      // The root is the only value that is not a member.
      if index != 0 { objects[owner].members[position] = index }
      for (position, member) in members.enumerated().reversed() {
        waiting.append((member, index, position))
      }
    }
  }

  /// The bytes of the list.
  var bytes: [UInt8] {
    let referenceSize = Self.size(of: UInt64(objects.count))
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object.bytes
      for index in object.members {
        bytes += Self.bigEndian(UInt64(index), size: referenceSize)
      }
    }
    let tableOffset = bytes.count
    let offsetSize = Self.size(of: UInt64(tableOffset))
    for offset in offsets { bytes += Self.bigEndian(UInt64(offset), size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [objects.count, 0, tableOffset] {
      bytes += Self.bigEndian(UInt64(number), size: 8)
    }
    return bytes
  }

  /// Numbers a value; returns its number and the members that still need theirs.
  private mutating func add(_ value: PropertyList) -> (index: Int, members: [PropertyList]) {
    switch value {
    case .array(let members):
      return addContainer(Self.marker(0xa0, count: members.count), members: members)
    case .dictionary(let values):
      let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let members = sorted.map { PropertyList.string($0.key) } + sorted.map(\.value)
      return addContainer(Self.marker(0xd0, count: sorted.count), members: members)
    default:
      let bytes = Self.encode(value)
      if let index = indexes[bytes] { return (index, []) }
      indexes[bytes] = objects.count
      return addContainer(bytes, members: [])
    }
  }

  private mutating func addContainer(
    _ bytes: [UInt8], members: [PropertyList]
  ) -> (index: Int, members: [PropertyList]) {
    objects.append(Object(bytes: bytes, members: Array(repeating: 0, count: members.count)))
    return (objects.count - 1, members)
  }
}

extension BinaryPropertyListWriter {
  /// Encodes a value without members.
  private static func encode(_ value: PropertyList) -> [UInt8] {
    switch value {
    case .boolean(let isTrue): return [isTrue ? 0x09 : 0x08]
    case .integer(let number): return integer(number)
    case .unsignedInteger(let number):
      guard number > UInt64(Int64.max) else { return integer(Int64(number)) }
      return [0x14] + bigEndian(0, size: 8) + bigEndian(number, size: 8)
    case .real(let number): return [0x23] + bigEndian(number.bitPattern, size: 8)
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      return [0x33] + bigEndian(seconds.bitPattern, size: 8)
    case .data(let data): return marker(0x40, count: data.count) + data
    case .string(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) {
        return marker(0x50, count: text.utf8.count) + text.utf8
      }
      let units = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8($0 & 0xff)] }
      return marker(0x60, count: units.count / 2) + units
    case .uid(let number):
      let size = size(of: number)
      return [0x80 | UInt8(size - 1)] + bigEndian(number, size: size)
    case .array, .dictionary: fatalError("Arrays and dictionaries have members.")
    }
  }

  /// A marker with a count: in its low four bits, or as an integer after it.
  private static func marker(_ kind: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0xf] + integer(Int64(count))
  }

  /// An integer; a negative one takes eight bytes, since shorter ones are unsigned.
  private static func integer(_ number: Int64) -> [UInt8] {
    let bits = UInt64(bitPattern: number)
    let size = size(of: bits)
    return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(bits, size: size)
  }

  /// The smallest of 1, 2, 4 and 8 bytes that holds a number.
  private static func size(of number: UInt64) -> Int {
    switch number {
    case ...0xff: 1
    case ...0xffff: 2
    case ...0xffff_ffff: 4
    default: 8
    }
  }

  private static func bigEndian(_ number: UInt64, size: Int) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0.suffix(size)) }
  }
}

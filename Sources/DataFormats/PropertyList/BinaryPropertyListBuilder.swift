import SystemLibraries

/// A writer of a binary property list, object by object: containers follow their contents.
///
///     var list = BinaryPropertyListBuilder(atMost: 3)
///     let name = list.add("Fido")
///     let dogs = list.add(array: [name])
///     list.finish(root: list.add(keys: [list.add("dogs")], values: [dogs]))
///
/// For lists too large for a `PropertyList` in memory. Values added twice are written twice.
package struct BinaryPropertyListBuilder {
  /// The number of an object.
  package typealias Reference = UInt32

  private var bytes = Array("bplist00".utf8)
  private var offsets: [UInt64] = []
  private let referenceSize: Int

  /// Creates a list with a maximum number of objects.
  package init(atMost count: Int) { referenceSize = count <= 1 << 8 ? 1 : count <= 1 << 16 ? 2 : 4 }

  private mutating func begin(_ marker: UInt8) -> Reference {
    offsets.append(UInt64(bytes.count))
    bytes.append(marker)
    return Reference(truncatingIfNeeded: offsets.count - 1)
  }

  private mutating func begin(_ kind: UInt8, count: Int) -> Reference {
    guard count >= 15 else { return begin(kind | UInt8(count)) }
    let reference = begin(kind | 0xF)
    let size = count < 1 << 8 ? 1 : count < 1 << 16 ? 2 : 4
    bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
    append(UInt64(count), size: size)
    return reference
  }

  private mutating func append(_ number: UInt64, size: Int) {
    var shift = size * 8
    while shift > 0 {
      shift -= 8
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  // MARK: Values

  /// Adds a Boolean.
  package mutating func add(_ flag: Bool) -> Reference { begin(flag ? 0x09 : 0x08) }

  /// Adds an integer.
  package mutating func add(_ number: Int64) -> Reference {
    let bits = UInt64(bitPattern: number)
    let power = bits < 1 << 8 ? 0 : bits < 1 << 16 ? 1 : bits < 1 << 32 ? 2 : 3
    let reference = begin(0x10 | UInt8(power))
    append(bits, size: 1 << power)
    return reference
  }

  /// Adds a floating-point number.
  package mutating func add(_ number: Double) -> Reference {
    let reference = begin(0x23)
    append(number.bitPattern, size: 8)
    return reference
  }

  /// Adds a text from UTF-8; invalid bytes become U+FFFD.
  package mutating func add(text: UnsafeRawBufferPointer) -> Reference {
    if text.allSatisfy({ $0 < 0x80 }) {
      let reference = begin(0x50, count: text.count)
      bytes.append(contentsOf: text)
      return reference
    }
    let units = Array(String(decoding: text, as: UTF8.self).utf16)
    let reference = begin(0x60, count: units.count)
    for unit in units { append(UInt64(unit), size: 2) }
    return reference
  }

  /// Adds a text.
  package mutating func add(_ text: String) -> Reference {
    var text = text
    return text.withUTF8 { add(text: UnsafeRawBufferPointer($0)) }
  }

  /// Adds bytes.
  package mutating func add(data: UnsafeRawBufferPointer) -> Reference {
    let reference = begin(0x40, count: data.count)
    bytes.append(contentsOf: data)
    return reference
  }

  /// Adds the UID of an object in a keyed archive.
  package mutating func add(uid: UInt32) -> Reference {
    let size = uid < 1 << 8 ? 1 : uid < 1 << 16 ? 2 : 4
    let reference = begin(0x80 | UInt8(size - 1))
    append(UInt64(uid), size: size)
    return reference
  }

  /// Adds an array.
  package mutating func add(array members: some Collection<Reference>) -> Reference {
    let reference = begin(0xA0, count: members.count)
    for member in members { append(UInt64(member), size: referenceSize) }
    return reference
  }

  /// Adds a dictionary.
  package mutating func add(keys: [Reference], values: [Reference]) -> Reference {
    let reference = begin(0xD0, count: keys.count)
    for key in keys { append(UInt64(key), size: referenceSize) }
    for value in values { append(UInt64(value), size: referenceSize) }
    return reference
  }

  /// Adds any property list.
  package mutating func add(_ list: PropertyList) -> Reference {
    switch list {
    case .dictionary(let entries):
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let keys = sorted.map { add($0.key) }
      return add(keys: keys, values: sorted.map { add($0.value) })
    case .array(let members): return add(array: members.map { add($0) })
    case .string(let text): return add(text)
    case .data(let data): return Array(data).withUnsafeBytes { add(data: $0) }
    case .boolean(let flag): return add(flag)
    case .integer(let number): return add(number)
    case .unsignedInteger(let number):
      let reference = begin(0x14)
      append(0, size: 8)
      append(number, size: 8)
      return reference
    case .real(let number): return add(number)
    case .date(let date):
      let reference = begin(0x33)
      append(date.timeIntervalSinceReferenceDate.bitPattern, size: 8)
      return reference
    case .uid(let number): return add(uid: UInt32(truncatingIfNeeded: number))
    }
  }

  // MARK: Finishing

  /// The bytes of the list.
  ///
  /// - Precondition: the list has no more objects than given at its creation.
  package consuming func finish(root: Reference) -> [UInt8] {
    // Otherwise references would be truncated.
    guard offsets.count - 1 < 1 << (8 * referenceSize) else {
      fatalError("A property list has \(offsets.count) objects, more than announced.")
    }
    let table = UInt64(bytes.count)
    let offsetSize = table < 1 << 8 ? 1 : table < 1 << 16 ? 2 : table < 1 << 32 ? 4 : 8
    bytes.reserveCapacity(bytes.count + offsets.count * offsetSize + 32)
    for offset in offsets { append(offset, size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [UInt64(offsets.count), UInt64(root), table] { append(number, size: 8) }
    return bytes
  }
}

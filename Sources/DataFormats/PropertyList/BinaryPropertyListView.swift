/// A view of a binary property list in place: an object is read only when it is accessed.
///
///     let list = try BinaryPropertyListView(archive[...])
///     let name = list.value(of: "name", in: list.root).flatMap(list.text)
///
/// For lists too large for a `PropertyList` in memory. Safe for untrusted bytes: an object that is
/// invalid or of another kind than requested yields nil. Objects may be shared, and may contain
/// cycles.
package struct BinaryPropertyListView {
  /// The number of an object.
  package typealias Reference = Int

  private let bytes: ArraySlice<UInt8>
  private let tableOffset: Int
  private let offsetSize: Int
  private let referenceSize: Int
  /// The number of objects.
  package let objectCount: Int
  /// The root object.
  package let root: Reference

  /// Creates a view of a list's bytes.
  ///
  /// - Throws: `PropertyListError` if they are not a valid list.
  package init(_ bytes: ArraySlice<UInt8>) throws(PropertyListError) {
    guard bytes.starts(with: "bplist00".utf8), bytes.count >= 40 else {
      throw .notABinaryPropertyList
    }
    self.bytes = bytes
    let trailer = bytes.count - 32
    let numbers = [8, 16, 24].map { Self.number(bytes, at: trailer + $0, size: 8) }
    offsetSize = Int(bytes[bytes.startIndex + trailer + 6])
    referenceSize = Int(bytes[bytes.startIndex + trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Int(exactly: numbers[0]), let root = Int(exactly: numbers[1]),
      let table = Int(exactly: numbers[2]), root < count, table >= 8, table <= trailer,
      count <= (trailer - table) / offsetSize
    else { throw .damaged(offset: trailer) }
    (objectCount, self.root, tableOffset) = (count, root, table)
  }

  private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int, size: Int) -> UInt64 {
    var number: UInt64 = 0
    let start = bytes.startIndex + offset
    for index in start..<start + size { number = number << 8 | UInt64(bytes[index]) }
    return number
  }

  // MARK: Objects

  /// The offset of an object, and the kind and size in its marker.
  private func object(_ reference: Reference) -> (offset: Int, kind: UInt8, size: Int)? {
    guard reference >= 0, reference < objectCount,
      let offset = Int(
        exactly: Self.number(bytes, at: tableOffset + reference * offsetSize, size: offsetSize)),
      offset >= 8, offset < tableOffset
    else { return nil }
    let marker = bytes[bytes.startIndex + offset]
    return (offset, marker >> 4, Int(marker & 0xF))
  }

  /// The offset of the content of an object with a count, and the number of its units.
  private func content(
    _ object: (offset: Int, kind: UInt8, size: Int), unit: Int
  ) -> (start: Int, count: Int)? {
    var (count, start) = (object.size, object.offset + 1)
    if count == 0xF {
      guard start < tableOffset, bytes[bytes.startIndex + start] & 0xFC == 0x10 else { return nil }
      let size = 1 << Int(bytes[bytes.startIndex + start] & 3)
      guard start + 1 + size <= tableOffset,
        let number = Int(exactly: Self.number(bytes, at: start + 1, size: size))
      else { return nil }
      (count, start) = (number, start + 1 + size)
    }
    guard start <= tableOffset, count <= (tableOffset - start) / unit else { return nil }
    return (start, count)
  }

  private func fixed(
    _ object: (offset: Int, kind: UInt8, size: Int), size: Int
  ) -> UInt64? {
    guard object.offset + 1 + size <= tableOffset else { return nil }
    return Self.number(bytes, at: object.offset + 1, size: size)
  }

  /// An integer, or a Boolean as 1 or 0.
  package func integer(_ reference: Reference) -> Int64? {
    guard let object = object(reference) else { return nil }
    switch (object.kind, object.size) {
    case (0x0, 8), (0x0, 9): return object.size == 9 ? 1 : 0
    case (0x1, 0...3): return fixed(object, size: 1 << object.size).map(Int64.init(bitPattern:))
    default: return nil
    }
  }

  /// A number, integer or not.
  package func real(_ reference: Reference) -> Double? {
    guard let object = object(reference) else { return nil }
    switch (object.kind, object.size) {
    case (0x2, 2):
      return fixed(object, size: 4).map {
        Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0)))
      }
    case (0x2, 3), (0x3, 3): return fixed(object, size: 8).map(Double.init(bitPattern:))
    default: return integer(reference).map(Double.init)
    }
  }

  /// A text as UTF-8.
  package func text(_ reference: Reference) -> [UInt8]? {
    guard let object = object(reference) else { return nil }
    if object.kind == 0x5 {
      guard let (start, count) = content(object, unit: 1) else { return nil }
      let text = bytes[(bytes.startIndex + start)..<(bytes.startIndex + start + count)]
      return text.allSatisfy { $0 < 0x80 } ? Array(text) : nil
    }
    guard object.kind == 0x6, let (start, count) = content(object, unit: 2) else { return nil }
    let units = (0..<count).map {
      UInt16(truncatingIfNeeded: Self.number(bytes, at: start + 2 * $0, size: 2))
    }
    return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
  }

  /// The bytes of a data object.
  package func data(_ reference: Reference) -> ArraySlice<UInt8>? {
    guard let object = object(reference), object.kind == 0x4,
      let (start, count) = content(object, unit: 1)
    else { return nil }
    return bytes[(bytes.startIndex + start)..<(bytes.startIndex + start + count)]
  }

  /// The UID of an object in a keyed archive.
  package func uid(_ reference: Reference) -> Int? {
    guard let object = object(reference), object.kind == 0x8, object.size < 8 else { return nil }
    return fixed(object, size: object.size + 1).flatMap { Int(exactly: $0) }
  }

  /// Whether an object is a dictionary.
  package func isDictionary(_ reference: Reference) -> Bool { object(reference)?.kind == 0xD }

  /// The members of an array.
  package func members(_ reference: Reference) -> Members? {
    guard let object = object(reference), object.kind == 0xA,
      let (start, count) = content(object, unit: referenceSize)
    else { return nil }
    return Members(list: self, start: start, count: count)
  }

  /// The value of a key in a dictionary.
  package func value(of key: String, in reference: Reference) -> Reference? {
    guard let object = object(reference), object.kind == 0xD,
      let (start, count) = content(object, unit: 2 * referenceSize)
    else { return nil }
    for index in 0..<count
    where self.is(Self.reference(self, start + index * referenceSize), key) {
      return Self.reference(self, start + (count + index) * referenceSize)
    }
    return nil
  }

  private static func reference(_ list: Self, _ offset: Int) -> Reference {
    Int(
      truncatingIfNeeded: number(list.bytes, at: offset, size: list.referenceSize)
        & 0x7FFF_FFFF_FFFF)
  }

  /// Whether an object is a given ASCII text.
  private func `is`(_ reference: Reference, _ text: String) -> Bool {
    guard let object = object(reference), object.kind == 0x5,
      let (start, count) = content(object, unit: 1), count == text.utf8.count
    else { return false }
    return bytes[(bytes.startIndex + start)..<(bytes.startIndex + start + count)]
      .elementsEqual(text.utf8)
  }

  /// The members of an array, read on access.
  package struct Members: RandomAccessCollection {
    private let list: BinaryPropertyListView
    private let start: Int
    package let endIndex: Int
    package var startIndex: Int { 0 }

    fileprivate init(list: BinaryPropertyListView, start: Int, count: Int) {
      (self.list, self.start, endIndex) = (list, start, count)
    }

    package subscript(index: Int) -> Reference {
      guard index >= 0, index < endIndex else { fatalError("The index \(index) is out of range.") }
      return BinaryPropertyListView.reference(list, start + index * list.referenceSize)
    }
  }
}

import DataFormats
import TestSupport
import Testing

@Suite("A damaged property list")
struct PropertyListDamageTests {
  @Test(arguments: [
    "", "bplist00", "bplist01 and much more text, longer than any trailer is", "<?xml",
  ])
  func `is not a property list without its header and trailer`(text: String) {
    #expect(throws: PropertyListError.notABinaryPropertyList) {
      try PropertyList(binary: text.utf8)
    }
  }

  @Test(arguments: [
    trailer(objectCount: 0, tableOffset: 9),
    trailer(objectCount: 1, root: 1, tableOffset: 9),
    trailer(objectCount: 1, tableOffset: 8),
    trailer(objectCount: 1, tableOffset: 10),
    trailer(objectCount: 1, tableOffset: .max),
    trailer(objectCount: .max, tableOffset: 9),
    trailer(objectCount: 1 << 62, tableOffset: 9),
    trailer(objectCount: 2, tableOffset: 9),
    trailer(offsetSize: 0, objectCount: 1, tableOffset: 9),
    trailer(offsetSize: 9, objectCount: 1, tableOffset: 9),
    trailer(referenceSize: 0, objectCount: 1, tableOffset: 9),
    trailer(referenceSize: 9, objectCount: 1, tableOffset: 9),
  ])
  func `is refused for an impossible trailer`(trailer: [UInt8]) {
    #expect(throws: PropertyListError.damaged(offset: 10)) {
      try PropertyList(binary: Array("bplist00".utf8) + [0x09, 8] + trailer)
    }
  }

  @Test(arguments: [0, 7, 9, 255] as [UInt8])
  func `is refused for an object outside the object table`(offset: UInt8) {
    let bytes = Array("bplist00".utf8) + [0x09, offset] + trailer(objectCount: 1, tableOffset: 9)
    #expect(throws: PropertyListError.damaged(offset: 9)) { try PropertyList(binary: bytes) }
  }

  @Test(
    arguments: [
      [0x11, 0], [0x23, 0], [0x33], [0x14, 0], [0x42, 0], [0x51], [0x61, 0], [0x81, 0],
      [0xa1], [0xd1, 0], [0x4f], [0x5f, 0x08], [0x5f, 0x12, 0], [0x6f, 0x14], [0xaf, 0x10, 15],
      [0xaf, 0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
      [0xdf, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
      [0x6f, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func `is refused for an object that runs past the end`(object: [UInt8]) {
    #expect(throws: PropertyListError.damaged(offset: 8)) {
      try PropertyList(binary: binary([object]))
    }
  }

  @Test(
    arguments: [
      [0x00], [0x01], [0x0f], [0x15, 0], [0x24], [0x30], [0x7f], [0x88], [0x90], [0xb0], [0xc0],
      [0xff],
    ] as [[UInt8]])
  func `is refused for a value of an unknown kind`(object: [UInt8]) {
    #expect(throws: PropertyListError.unsupportedValue(offset: 8)) {
      try PropertyList(binary: binary([object]))
    }
  }

  @Test(
    arguments: [[0x51, 0x80], [0x61, 0xd8, 0x00], [0x62, 0xdc, 0x00, 0xd8, 0x00]] as [[UInt8]])
  func `is refused for an invalid text`(object: [UInt8]) {
    #expect(throws: PropertyListError.unreadableText(offset: 8)) {
      try PropertyList(binary: binary([object]))
    }
  }

  @Test func `is refused for a reference to a missing object`() {
    #expect(throws: PropertyListError.damaged(offset: 9)) {
      try PropertyList(binary: binary([[0xa1, 1]]))
    }
  }

  @Test func `is refused for a key that is not a text, and for a duplicate key`() {
    #expect(throws: PropertyListError.unusableKey(offset: 8)) {
      try PropertyList(binary: binary([[0xd1, 1, 1], [0x09]]))
    }
    #expect(throws: PropertyListError.unusableKey(offset: 8)) {
      try PropertyList(binary: binary([[0xd2, 1, 2, 3, 3], [0x51, 0x61], [0x51, 0x61], [0x09]]))
    }
  }

  @Test(
    arguments: [
      [[0xa1, 0]], [[0xa1, 1], [0xa1, 0]], [[0xd1, 1, 0], [0x51, 0x61]],
    ] as [[[UInt8]]])
  func `is refused when it contains itself`(objects: [[UInt8]]) {
    #expect(throws: PropertyListError.containsItself(offset: 8)) {
      try PropertyList(binary: binary(objects))
    }
  }

  @Test func `is refused when its objects overlap`() {
    // The root's only reference, 9, is also the marker byte of that object: true.
    let bytes =
      Array("bplist00".utf8) + [0xa1, 0x09] + [8, 9, 9, 9, 9, 9, 9, 9, 9, 9]
      + trailer(objectCount: 10, tableOffset: 10)
    #expect(throws: PropertyListError.damaged(offset: 9)) { try PropertyList(binary: bytes) }
  }

  @Test func `may share values, within limits`() throws {
    // Each array contains the next one twice.
    func doubling(_ levels: Int) -> [UInt8] {
      binary((1...levels).map { [0xa2, UInt8($0), UInt8($0)] } + [[0x51, 0x61]])
    }
    let list = try PropertyList(binary: doubling(10))
    #expect(try PropertyList(binary: list.binary) == list)
    #expect(throws: PropertyListError.tooLarge) { try PropertyList(binary: doubling(60)) }
  }

  @Test func `may nest 128 levels deep, and no deeper`() throws {
    func nested(_ levels: Int) -> [UInt8] {
      binary((1..<levels).map { [0xa1, UInt8($0)] } + [[0xa0]])
    }
    _ = try PropertyList(binary: nested(128))
    #expect(throws: PropertyListError.tooDeep) { try PropertyList(binary: nested(129)) }
  }

  @Test func `may not hide its depth in shared values`() {
    // The root's first member is 100 deep; its second leads to that one through 40 more.
    var objects: [[UInt8]] = [[0xa2, 1, 101]]
    objects += (2...99).map { [0xa1, UInt8($0)] } + [[0xa0], [0x09]]
    objects += (102...140).map { [0xa1, UInt8($0)] } + [[0xa1, 1]]
    #expect(throws: PropertyListError.tooDeep) { try PropertyList(binary: binary(objects)) }
  }

  @Test func `cut short anywhere is refused`() {
    let whole = PropertyList.metadata.binary
    for count in whole.indices {
      #expect(throws: PropertyListError.self) { try PropertyList(binary: whole.prefix(count)) }
    }
  }

  @Test func `with any one byte changed is read or refused`() {
    let whole = PropertyList.metadata.binary
    var readable = 0
    for index in whole.indices {
      for change in [1, 0x10, 0x80, 0xff] as [UInt8] {
        var bytes = whole
        bytes[index] ^= change
        readable += (try? PropertyList(binary: bytes)) == nil ? 0 : 1
      }
    }
    // Most bytes are text and hashes, in which any value is valid.
    #expect(readable > whole.count)
  }

  @Test func `made of random bytes is read or refused`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      var bytes = PropertyList.random(using: &random).binary
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        bytes[index] = .random(in: 0...255, using: &random)
      }
      // What can be read can be written and read again.
      guard let list = try? PropertyList(binary: bytes) else { continue }
      let again = try? PropertyList(binary: list.binary).binary
      #expect(again == list.binary, "seed \(seed)")
    }
  }
}

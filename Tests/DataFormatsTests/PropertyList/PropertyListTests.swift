#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import DataFormats
import TestSupport
import Testing

@Suite("A property list in Apple's binary format")
struct PropertyListTests {
  @Test(arguments: PropertyListVector.all)
  func `is read`(vector: PropertyListVector) throws {
    #expect(try PropertyList(binary: vector.bytes) == vector.list)
  }

  @Test(arguments: PropertyListVector.all)
  func `is written, byte for byte`(vector: PropertyListVector) {
    #expect(vector.list.binary == vector.bytes)
  }

  @Test func `is also read from Data and from noncontiguous bytes`() throws {
    let vector = try #require(PropertyListVector.all.last)
    let scattered = vector.bytes.lazy.map { $0 }
    #expect(try PropertyList(binary: Data(vector.bytes)) == vector.list)
    #expect(try PropertyList(binary: AnySequence(scattered)) == vector.list)
  }

  @Test(arguments: [14, 15, 254, 255, 256, 65_535, 65_536])
  func `keeps arrays of any length`(count: Int) throws {
    let list = PropertyList.array((0..<count).map { .integer(Int64($0)) })
    #expect(try PropertyList(binary: list.binary) == list)
  }

  @Test(arguments: [14, 15, 255, 256, 65_536])
  func `keeps text and bytes of any length`(count: Int) throws {
    let list = PropertyList.array([
      .string(String(repeating: "a", count: count)), .string(String(repeating: "ß", count: count)),
      .data(Data(repeating: 0xfe, count: count)),
    ])
    #expect(try PropertyList(binary: list.binary) == list)
  }

  @Test func `is written the same whatever the order in which a dictionary was filled`() {
    let names = (0..<100).map { "key \($0)" }
    let values = Dictionary(uniqueKeysWithValues: names.map { ($0, PropertyList.string($0)) })
    var backwards: [String: PropertyList] = [:]
    for name in names.reversed() { backwards[name] = .string(name) }
    #expect(PropertyList.dictionary(values).binary == PropertyList.dictionary(backwards).binary)
  }

  @Test func `stores a value once however often it occurs`() {
    let note = PropertyList.string(String(repeating: "walk ", count: 200))
    let one = PropertyList.array([note]).binary.count
    #expect(PropertyList.array(Array(repeating: note, count: 10)).binary.count == one + 9)
  }

  @Test func `keeps values apart that only look equal`() throws {
    let list = PropertyList.array([.real(0), .real(-0.0), .string("é"), .string("e\u{301}")])
    guard
      case .array(let read) = try PropertyList(binary: list.binary),
      case .real(let zero) = read[1], case .string(let text) = read[3]
    else {
      Issue.record("not an array of reals and texts")
      return
    }
    #expect(zero.sign == .minus)
    #expect(text.unicodeScalars.count == 2)
  }

  @Test func `holds 16-byte integers within the range of 64 bits`() throws {
    func number(_ hex: String) throws -> PropertyList {
      try .init(binary: binary([bytesOf(hex: "14" + hex)]))
    }
    #expect(try number("00000000000000007fffffffffffffff") == .integer(.max))
    #expect(try number("ffffffffffffffff8000000000000000") == .integer(.min))
    #expect(try number("0000000000000000ffffffffffffffff") == .unsignedInteger(.max))
    #expect(throws: PropertyListError.unsupportedValue(offset: 8)) {
      try number("00000000000000010000000000000000")
    }
  }

  @Test func `holds 4-byte reals`() throws {
    #expect(try PropertyList(binary: binary([[0x22, 0x3f, 0, 0, 0]])) == .real(0.5))
  }

  @Test func `writes an unsigned number that fits a signed one as a signed one`() {
    #expect(PropertyList.unsignedInteger(5).binary == PropertyList.integer(5).binary)
  }

  @Test func `may be written from values nested deeper than the reader accepts`() {
    var list = PropertyList.array([])
    for _ in 0..<1_000 { list = .array([list]) }
    #expect(throws: PropertyListError.tooDeep) { try PropertyList(binary: list.binary) }
  }
}

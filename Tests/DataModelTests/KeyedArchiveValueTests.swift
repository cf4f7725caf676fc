import Foundation
import TestSupport
import Testing

@testable import DataModel

/// Values in keyed archives, ours compared with Foundation's.
@Suite struct `Values in keyed archives` {
  private static let values: [any Hashable & Sendable] = [
    "", "Fido", "$null", "e\u{301}", 0, -1, Int.max, Int.min, 2.5, -0.0, true, false,
    Data([0, 255]), Date(timeIntervalSinceReferenceDate: 1.5),
    UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!, URL(string: "https://a.org/b?c")!,
    [String](), ["a", "b", "a"], [[1, 2], [3]], ["x": [1.5], "y": []], ["k": ["n": true]],
    [1: "one", 2: "two"], Set(["a", "b"]),
  ]

  @Test(arguments: values.indices)
  func `are read as they were written`(index: Int) throws {
    let value = AnyHashable(Self.values[index])
    let bytes = try KeyedArchiveWriter.bytes(of: value.base)
    let read = try #require(try KeyedArchiveReader.value(of: bytes))
    #expect(NSObject.of(read) == NSObject.of(value.base))
    #expect("\(type(of: read))".isEmpty == false)
  }

  @Test(arguments: values.indices)
  func `are read by Foundation as its own objects`(index: Int) throws {
    let value = Self.values[index]
    let bytes = Data(try KeyedArchiveWriter.bytes(of: value))
    let classes = [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
      NSData.self, NSURL.self, NSUUID.self,
    ]
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: bytes)
    #expect(read as? NSObject == NSObject.of(value))
  }

  @Test(arguments: values.indices)
  func `are read from Foundation's archives`(index: Int) throws {
    let object = NSObject.of(Self.values[index])
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    let read = try #require(try KeyedArchiveReader.value(of: data))
    #expect(NSObject.of(read) == object)
  }

  @Test func `have the same bytes each time`() throws {
    let tags = Dictionary(uniqueKeysWithValues: (0..<50).map { ("key \($0)", Set([$0, $0 + 1])) })
    let bytes = try KeyedArchiveWriter.bytes(of: tags)
    let copy = Dictionary(uniqueKeysWithValues: tags.shuffled().map { ($0.key, $0.value) })
    #expect(try KeyedArchiveWriter.bytes(of: copy) == bytes)
  }

  @Test func `of unsupported classes are reported with the class`() throws {
    let object = NSAttributedString(string: "Fido")
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: object, requiringSecureCoding: false)
    #expect(throws: KeyedArchiveError.unknownClass("NSAttributedString")) {
      try KeyedArchiveReader.value(of: data)
    }
    struct Own {}
    #expect(throws: KeyedArchiveError.unknownType("Own")) {
      try KeyedArchiveWriter.bytes(of: [Own()])
    }
  }

  @Test func `that are nil in a collection are NSNull to Foundation`() throws {
    let list: [Int?] = [1, nil, 3]
    let entries: [String: Any?] = ["a": 1, "b": nil, "c": NSNull(), "d": list]
    let classes = [
      NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSNull.self,
    ]
    for value in [list, entries] as [Any] {
      let bytes = try KeyedArchiveWriter.bytes(of: value)
      let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: Data(bytes))
      #expect(object as? NSObject == NSObject.of(value))
      let read = try #require(try KeyedArchiveReader.value(of: bytes))
      #expect(NSObject.of(read) == NSObject.of(value))
    }
    let set = try KeyedArchiveReader.value(of: KeyedArchiveWriter.bytes(of: Set(list)))
    #expect((set as? Set<AnyHashable>)?.count == 3)
  }

  @Test func `keep Foundation's NSNull as nil at the same index`() throws {
    let array = NSArray(array: [NSNumber(value: 1), NSNull(), NSNumber(value: 3)])
    let list = try #require(try Self.read(array) as? [Any])
    #expect(list.map { $0 as? Int } == [1, nil, 3])
    let dictionary = try #require(
      try Self.read(NSDictionary(dictionary: ["a": NSNumber(value: 1), "b": NSNull()]))
        as? [String: Any])
    #expect(dictionary.keys.sorted() == ["a", "b"])
    #expect(dictionary["a"] as? Int == 1 && dictionary["b"] as? Int == nil)
    let set = try #require(
      try Self.read(NSSet(array: [NSString("a"), NSNull()])) as? Set<AnyHashable>)
    #expect(set.count == 2 && set.contains("a"))
    // On its own it is no value.
    #expect(try Self.read(NSNull()) == nil)
  }

  @Test func `with null references as members are refused`() {
    let list: [PropertyList] = [
      .string("$null"),
      .dictionary(["NS.objects": .array([.uid(3), .uid(0), .uid(3)]), "$class": .uid(2)]),
      .dictionary(["$classname": .string("NSArray")]),
      .string("a"),
    ]
    #expect(throws: KeyedArchiveError.notAnArchive) {
      try KeyedArchiveReader.value(of: archive(list, root: 1))
    }
  }

  @Test func `may be decimals`() throws {
    let numbers = ["0", "19.99", "-0.001", "12345678901234567890123456789e20"].map {
      Decimal(string: $0)!  // Each is a number.
    }
    let bytes = try KeyedArchiveWriter.bytes(of: numbers)
    #expect(try KeyedArchiveReader.value(of: bytes) as? [Decimal] == numbers)
    let none = try KeyedArchiveReader.value(of: KeyedArchiveWriter.bytes(of: [Decimal.nan]))
    #expect((none as? [Decimal])?.first?.isNaN == true)
  }

  @Test func `may be decimals as Foundation writes them on Apple's systems`() throws {
    let bytes = Array(repeating: UInt8(0), count: 14)
    let number: [String: PropertyList] = [
      "$class": .uid(3), "NS.exponent": .integer(-2), "NS.length": .integer(1),
      "NS.negative": .boolean(true), "NS.compact": .boolean(true), "NS.mantissa.bo": .integer(1),
      "NS.mantissa": .data(Data([0xCF, 0x07] + bytes)),
    ]
    let list: [PropertyList] = [
      .string("$null"),
      .dictionary(["NS.objects": .array([.uid(2)]), "$class": .uid(4)]),
      .dictionary(number),
      .dictionary(["$classname": .string("NSDecimalNumber")]),
      .dictionary(["$classname": .string("NSArray")]),
    ]
    let read = try KeyedArchiveReader.value(of: archive(list, root: 1))
    #expect(read as? [Decimal] == [Decimal(sign: .minus, exponent: -2, significand: 1999)])
  }

  @Test func `of class NSNumber keep the type they were made from`() throws {
    let numbers: [NSNumber] = [
      NSNumber(value: true), NSNumber(value: 1), NSNumber(value: 2), NSNumber(value: UInt64.max),
      NSNumber(value: 2.0), NSNumber(value: 0.5), NSDecimalNumber(string: "1"),
    ]
    let bytes = try KeyedArchiveWriter.bytes(of: numbers as [Any])
    let read = try #require(try KeyedArchiveReader.value(of: bytes) as? [Any])
    let expected: [AnyHashable] = [true, 1, 2, UInt64.max, 2.0, 0.5, Decimal(1)]
    try #require(read.count == expected.count)
    for (value, wanted) in zip(read, expected) {
      #expect(type(of: value) == type(of: wanted.base))
      #expect(value as? AnyHashable == wanted)
    }
  }

  @Test func `may be nil`() throws {
    let list = archive([.string("$null")], root: 0)
    #expect(try KeyedArchiveReader.value(of: list) == nil)
  }

  @Test func `that refer to each other in a circle are refused`() throws {
    let objects: [PropertyList] = [
      .string("$null"),
      .dictionary(["NS.objects": .array([.uid(1)]), "$class": .uid(2)]),
      .dictionary(["$classname": .string("NSArray")]),
    ]
    #expect(throws: KeyedArchiveError.tooDeep) {
      try KeyedArchiveReader.value(of: archive(objects, root: 1))
    }
  }

  @Test func `that would expand beyond memory are refused`() throws {
    // Forty arrays, each of which contains the next one ten times.
    var objects: [PropertyList] = [
      .string("$null"), .dictionary(["$classname": .string("NSArray")]),
    ]
    for number in 2..<42 {
      let members = Array(repeating: PropertyList.uid(UInt64(number + 1)), count: 10)
      objects.append(.dictionary(["NS.objects": .array(members), "$class": .uid(1)]))
    }
    objects.append(.string("end"))
    #expect(throws: KeyedArchiveError.tooDeep) {
      try KeyedArchiveReader.value(of: archive(objects, root: 2))
    }
  }

  @Test func `that are not keyed archives are refused`() {
    for bytes in [[], Array("bplist00".utf8), PropertyList.array([]).binary] {
      #expect(throws: KeyedArchiveError.notAnArchive) { try KeyedArchiveReader.value(of: bytes) }
    }
  }

  /// The value that is read from Foundation's archive of an object.
  private static func read(_ object: NSObject) throws -> Any? {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try KeyedArchiveReader.value(of: data)
  }

  private func archive(_ objects: [PropertyList], root: UInt64) -> [UInt8] {
    PropertyList.dictionary([
      "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
      "$top": .dictionary(["root": .uid(root)]), "$objects": .array(objects),
    ]).binary
  }
}

extension NSObject {
  /// A value as Foundation has it, for comparison: there, numbers of all types are one class.
  fileprivate static func of(_ value: Any) -> NSObject {
    switch value {
    case let text as String: NSString(string: text)
    case let flag as Bool: NSNumber(value: flag)
    case let integer as Int: NSNumber(value: integer)
    case let double as Double: NSNumber(value: double)
    case let data as Data: NSData(data: data)
    case let date as Date:
      NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    case let url as URL: NSURL(string: url.absoluteString)!
    case let uuid as UUID: NSUUID(uuidString: uuid.uuidString)!
    case let members as [Any]: NSArray(array: members.map(of))
    case let entries as [AnyHashable: Any]:
      NSDictionary(
        dictionary: Dictionary(
          uniqueKeysWithValues: entries.map { (AnyHashable(of($0.key.base)), of($0.value)) }))
    case let members as Set<AnyHashable>: NSSet(array: members.map { of($0.base) })
    default: NSNull()
    }
  }
}

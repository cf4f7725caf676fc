import Foundation
import ManagedObjects
import TestSupport
import Testing

/// One value of one attribute: how it is set, and what another context has to read.
struct AttributeCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let set: @Sendable (Sample) -> Void
  let holds: @Sendable (Sample) -> Bool

  init<Value: Equatable & Sendable>(
    _ path: any ReferenceWritableKeyPath<Sample, Value?> & Sendable, _ value: Value,
    _ name: String? = nil
  ) {
    testDescription = name ?? "\(Value.self) \(value)"
    set = { $0[keyPath: path] = value }
    holds = { $0[keyPath: path] == value }
  }

  static let numbers: [AttributeCase] = [
    .init(\.short, Int16.min), .init(\.short, 0), .init(\.short, Int16.max),
    .init(\.middle, Int32.min), .init(\.middle, 0), .init(\.middle, Int32.max),
    .init(\.long, Int64.min), .init(\.long, 0), .init(\.long, Int64.max),
    .init(\.long, 1 << 53 + 1),
    .init(\.flag, false), .init(\.flag, true),
    .init(\.real, 0), .init(\.real, 0.1), .init(\.real, .leastNonzeroMagnitude),
    .init(\.real, .greatestFiniteMagnitude), .init(\.real, -.greatestFiniteMagnitude),
    .init(\.real, .infinity), .init(\.real, -.infinity), .init(\.real, 0x1p63),
    .init(\.single, 0), .init(\.single, 0.1), .init(\.single, .leastNonzeroMagnitude),
    .init(\.single, .greatestFiniteMagnitude), .init(\.single, -.infinity),
    .init(\.date, Date(timeIntervalSinceReferenceDate: 0)),
    .init(\.date, Date(timeIntervalSinceReferenceDate: 773_316_000)),
    .init(\.date, Date(timeIntervalSinceReferenceDate: 773_316_000.123_456)),
    .init(\.date, .distantPast), .init(\.date, .distantFuture),
    .init(\.price, Decimal(0)), .init(\.price, Decimal(string: "0.1")!),
    .init(\.price, Decimal(string: "3.133")!), .init(\.price, Decimal(string: "-19.99")!),
    .init(\.price, Decimal(string: "123456789012.345")!),
    .init(\.price, Decimal(string: "1e40")!), .init(\.price, Decimal(string: "-2.5e-30")!),
  ]

  static let texts: [AttributeCase] = [
    .init(\.text, "", "no characters"), .init(\.text, "Fido"), .init(\.text, "\0"),
    .init(\.text, "a\0b\0", "embedded NULs"), .init(\.text, "🐕‍🦺👨‍👩‍👧‍👦", "emoji"),
    .init(\.text, "'; DROP TABLE ZSAMPLE; --"), .init(\.text, "\u{FFFF}\u{10FFFF}", "last scalars"),
    .init(\.text, String(repeating: "wuff ", count: 200_000), "a megabyte of text"),
    .init(\.link, URL(string: "https://example.com/a%20b?c=d#e")!),
    .init(\.link, URL(string: "mailto:dog@example.com")!),
    .init(\.uuid, UUID(uuidString: "00000000-0000-0000-0000-000000000000")!),
    .init(\.uuid, UUID(uuidString: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")!),
    .init(\.uuid, UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")!),
    .init(\.bytes, Data(), "no bytes"), .init(\.bytes, Data([0]), "a zero byte"),
    .init(\.bytes, Data(0...255), "every byte"),
    .init(\.bytes, Data(repeating: 0xA5, count: 3_000_000), "three megabytes"),
  ]
}

@Suite struct AttributeTests {
  @Test(arguments: AttributeCase.numbers + AttributeCase.texts, Stack.allTypes)
  func `a value is read as it was set, before and after a save`(
    value: AttributeCase, type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Samples.model)
    let sample = Sample(context: stack.context)
    value.set(sample)
    #expect(value.holds(sample))
    if type == .postgreSQL, sample.text?.contains("\0") == true {
      // A server's texts cannot contain this character.
      #expect(throws: PersistentStoreError.self) { try stack.context.save() }
      return
    }
    try stack.context.save()
    #expect(value.holds(sample))
    #expect(value.holds(try stack.reread(Sample.self)[0]))
  }

  @Test(arguments: AttributeCase.numbers + AttributeCase.texts)
  func `a value leaves all other attributes unchanged`(value: AttributeCase) throws {
    let stack = try Stack(model: Samples.model)
    let sample = Sample(context: stack.context)
    for other in Self.everyAttribute { other.set(sample) }
    value.set(sample)
    try stack.context.save()
    let reread = try stack.reread(Sample.self)[0]
    #expect(value.holds(reread))
    // One of them was overwritten, where its value differs.
    #expect(Self.everyAttribute.count { !$0.holds(reread) } <= 1)
  }

  private static let everyAttribute: [AttributeCase] = [
    .init(\.short, -7), .init(\.middle, 70_000), .init(\.long, -7 << 40), .init(\.flag, true),
    .init(\.real, 0.7), .init(\.single, -0.7), .init(\.date, Date(timeIntervalSince1970: 7)),
    .init(\.price, Decimal(7)), .init(\.text, "seven"), .init(\.link, URL(string: "x:7")!),
    .init(\.uuid, UUID()), .init(\.bytes, Data([7])),
  ]

  @Test(arguments: Stack.allTypes)
  func `an attribute that was never set has no value`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Samples.model)
    let sample = Sample(context: stack.context)
    #expect(Self.hasNothing(sample))
    try stack.context.save()
    #expect(Self.hasNothing(try stack.reread(Sample.self)[0]))
  }

  @Test(arguments: Stack.allTypes)
  func `every attribute changes from a value to nil and back`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Samples.model)
    let sample = Sample(context: stack.context)
    for _ in 0..<2 {
      for value in Self.everyAttribute { value.set(sample) }
      try stack.context.save()
      let full = try stack.reread(Sample.self)[0]
      #expect(Self.everyAttribute.allSatisfy { $0.holds(full) })
      Self.clear(sample)
      #expect(Self.hasNothing(sample))
      try stack.context.save()
      #expect(Self.hasNothing(try stack.reread(Sample.self)[0]))
    }
  }

  private static func hasNothing(_ sample: Sample) -> Bool {
    sample.short == nil && sample.middle == nil && sample.long == nil && sample.flag == nil
      && sample.real == nil && sample.single == nil && sample.date == nil && sample.price == nil
      && sample.text == nil && sample.link == nil && sample.uuid == nil && sample.bytes == nil
  }

  private static func clear(_ sample: Sample) {
    (sample.short, sample.middle, sample.long, sample.flag) = (nil, nil, nil, nil)
    (sample.real, sample.single, sample.date, sample.price) = (nil, nil, nil, nil)
    (sample.text, sample.link, sample.uuid, sample.bytes) = (nil, nil, nil, nil)
  }

  // SQLite stores NaN as NULL, so NaN must count as no value from the start.
  @Test(arguments: Stack.allTypes)
  func `NaN is no value`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Samples.model)
    let sample = Sample(context: stack.context)
    sample.real = .nan
    sample.single = .signalingNaN
    sample.price = .nan
    sample.date = Date(timeIntervalSinceReferenceDate: .nan)
    #expect(Self.hasNothing(sample))
    try stack.context.save()
    #expect(Self.hasNothing(try stack.reread(Sample.self)[0]))
  }

  @Test(arguments: Stack.allTypes)
  func `a text set repeatedly keeps the last value`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Samples.model)
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let sample = Sample(context: stack.context)
    var (text, link, bytes): (String?, URL?, Data?) = (nil, nil, nil)
    for step in 0..<500 {
      let length = Int.random(in: 0...40, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: text = nil
      case 1, 2: text = String(repeating: "ü", count: length)
      case 3: link = URL(string: "https://example.com/\(length)")
      case 4: link = nil
      case 5: bytes = Data(repeating: UInt8(length), count: length)
      case 6: bytes = nil
      default: try stack.context.save()
      }
      (sample.text, sample.link, sample.bytes) = (text, link, bytes)
      try #require(
        sample.text == text && sample.link == link && sample.bytes == bytes,
        "step \(step) of seed \(seed)")
    }
    try stack.context.save()
    let reread = try stack.reread(Sample.self)[0]
    #expect(reread.text == text && reread.link == link && reread.bytes == bytes, "seed \(seed)")
  }

  @Test(arguments: Stack.allTypes)
  func `two Unicode forms of one text stay distinct`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Samples.model)
    for text in ["\u{FC}", "u\u{308}"] { Sample(context: stack.context).text = text }
    try stack.context.save()
    let texts = try stack.reread(Sample.self).map { Array(($0.text ?? "").utf8) }
    #expect(texts == [Array("\u{FC}".utf8), Array("u\u{308}".utf8)])
  }

  @Test func `an integer that another program stored too large loses its upper bits`() throws {
    let stack = try Stack(model: Samples.model)
    Sample(context: stack.context).short = 1
    try stack.context.save()
    _ = try stack.sqlite("UPDATE ZSAMPLE SET ZSHORT = 65538")
    #expect(try stack.reread(Sample.self)[0].short == 2)
  }

  @Test func `damaged values read as a default of their type`() throws {
    let stack = try Stack(model: Samples.model)
    let sample = Sample(context: stack.context)
    sample.uuid = UUID()
    sample.text = "text"
    sample.link = URL(string: "https://example.com")
    try stack.context.save()
    _ = try stack.sqlite(
      "UPDATE ZSAMPLE SET ZUUID = x'0102', ZTEXT = CAST(x'61FF62' AS TEXT), ZLINK = ''")
    let damaged = try stack.reread(Sample.self)[0]
    #expect(damaged.uuid?.uuidString == "00000000-0000-0000-0000-000000000000")
    #expect(damaged.text == "a\u{FFFD}b")
    #expect(damaged.link?.absoluteString == "about:blank")
  }
}

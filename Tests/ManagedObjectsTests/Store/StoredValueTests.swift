import DataModel
import Foundation
import ManagedObjects
import Testing

/// Values of every type, as they are in the file and as they are read back.
@Suite struct StoredValueTests {
  /// An entity with an attribute of every type, named like it.
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "All",
      properties: [
        .value("boolean", .boolean), .value("integer16", .integer16),
        .value("integer32", .integer32), .value("integer64", .integer64),
        .value("double", .double), .value("float", .float), .value("date", .date),
        .value("decimal", .decimal), .value("string", .string), .value("uri", .uri),
        .value("uuid", .uuid), .value("binary", .binaryData),
      ])
  ])

  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// Saves a value, and returns the content of the column, as SQL would write it.
  private func stored<Value: SlotValue>(_ value: Value?, as name: StaticString) throws -> String {
    let context = try folder.open(Self.model).newBackgroundContext()
    let object = ManagedObject("All", in: context)
    object.setOptionalValue(value, at: PropertySlot(0, name))
    try context.save()
    return try SQLiteFile(folder.store).value(
      "SELECT quote(Z\(name)) || ' ' || typeof(Z\(name)) FROM ZALL")
  }

  /// Reads the value of the first object.
  private func read<Value: SlotValue>(_ name: StaticString) throws -> Value? {
    let context = try folder.open(Self.model).newBackgroundContext()
    let object = try context.fetch(FetchRequest<ManagedObject>(entityName: "All"))[0]
    return object.optionalValue(at: PropertySlot(0, name))
  }

  @Test(arguments: [(true, "1 integer"), (false, "0 integer")])
  func `a Boolean is 0 or 1`(value: Bool, sql: String) throws {
    #expect(try stored(value, as: "boolean") == sql)
    #expect(try read("boolean") == value)
  }

  @Test(arguments: [Int16.min, -1, 0, .max])
  func `a 16-bit integer is itself`(value: Int16) throws {
    #expect(try stored(value, as: "integer16") == "\(value) integer")
    #expect(try read("integer16") == value)
  }

  @Test(arguments: [Int32.min, .max])
  func `a 32-bit integer is itself`(value: Int32) throws {
    #expect(try stored(value, as: "integer32") == "\(value) integer")
    #expect(try read("integer32") == value)
  }

  @Test(arguments: [Int64.min, .max])
  func `a 64-bit integer is itself`(value: Int64) throws {
    #expect(try stored(value, as: "integer64") == "\(value) integer")
    #expect(try read("integer64") == value)
  }

  @Test(arguments: [(0.1, "0.1 real"), (3, "3.0 real"), (-1e300, "-1.0e+300 real")])
  func `a double is real`(value: Double, sql: String) throws {
    #expect(try stored(value, as: "double") == sql)
    #expect(try read("double") == value)
  }

  @Test func `a float is real and is read back the same`() throws {
    #expect(try stored(Float(0.1), as: "float").hasSuffix(" real"))
    #expect(try read("float") == Float(0.1))
  }

  @Test func `a date of whole seconds is an integer`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 800_000_000)
    #expect(try stored(date, as: "date") == "800000000 integer")
    #expect(try read("date") == date)
  }

  @Test func `a date between seconds is real, to the last bit`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 800_000_000.123_456_7)
    #expect(try stored(date, as: "date").hasSuffix(" real"))
    #expect(try read("date") == date)
  }

  @Test(arguments: [("12.34", "12.34 real"), ("-0.1", "-0.1 real"), ("5", "5 integer")])
  func `a decimal is a number, and is read back as it was set`(
    text: String, sql: String
  ) throws {
    let value = try #require(Decimal(string: text))
    #expect(try stored(value, as: "decimal") == sql)
    #expect(try read("decimal") == value)
  }

  @Test func `a decimal that is infinite in a damaged store is NaN`() throws {
    _ = try stored(Decimal(1), as: "decimal")
    try SQLiteFile(folder.store).execute("UPDATE ZALL SET ZDECIMAL = 9e999")
    #expect(try (read("decimal") as Decimal?)?.isNaN == true)
  }

  @Test(arguments: ["", "Fido", "Fido's", "é ö 🐕 e\u{301}", "two\nlines\tand a tab"])
  func `a string is its UTF-8, unchanged`(text: String) throws {
    let bytes = text.utf8.map { String(format: "%02X", $0) }.joined()
    _ = try stored(text, as: "string")
    let found = try SQLiteFile(folder.store)
      .value("SELECT typeof(ZSTRING) || ' ' || hex(ZSTRING) FROM ZALL")
    #expect(found == "text \(bytes)")
    let again: String? = try read("string")
    #expect(again.map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test func `a string may hold a NUL`() throws {
    _ = try stored("a\0b", as: "string")
    #expect(try read("string") == "a\0b")
  }

  @Test func `a URI is its text`() throws {
    let url = try #require(URL(string: "https://example.org/dogs?name=Fido"))
    #expect(try stored(url, as: "uri") == "'https://example.org/dogs?name=Fido' text")
    #expect(try read("uri") == url)
  }

  @Test func `a UUID is 16 bytes`() throws {
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    #expect(try stored(uuid, as: "uuid") == "X'00112233445566778899AABBCCDDEEFF' blob")
    #expect(try read("uuid") == uuid)
  }

  @Test(arguments: [Data(), Data([0]), Data([1, 2, 255])])
  func `bytes are themselves, and empty data is not nil`(data: Data) throws {
    let hexadecimal = data.map { String(format: "%02X", $0) }.joined()
    #expect(try stored(data, as: "binary") == "X'\(hexadecimal)' blob")
    #expect(try read("binary") == data)
  }

  @Test func `a megabyte of bytes is read back`() throws {
    let data = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    _ = try stored(data, as: "binary")
    #expect(try read("binary") == data)
  }

  @Test func `nil is NULL, in every column`() throws {
    #expect(try stored(nil as String?, as: "string") == "NULL null")
    #expect(try read("string") as String? == nil)
    #expect(
      try SQLiteFile(folder.store).rows("SELECT * FROM ZALL")[0].dropFirst(3)
        .allSatisfy { $0 == "NULL" })
  }

  @Test func `default values of every type are stored`() throws {
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let url = try #require(URL(string: "https://example.org/"))
    func attribute(
      _ name: String, _ type: AttributeDescription.AttributeType, _ value: AttributeValue
    ) -> PropertyDescription {
      .attribute(AttributeDescription(name: name, type: type, defaultValue: value))
    }
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "All",
        properties: [
          attribute("a", .boolean, .boolean(true)), attribute("b", .integer64, .integer(-7)),
          attribute("c", .double, .double(1.5)), attribute("d", .float, .integer(2)),
          attribute("e", .date, .date(Date(timeIntervalSinceReferenceDate: 60))),
          attribute("f", .decimal, .decimal(Decimal(3))), attribute("g", .string, .string("Fido")),
          attribute("h", .uri, .uri(url)), attribute("i", .uuid, .uuid(uuid)),
          attribute("j", .binaryData, .binary(Data([1, 2]))),
        ])
    ])
    let context = try folder.open(model).newBackgroundContext()
    _ = ManagedObject("All", in: context)
    try context.save()
    #expect(
      try SQLiteFile(folder.store).rows(
        "SELECT ZA, ZB, ZC, ZD, ZE, ZF, ZG, ZH, hex(ZI), hex(ZJ) FROM ZALL") == [
          [
            "1", "-7", "1.5", "2.0", "60", "3", "Fido", "https://example.org/",
            "00112233445566778899AABBCCDDEEFF", "0102",
          ]
        ])
  }

  @Test func `objects are found by values of every type`() throws {
    let uuid = UUID()
    let url = try #require(URL(string: "https://example.org/"))
    let context = try folder.open(Self.model).newBackgroundContext()
    let object = ManagedObject("All", in: context)
    let date = Date(timeIntervalSinceReferenceDate: 1.25)
    object.setOptionalValue(true, at: PropertySlot(0, "boolean"))
    object.setOptionalValue(7 as Int16, at: PropertySlot(0, "integer16"))
    object.setOptionalValue(0.5, at: PropertySlot(0, "double"))
    object.setOptionalValue(date, at: PropertySlot(0, "date"))
    object.setOptionalValue(Decimal(string: "12.34"), at: PropertySlot(0, "decimal"))
    object.setOptionalValue("Fido's", at: PropertySlot(0, "string"))
    object.setOptionalValue(url, at: PropertySlot(0, "uri"))
    object.setOptionalValue(uuid, at: PropertySlot(0, "uuid"))
    object.setOptionalValue(Data([0, 1]), at: PropertySlot(0, "binary"))
    _ = ManagedObject("All", in: context)
    try context.save()

    let values: [(String, AttributeValue)] = [
      ("boolean", .boolean(true)), ("integer16", .integer(7)), ("double", .double(0.5)),
      ("date", .date(date)), ("decimal", .decimal(Decimal(string: "12.34")!)),
      ("string", .string("Fido's")), ("uri", .uri(url)), ("uuid", .uuid(uuid)),
      ("binary", .binary(Data([0, 1]))),
    ]
    for (name, value) in values {
      var request = FetchRequest<ManagedObject>(entityName: "All")
      request.predicate = .comparison(name, .equal, value)
      #expect(try context.fetch(request) == [object], "\(name)")
    }
  }
}

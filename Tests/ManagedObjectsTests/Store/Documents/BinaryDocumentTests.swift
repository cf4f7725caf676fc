import DataFormats
import DataModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// The documents of binary stores, byte by byte.
@Suite struct BinaryDocumentTests {
  /// A store with a manager in a department.
  private func staff() throws -> DocumentFolder {
    let folder = try DocumentFolder(type: .binary)
    let context = try folder.open().newBackgroundContext()
    let manager = ManagedObject("Manager", in: context)
    manager.setValue("Ben", forKey: "name")
    manager.setValue(Int16(3), forKey: "level")
    manager.setValue(ManagedObject("Department", in: context), forKey: "department")
    try context.save()
    return folder
  }

  private func number(_ bytes: Data, _ offset: Int) -> Int {
    Int(bytes[offset..<offset + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }

  @Test func `a header locates the objects and the metadata`() throws {
    let bytes = try staff().bytes()
    #expect(bytes.prefix(8) == Data("CoreData".utf8))
    #expect(number(bytes, 8) == 0x1_0804_0800)
    #expect(number(bytes, 32) == 64 && number(bytes, 64 - 8) == 0)
    #expect(number(bytes, 16) == 64 + number(bytes, 40))
    #expect(number(bytes, 16) + number(bytes, 24) == bytes.count)
    #expect(number(bytes, 48) == 2)
  }

  /// Read by the reader of whole property lists, which the store itself does not use.
  @Test func `the objects are a keyed archive of nodes`() throws {
    let folder = try staff()
    let bytes = try folder.bytes()
    let list = try PropertyList(binary: bytes[64..<number(bytes, 16)])
    let archive = try #require(KeyedArchive(list))
    let map = try #require(archive.root)
    #expect(map.className == "NSMutableDictionary")
    let nodes = map.directMembers.compactMap { archive.object($0) }
    #expect(nodes.map(\.className) == ["NSDictionaryMapNode", "NSDictionaryMapNode"])
    let manager = try #require(nodes.first { $0.text("NSEntityName") == "Manager" })
    let department = try #require(nodes.first { $0.text("NSEntityName") == "Department" })
    let keys = try [manager, department].map { try #require($0.integer("NSPrimaryKey64")) }
    #expect(Set(keys) == [1, 2])
    // Those of Employee by name, hireDate, name and salary; then that of Manager.
    let values = manager.members("NSAttributeValues")
    #expect(values.count == 4)
    #expect(archive.object(values[0])?.className == "NSNull")
    #expect(values[1] == .string("Ben") && values[3] == .integer(3))
    let related = manager.dictionary("NSRelatedNodes")
    #expect(related.map(\.name) == ["department"])
    let members = archive.object(related[0].value)?.directMembers
    #expect(members == [.integer(keys[1])])
    #expect(department.dictionary("NSRelatedNodes").map(\.name) == ["employees"])
    let metadata = try KeyedArchiveReader.value(of: bytes[number(bytes, 16)...])
    let entries = try #require(metadata as? [AnyHashable: Any])
    #expect(entries["NSStoreType"] as? String == "Binary")
    #expect(
      entries["NSStoreUUID"] as? String == (try folder.open().persistentStore.identifier))
  }

  /// More objects of the archive than two bytes can number, while the store's objects and links are
  /// few.
  @Test func `many lists with one member each are read back`() throws {
    let names = (0..<20).map { 100 + $0 }
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "One", properties: names.map { .toMany("many\($0)", "Other", back: "back\($0)") }),
      EntityDescription(
        name: "Other", properties: names.map { .toMany("back\($0)", "One", back: "many\($0)") }),
    ])
    let folder = try DocumentFolder(model, type: .binary)
    let context = try folder.open().newBackgroundContext()
    for _ in 0..<500 {
      let (one, other) = (ManagedObject("One", in: context), ManagedObject("Other", in: context))
      for name in names { one.mutableSetValue(forKey: "many\(name)").add(other) }
    }
    try context.save()
    let reread = try folder.open().newBackgroundContext()
    for (entity, list) in [("One", "many"), ("Other", "back")] {
      let found = try reread.fetch(FetchRequest<ManagedObject>(entityName: entity))
      #expect(found.count == 500)
      #expect(
        found.allSatisfy { object in
          names.allSatisfy { object.mutableSetValue(forKey: "\(list)\($0)").count == 1 }
        })
    }
  }

  @Test func `values of every type are read back, and rewritten identically`() throws {
    let folder = try DocumentFolder(Samples.model, type: .binary)
    let context = try folder.open().newBackgroundContext()
    let sample = Sample(context: context)
    (sample.short, sample.middle, sample.long) = (.min, .max, .min)
    (sample.flag, sample.real, sample.single) = (true, 0.1, 0.1)
    sample.date = Date(timeIntervalSinceReferenceDate: -700_000_000.123)
    sample.price = Decimal(string: "-12.5")
    sample.text = "$null"
    sample.link = URL(string: "https://a.example/?a=1&b=2")
    sample.uuid = UUID(uuidString: "0E82928F-05F0-40AF-851B-1FA617A37DB3")
    sample.bytes = Data((0..<300).map { UInt8($0 & 0xFF) })
    sample.next = sample
    let other = Sample(context: context)
    (other.real, other.single, other.flag) = (.infinity, -.infinity, false)
    other.text = "Straßen\u{0}köter 🐕"
    try context.save()
    let before = try folder.bytes()
    let again = try folder.open().newBackgroundContext()
    let found = try again.fetch(Sample.fetchRequest()).sorted { $0.primaryKey < $1.primaryKey }
    let one = try #require(found.first { $0.flag == true })
    #expect((one.short, one.middle, one.long) == (.min, .max, .min))
    #expect((one.real, one.single, one.text) == (0.1, 0.1, "$null"))
    #expect(one.date == sample.date && one.price == sample.price && one.link == sample.link)
    #expect(one.uuid == sample.uuid && one.bytes == sample.bytes && one.next === one)
    let two = try #require(found.first { $0.flag == false })
    #expect((two.real, two.single, two.text) == (.infinity, -.infinity, "Straßen\u{0}köter 🐕"))
    one.text = "Rex"
    try again.save()
    one.text = "$null"
    try again.save()
    #expect(try folder.bytes() == before)
  }

  @Test func `ordered members are read back in order`() throws {
    let folder = try DocumentFolder(Boxes.model(), type: .binary)
    let context = try folder.open().newBackgroundContext()
    let box = Boxes.Box(named: "box", in: context)
    for name in ["a", "b", "c"] { box.things.append(Boxes.Thing(named: name, in: context)) }
    try context.save()
    box.things.move(fromOffset: 2, toOffset: 0)
    try context.save()
    let again = try folder.open().newBackgroundContext()
    #expect(
      try again.fetch(Boxes.Box.fetchRequest())[0].things.map(\.name) == box.things.map(\.name))
  }

  @Test func `metadata of every type are read back, except those that no archive can hold`() throws
  {
    let folder = try DocumentFolder(type: .binary)
    let container = try folder.open()
    let own: [String: PropertyList] = [
      "list": .array([.integer(1), .real(1), .boolean(true), .array([]), .dictionary([:])]),
      "data": .data(Data([1, 2, 3])), "big": .unsignedInteger(.max),
      "date": .date(Date(timeIntervalSinceReferenceDate: -0.125)), "text": .string("$null"),
    ]
    try PersistentStoreCoordinator.setMetadata(
      own, forPersistentStoreAt: folder.url, type: .binary)
    let found = try container.persistentStoreCoordinator.metadata(for: container.persistentStore)
    #expect(found.filter { own[$0.key] != nil } == own)
    #expect(found["NSStoreType"] == .string("Binary"))
    let before = try folder.bytes()
    let error = #expect(throws: PersistentStoreError.self) {
      try container.persistentStoreCoordinator.setMetadata(
        ["own": .uid(1)], for: container.persistentStore)
    }
    guard case .unwritableValue = error else { throw try #require(error) }
    #expect(try folder.bytes() == before)
  }

  // MARK: Damage

  @Test(arguments: [
    ("a note", " it is not a binary store: it does not begin with \"CoreData\""),
    (
      "CoreData" + String(repeating: "x", count: 60),
      " the binary store has an unknown format version"
    ),
  ])
  func `a file that is not a store is refused`(document: String, complaint: String) throws {
    let folder = try DocumentFolder(type: .binary, document: Data(document.utf8))
    #expect(try folder.complaint() == complaint)
  }

  @Test func `a truncated document is refused, and unchanged`() throws {
    let whole = try staff().bytes()
    for length in stride(from: 1, to: whole.count, by: 41) {
      let folder = try DocumentFolder(type: .binary, document: whole.prefix(length))
      let complaint = try folder.complaint()
      #expect(complaint != "none" && complaint != "the file was changed", "\(length)")
    }
  }

  @Test func `a document with changed bytes is read or refused, and unchanged`() throws {
    let whole = try staff().bytes()
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    var refusals = 0
    for _ in 0..<600 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let folder = try DocumentFolder(type: .binary, document: bytes)
      if try folder.complaint() != "none" { refusals += 1 }
      #expect(try folder.bytes() == bytes, "seed \(seed)")
    }
    #expect(refusals > 100, "seed \(seed)")
  }

  @Test func `the objects of another model are refused`() throws {
    let folder = try staff()
    let other = try DocumentFolder(
      ManagedObjectModel(
        entities: [
          EntityDescription(name: "Manager", properties: [.value("name", .string)]),
          EntityDescription(name: "Department", properties: [.value("name", .string)]),
        ]), type: .binary, document: folder.bytes())
    let error = #expect(throws: PersistentStoreError.self) { try other.open() }
    guard case .incompatibleModel = error else { throw try #require(error) }
    let complaint = try other.complaint()
    #expect(
      complaint.contains(" values, but the number of its entity's attributes is ")
        || complaint == " the entity Department has no relationship 'employees'", "\(complaint)")
  }
}

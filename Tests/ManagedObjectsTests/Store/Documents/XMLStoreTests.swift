import DataModel
import Foundation
import Testing

@testable import ManagedObjects

/// What XML stores do in Core Data, and here.
@Suite struct XMLStoreTests {
  private let folder: DocumentFolder

  init() throws { folder = try DocumentFolder() }

  @Test func `attributes are read back`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 246_810_121.25)
    let context = try folder.open().newBackgroundContext()
    let employee = ManagedObject("Employee", in: context)
    employee.setValue("Anna", forKey: "name")
    employee.setValue(Int32(4200), forKey: "salary")
    employee.setValue(date, forKey: "hireDate")
    try context.save()
    #expect(FileManager.default.fileExists(atPath: folder.url.path))
    let again = try folder.open().newBackgroundContext()
    let found = try #require(try again.all("Employee").first)
    #expect(found.text("name") == "Anna")
    #expect(found.value(forKey: "salary") as? Int32 == 4200)
    #expect(found.value(forKey: "hireDate") as? Date == date)
  }

  @Test func `an attribute that was never set is nil, an empty text is empty`() throws {
    let context = try folder.open().newBackgroundContext()
    ManagedObject("Employee", in: context).setValue("", forKey: "name")
    try context.save()
    let again = try folder.open().newBackgroundContext()
    let found = try #require(try again.all("Employee").first)
    #expect(found.text("name") == "")
    #expect(found.value(forKey: "salary") == nil && found.value(forKey: "hireDate") == nil)
    #expect(!(try folder.text()).contains("salary"))
  }

  @Test func `relationships lead to the same objects from both sides`() throws {
    let context = try folder.open().newBackgroundContext()
    let department = ManagedObject("Department", in: context)
    for name in ["Anna", "Ben"] {
      let employee = ManagedObject("Employee", in: context)
      employee.setValue(name, forKey: "name")
      employee.setValue(department, forKey: "department")
    }
    try context.save()
    let again = try folder.open().newBackgroundContext()
    let found = try #require(try again.all("Department").first)
    let employees = try again.all("Employee")
    #expect(employees.count == 2)
    #expect(employees.allSatisfy { $0.value(forKey: "department") as? ManagedObject === found })
    #expect(found.value(forKey: "employees") as? Set<ManagedObject> == Set(employees))
  }

  @Test func `changes and deletions of later runs are read back`() throws {
    do {
      let context = try folder.open().newBackgroundContext()
      ManagedObject("Employee", in: context).setValue("Anna", forKey: "name")
      try context.save()
    }
    do {
      let context = try folder.open().newBackgroundContext()
      try context.all("Employee")[0].setValue("Ben", forKey: "name")
      try context.save()
    }
    do {
      let context = try folder.open().newBackgroundContext()
      let employee = try context.all("Employee")[0]
      #expect(employee.text("name") == "Ben")
      context.delete(employee)
      try context.save()
    }
    #expect(try folder.open().newBackgroundContext().all("Employee").isEmpty)
  }

  @Test func `metadata are read without opening`() throws {
    let container = try folder.open()
    let metadata = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: folder.url, type: .xml)
    #expect(metadata["NSStoreType"] == .string("XML"))
    #expect(metadata["NSStoreUUID"] == .string(container.persistentStore.identifier))
    let hashes = Staff.model.entityVersionHashesByName
    #expect(
      metadata["NSStoreModelVersionHashes"]
        == .dictionary(hashes.mapValues { .data(Data($0.bytes)) }))
    try PersistentStoreCoordinator.setMetadata(
      ["own": .string("<&>\r")], forPersistentStoreAt: folder.url, type: .xml)
    let coordinator = try folder.open().persistentStoreCoordinator
    let changed = try coordinator.metadata(for: coordinator.persistentStores[0])
    #expect(changed == metadata.merging(["own": .string("<&>\r")]) { $1 })
  }

  @Test func `metadata with characters that XML cannot hold are refused`() throws {
    let container = try folder.open()
    let before = try folder.text()
    let coordinator = container.persistentStoreCoordinator
    let error = #expect(throws: PersistentStoreError.self) {
      try coordinator.setMetadata(
        ["own": .string("a\u{1}")], for: container.persistentStore)
    }
    guard case .unwritableValue = error else { throw try #require(error) }
    #expect(try folder.text() == before)
    #expect(try coordinator.metadata(for: container.persistentStore)["own"] == nil)
  }

  @Test func `objects of a subentity keep their entity and their values`() throws {
    let context = try folder.open().newBackgroundContext()
    ManagedObject("Employee", in: context).setValue("Anna", forKey: "name")
    let manager = ManagedObject("Manager", in: context)
    manager.setValue("Ben", forKey: "name")
    manager.setValue(Int16(3), forKey: "level")
    try context.save()
    let again = try folder.open().newBackgroundContext()
    #expect(try again.all("Employee").map { $0.text("name") } == ["Anna", "Ben"])
    let found = try again.all("Manager")
    #expect(found.map { $0.text("name") } == ["Ben"])
    #expect(found[0].value(forKey: "level") as? Int16 == 3)
  }

  @Test func `IDs are shared by all entities, and those of deleted objects are not reused`() throws
  {
    let context = try folder.open().newBackgroundContext()
    let employee = ManagedObject("Employee", in: context)
    try context.save()
    let department = ManagedObject("Department", in: context)
    try context.save()
    #expect([employee, department].map(\.objectID.primaryKey) == [102, 103])
    context.delete(department)
    try context.save()
    let again = try folder.open().newBackgroundContext()
    let manager = ManagedObject("Manager", in: again)
    try again.save()
    #expect(manager.objectID.primaryKey == 104)
    #expect(try folder.text().contains("<nextObjectID>104</nextObjectID>"))
  }

  @Test(arguments: [
    ("<nextObjectID>105</nextObjectID>", 106), ("<nextObjectID>102</nextObjectID>", 105), ("", 105),
  ])
  func `a new object's ID is above the highest one used, wherever that is`(
    said: String, id: Int64
  ) throws {
    let objects = [102, 103, 104].map { "<object type=\"EMPLOYEE\" id=\"z\($0)\"></object>" }
    let text = String(decoding: Staff.document(objects.joined()), as: UTF8.self)
      .replacing("<nextObjectID>105</nextObjectID>", with: said)
    try Data(text.utf8).write(to: folder.url)
    let context = try folder.openIgnoringVersions().newBackgroundContext()
    #expect(try context.all("Employee").count == 3)
    let new = ManagedObject("Employee", in: context)
    try context.save()
    #expect(new.objectID.primaryKey == id)
  }

  @Test func `permanent IDs that were obtained before the save are kept`() throws {
    let context = try folder.open().newBackgroundContext()
    let one = ManagedObject("Employee", in: context)
    try context.obtainPermanentIDs(for: [one])
    let other = try folder.open().newBackgroundContext()
    let two = ManagedObject("Employee", in: other)
    try other.save()
    try context.save()
    #expect([one, two].map(\.objectID.primaryKey) == [102, 103])
    #expect(try folder.open().newBackgroundContext().all("Employee").count == 2)
  }

  // MARK: Models

  @Test func `a store of another model is refused, unless versions are ignored`() throws {
    _ = try folder.open()
    let before = try folder.text()
    var entities = Staff.model.entities
    let index = try #require(entities.firstIndex { $0.name == "Manager" })
    entities[index].properties.append(.value("office", .string))
    let other = try DocumentFolder(
      ManagedObjectModel(entities: entities), document: Data(before.utf8))
    let error = #expect(throws: PersistentStoreError.self) { try other.open() }
    guard case .incompatibleModel(other.url, _, _) = error else { throw try #require(error) }
    #expect(try other.text() == before)
    let context = try other.openIgnoringVersions().newBackgroundContext()
    ManagedObject("Manager", in: context).setValue("roof", forKey: "office")
    try context.save()
    #expect(try other.text().contains(">roof</attribute>"))
  }

  @Test func `unknown properties are kept where versions are ignored`() throws {
    let objects = """
          <object type="EMPLOYEE" id="z102">
              <attribute name="name" type="string">Anna</attribute>
              <attribute name="nickname" type="string">\\u3c00An \\u2600 na</attribute>
              <relationship name="cat" type="0/1" destination="CAT" idrefs="z103"></relationship>
          </object>
          <object type="CAT" id="z103">
              <attribute name="name" type="string">Tom</attribute>
          </object>
      """
    let folder = try DocumentFolder(document: Staff.document(objects))
    let context = try folder.openIgnoringVersions().newBackgroundContext()
    let employee = try context.all("Employee")[0]
    employee.setValue("Anne", forKey: "name")
    let new = ManagedObject("Employee", in: context)
    try context.save()
    #expect(new.objectID.primaryKey == 106)
    let text = try folder.text()
    #expect(text.contains(">Anne</attribute>"))
    #expect(
      text.contains("<attribute name=\"nickname\" type=\"string\">\\u3c00An \\u2600 na</attribute>")
    )
    #expect(text.contains("destination=\"CAT\" idrefs=\"z103\"></relationship>"))
    #expect(text.contains("<object type=\"CAT\" id=\"z103\">\n        <attribute name=\"name\""))
    #expect(try folder.openIgnoringVersions().newBackgroundContext().all("Employee").count == 2)
  }

  @Test func `a model with derived attributes is refused`() throws {
    var name = AttributeDescription(name: "key", type: .string, isOptional: true)
    name.derivationExpression = "name"
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Dog", properties: [.value("name", .string), .attribute(name)])
    ])
    let folder = try DocumentFolder(model)
    let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
    guard case .unsupportedModel(let reason) = error else { throw try #require(error) }
    #expect(reason == "Dog.key is derived, which only SQLite stores can have.")
    #expect(try folder.folder.names().isEmpty)
  }

  @Test func `names that differ only in case are refused`() throws {
    let entities = [EntityDescription(name: "Dog"), EntityDescription(name: "DOG")]
    let properties = [
      EntityDescription(
        name: "Dog", properties: [.value("age", .integer16), .value("Age", .double)])
    ]
    for model in [entities, properties].map({ ManagedObjectModel(entities: $0) }) {
      let folder = try DocumentFolder(model)
      let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
      guard case .unsupportedModel(let reason) = error else { throw try #require(error) }
      #expect(reason.hasPrefix("An XML store cannot tell "))
    }
  }

  @Test func `elements that are not UTF-8 are refused`() {
    for bytes in [[0xED, 0x3C, 0x61], [0xF0, 0x26, 0x3E, 0x01], [0xEE, 0x5C, 0x5C]] as [[UInt8]] {
      var text: [UInt8] = []
      bytes.withUnsafeBytes { text.append(xmlStoreText: $0) }
      let special = "<>&".utf8
      #expect(!text.contains { special.contains($0) || $0 < 0x20 }, "\(bytes)")
    }
  }
}

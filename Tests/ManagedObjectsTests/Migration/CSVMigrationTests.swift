import CSVStores
import DataModel
import Foundation
import ManagedObjects
import Testing

/// The files of CSV stores of another version of their model.
struct CSVMigrationTests {
  /// Managers are chiefs, salaries are pay; departments are gone, and rooms are new.
  private static let newer = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Employee",
        properties: [
          .attribute(
            AttributeDescription(
              name: "pay", type: .integer32, isOptional: true, renamingIdentifier: "salary")),
          .value("name", .string), .value("hireDate", .date), .value("office", .string),
        ]),
      EntityDescription(
        name: "Chief", superentityName: "Employee", properties: [.value("level", .integer16)],
        renamingIdentifier: "Manager"),
      EntityDescription(name: "Room", properties: [.value("name", .string)]),
    ])

  private func open(
    _ folder: DocumentFolder, _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> PersistentContainer {
    try Staff.open(folder.url, .csv, migratingTo: Self.newer, change)
  }

  /// A store as a spreadsheet has left it, without the objects with the highest numbers.
  private func staff() throws -> DocumentFolder {
    let folder = try DocumentFolder.csvStaff()
    let context = try folder.context()
    for name in ["Cleo", "Dan"] {
      ManagedObject("Manager", in: context).setValue(name, forKey: "name")
    }
    try context.save()
    for object in try context.all("Employee") where ["Anna", "Dan"].contains(object.text("name")) {
      context.delete(object)
    }
    try context.save()
    try folder.write(
      "\u{FEFF}salary;name;Employee;department\r\n4000;Ben;2;1\r\n", to: "Employee.csv")
    return folder
  }

  @Test func `numbers, columns and separators are kept, and files of removed entities deleted`()
    throws
  {
    let folder = try staff()
    #expect(try folder.text("manifest.json").contains("\"Employee\": 4"))
    try folder.write("mine", to: "notes.csv")
    let context = try open(folder).newBackgroundContext()
    #expect(
      try folder.text("Employee.csv")
        == "\u{FEFF}pay;name;Employee;hireDate;office\r\n4000;Ben;2;;\r\n")
    #expect(
      try folder.text("Chief.csv") == "Chief,hireDate,level,name,pay,office\n3,,,Cleo,,\n")
    #expect(try folder.text("Room.csv") == "Room,name\n")
    #expect(
      try folder.names()
        == ["Chief.csv", "Employee.csv", "Room.csv", "manifest.json", "notes.csv"])
    // The numbers of deleted objects are not reused.
    ManagedObject("Chief", in: context).setValue("Eve", forKey: "name")
    try context.save()
    #expect(try folder.text("Chief.csv").hasSuffix("5,,,Eve,,\n"))
  }

  @Test func `a store without objects is migrated, too`() throws {
    let folder = try DocumentFolder(type: .csv)
    let identifier = try folder.open().persistentStore.identifier
    #expect(try open(folder).persistentStore.identifier == identifier)
    #expect(
      try folder.names() == ["Chief.csv", "Employee.csv", "Room.csv", "manifest.json"])
    #expect(try open(folder) { $0.sourceModels = [] }.persistentStore.identifier == identifier)
  }

  @Test func `an existing file that may not be replaced leaves the store unchanged`() throws {
    let folder = try staff()
    try folder.write("mine", to: "Room.csv")
    let before = try folder.contents()
    let backup = folder.folder.url.appending(path: "old")
    let error = #expect(throws: PersistentStoreError.self) {
      try open(folder) { $0.migrationBackupURL = backup }
    }
    guard case .failed(folder.path("Room.csv"), _) = error else { throw try #require(error) }
    #expect(try folder.contents() == before)
    #expect(try folder.folder.names() == ["Staff.csv"])
  }

  @Test func `a custom mapping gives the objects new numbers`() throws {
    let folder = try staff()
    var employees = EntityMapping(name: "Shouting", from: "Employee", to: "Employee")
    employees.attributeMappings = [
      PropertyMapping(
        name: "name", value: .expression(try .init(format: "uppercase($source.name)")))
    ]
    let mapping = MappingModel(entityMappings: [employees])
    let context = try open(folder) { $0.mappingModels = [mapping] }.newBackgroundContext()
    #expect(try context.all("Employee").map { $0.text("name") } == ["BEN"])
    #expect(try folder.text("Employee.csv").hasSuffix(";BEN;5;;\r\n"))
  }

  @Test func `objects added by stages get new numbers`() throws {
    let folder = try staff()
    let manager = StagedMigrationManager([
      .custom(
        from: Staff.model, to: Self.newer,
        didMigrate: { container in
          let context = container.newBackgroundContext()
          for entity in ["Room", "Chief", "Room"] {
            ManagedObject(entity, in: context).setValue("New", forKey: "name")
          }
          try context.save()
        })
    ])
    let context = try open(folder) { $0.stagedMigrationManager = manager }.newBackgroundContext()
    let numbers = try context.all("Employee").map {
      [$0.text("name") ?? "", "\($0.objectID.uriRepresentation().lastPathComponent)"]
    }
    #expect(numbers.sorted { $0[1] < $1[1] } == [["Ben", "p2"], ["Cleo", "p3"], ["New", "p5"]])
    #expect(try folder.text("Room.csv") == "Room,name\n1,New\n2,New\n")
  }

  @Test(arguments: [
    // What remains of two, and two that continue under each other's name or a new one.
    ([("b", "a")], "Employee,b\n1,from a\n"),
    ([("b", "a"), ("c", "b")], "Employee,b,c\n1,from a,from b\n"),
  ])
  func `a column follows its attribute to a name that another one had`(
    names: [(new: String, old: String)], text: String
  ) throws {
    func model(_ attributes: [(new: String, old: String)]) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Employee",
          properties: attributes.map { name in
            .attribute(
              AttributeDescription(
                name: name.new, type: .string, isOptional: true, renamingIdentifier: name.old))
          })
      ])
    }
    let old = model([("a", "a"), ("b", "b")])
    let folder = try DocumentFolder(old, type: .csv)
    do {
      let context = try folder.context()
      let employee = ManagedObject("Employee", in: context)
      employee.setValuesForKeys(["a": "from a", "b": "from b"])
      try context.save()
    }
    var options = PersistentStoreOptions.migrating
    options.sourceModels = [old]
    let context = try PersistentContainer(
      name: "Staff", model: model(names), storeURL: folder.url, type: .csv, options: options
    ).newBackgroundContext()
    #expect(try folder.text("Employee.csv") == text)
    for (new, old) in names {
      #expect(try context.all("Employee").map { $0.text(new) } == ["from \(old)"])
    }
  }

  // MARK: What killed migrations leave

  /// A store after a migration that was killed when its manifest was replaced, and `count` of the
  /// files that it changes or removes.
  private func killed(after count: Int) throws -> (DocumentFolder, after: [String: String]) {
    let folder = try staff()
    let before = try folder.texts()
    _ = try open(folder)
    let after = try folder.texts()
    let names = ["Chief.csv", "Employee.csv", "Room.csv"]
    for name in names.dropFirst(count) {
      if let text = before[name] {
        try folder.write(text, to: name)
      } else {
        try FileManager.default.removeItem(at: folder.path(name))
      }
      try folder.write(try #require(after[name]), to: ".\(name).new")
    }
    let removed = ["Department.csv", "Manager.csv"]
    for name in removed.dropFirst(max(0, count - names.count)) {
      try folder.write(try #require(before[name]), to: name)
    }
    func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
    let manifest = try #require(after["manifest.json"]).replacingOccurrences(
      of: "  \"metadata\"",
      with: "  \"pending\": [\(list(names))],\n  \"removed\": [\(list(removed))],\n  \"metadata\"")
    try folder.write(manifest, to: "manifest.json")
    return (folder, after)
  }

  @Test(arguments: 0...5)
  func `a migration killed after its manifest was replaced is read, and completed`(count: Int)
    throws
  {
    let (folder, after) = try killed(after: count)
    let before = try folder.texts()
    let context = try open(folder) { $0.isReadOnly = true }.newBackgroundContext()
    #expect(Set(try context.all("Employee").map { $0.text("name") }) == ["Ben", "Cleo"])
    #expect(try folder.texts() == before)
    _ = try open(folder)
    #expect(try folder.texts() == after)
  }

  @Test func `a store replaced by a copy loses the files that the copy does not have`() throws {
    let (old, new) = (try staff(), try staff())
    _ = try open(new)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: Staff.model)
    try coordinator.replacePersistentStore(
      at: old.url, withPersistentStoreFrom: new.url, type: .csv)
    #expect(try old.contents() == new.contents())
  }
}

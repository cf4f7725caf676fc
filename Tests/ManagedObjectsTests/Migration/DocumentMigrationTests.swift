import DataModel
import Foundation
import ManagedObjects
import Testing

/// Stores that are read as a whole, of another version of their model.
struct DocumentMigrationTests {
  /// Employees whose salary is called pay, and who may have an office.
  private static let newer: ManagedObjectModel = {
    var entities = Staff.model.entities
    let index = entities.firstIndex { $0.name == "Employee" }!
    let salary = entities[index].properties.firstIndex { $0.name == "salary" }!
    guard case .attribute(var pay) = entities[index].properties[salary] else {
      fatalError("The salary is an attribute.")
    }
    pay.name = "pay"
    pay.renamingIdentifier = "salary"
    entities[index].properties[salary] = .attribute(pay)
    entities[index].properties.append(.value("office", .string))
    return ManagedObjectModel(entities: entities)
  }()

  private func staff(_ type: PersistentStore.StoreType) throws -> DocumentFolder {
    let folder = try DocumentFolder(type: type)
    let context = try folder.open().newBackgroundContext()
    let department = ManagedObject("Department", in: context)
    department.setValue("Kennel", forKey: "name")
    for (name, entity) in [("Anna", "Employee"), ("Ben", "Manager")] {
      let employee = ManagedObject(entity, in: context)
      employee.setValue(name, forKey: "name")
      employee.setValue(Int32(name.utf8.count * 1000), forKey: "salary")
      employee.setValue(department, forKey: "department")
    }
    try context.save()
    return folder
  }

  /// Opens a document with the newer model.
  private static func open(
    _ url: URL, _ type: PersistentStore.StoreType,
    _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> PersistentContainer {
    try Staff.open(url, type, migratingTo: newer, change)
  }

  private func open(
    _ folder: DocumentFolder, _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> PersistentContainer {
    try Self.open(folder.url, folder.type, change)
  }

  @Test(arguments: Stack.documentTypes)
  func `an object added by a stage takes no other object's number`(type: PersistentStore.StoreType)
    throws
  {
    let folder = try staff(type)
    func numbers(_ context: ManagedObjectContext) throws -> [String] {
      try ["Employee", "Department"].flatMap { try context.all($0) }
        .map { "\($0.text("name") ?? "") \($0.objectID.uriRepresentation().lastPathComponent)" }
        .sorted()
    }
    let before = try numbers(folder.open().newBackgroundContext())
    // It comes before all others.
    let address = EntityDescription(name: "Address", properties: [.value("name", .string)])
    let model = ManagedObjectModel(entities: [address] + Staff.model.entities)
    let manager = StagedMigrationManager([
      .custom(
        from: Staff.model, to: model,
        didMigrate: { container in
          let context = container.newBackgroundContext()
          for name in ["Here", "There"] {
            ManagedObject("Address", in: context).setValue(name, forKey: "name")
          }
          try context.save()
        })
    ])
    let context = try Staff.open(folder.url, type, migratingTo: model) {
      $0.stagedMigrationManager = manager
    }.newBackgroundContext()
    #expect(try numbers(context) == before)
    #expect(try context.all("Address").map { $0.text("name") } == ["Here", "There"])
  }

  private func check(_ container: PersistentContainer) throws {
    let context = container.newBackgroundContext()
    let employees = try context.all("Employee").sorted { $0.text("name")! < $1.text("name")! }
    #expect(employees.map { $0.text("name") } == ["Anna", "Ben"])
    #expect(employees.map { $0.value(forKey: "pay") as? Int32 } == [4000, 3000])
    #expect(employees.map(\.entity.name) == ["Employee", "Manager"])
    #expect(employees.map { $0.value(forKey: "office") == nil } == [true, true])
    let departments = try context.all("Department")
    #expect(departments.map { $0.text("name") } == ["Kennel"])
    #expect((departments[0].value(forKey: "employees") as? Set<ManagedObject>)?.count == 2)
  }

  @Test(arguments: Stack.wholeTypes)
  func `a document is migrated when it is opened, and remains a store of its type`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try staff(type)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: folder.file.path)
    let before = try folder.contents()
    let backup = folder.folder.url.appending(path: "old")
    let container = try open(folder) { $0.migrationBackupURL = backup }
    try check(container)
    #expect(container.persistentStore.type == type)
    #expect(try folder.contents(at: backup) == before)
    #expect(try folder.folder.names() == [DocumentFolder.name(type), "old"])
    let info = try FileManager.default.attributesOfItem(atPath: folder.file.path)
    #expect(info[.posixPermissions] as? Int == 0o640)
    // What was migrated remains so.
    let after = try folder.contents()
    try check(open(folder) { $0.sourceModels = [] })
    #expect(try folder.contents() == after)
  }

  @Test(arguments: Stack.wholeTypes)
  func `it keeps its UUID, and the objects of its URIs`(_ type: PersistentStore.StoreType) throws {
    let folder = try staff(type)
    let container = try folder.open()
    let context = container.newBackgroundContext()
    // The number of a deleted object is not reused.
    let gone = ManagedObject("Manager", in: context)
    try context.save()
    let goneURI = gone.objectID.uriRepresentation()
    context.delete(gone)
    try context.save()
    let uris = try context.all("Employee").map { employee in
      (employee.text("name"), employee.objectID.uriRepresentation())
    }
    let new = try open(folder)
    #expect(new.persistentStore.identifier == container.persistentStore.identifier)
    let coordinator = new.persistentStoreCoordinator
    let later = new.newBackgroundContext()
    for (name, uri) in uris {
      let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
      #expect(try later.existingObject(with: id).text("name") == name)
    }
    let other = ManagedObject("Manager", in: later)
    try later.save()
    #expect(other.objectID.uriRepresentation() != goneURI)
  }

  @Test(arguments: Stack.wholeTypes)
  func `its program's metadata are kept`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try staff(type)
    let old = try folder.open()
    try old.persistentStoreCoordinator.setMetadata(
      ["Kept": .string("here")], for: old.persistentStore)
    let new = try open(folder)
    #expect(
      try new.persistentStoreCoordinator.metadata(for: new.persistentStore)["Kept"]
        == .string("here"))
  }

  @Test(arguments: Stack.wholeTypes)
  func `a document that may not or cannot be migrated stays unchanged`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try staff(type)
    let before = try folder.contents()
    let refused = #expect(throws: PersistentStoreError.self) {
      try open(folder) { $0.migratesAutomatically = false }
    }
    guard case .incompatibleModel(folder.url, _, _) = refused else { throw try #require(refused) }
    let readOnly = #expect(throws: PersistentStoreError.self) {
      try open(folder) { $0.isReadOnly = true }
    }
    guard case .incompatibleModel = readOnly else { throw try #require(readOnly) }
    #expect(throws: MigrationError.missingSourceModel(folder.url)) {
      try open(folder) { $0.sourceModels = [] }
    }
    #expect(throws: MigrationError.missingMappingModel(folder.url)) {
      try open(folder) { $0.infersMapping = false }
    }
    let taken = folder.folder.url.appending(path: "taken")
    try Data("mine".utf8).write(to: taken)
    #expect(throws: PersistentStoreError.self) {
      try open(folder) { $0.migrationBackupURL = taken }
    }
    #expect(try Data(contentsOf: taken) == Data("mine".utf8))
    #expect(try folder.contents() == before)
    #expect(try folder.folder.names() == [DocumentFolder.name(type), "taken"])
  }

  @Test func `a program killed during a migration leaves the old store or the new one`()
    async throws
  {
    for type in Stack.wholeTypes {
      let folder = try staff(type)
      let shared = SharedFolder.migratedDocuments(of: getpid())
      defer { try? FileManager.default.removeItem(at: shared) }
      let duration = try ContinuousClock().measure {
        let copy = folder.folder.url.appending(path: "copy")
        try FileManager.default.copyItem(at: folder.url, to: copy)
        try check(Self.open(copy, type))
      }
      for part in 0..<12 {
        // Spread over the whole migration, and a little beyond.
        let delay = Int(duration / .microseconds(1)) * part / 10
        try? FileManager.default.removeItem(at: shared)
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
        let url = shared.appending(path: "\(delay).\(DocumentFolder.name(type))")
        try FileManager.default.copyItem(at: folder.url, to: url)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          let shared = SharedFolder.migratedDocuments(of: getppid())
          let names = try FileManager.default.contentsOfDirectory(atPath: shared.path)
          let name = try #require(names.first)
          let type = try #require(
            Stack.wholeTypes.first { name.hasSuffix(DocumentFolder.name($0)) })
          let delay = try #require(Int(name.prefix { $0 != "." }))
          Thread {
            usleep(useconds_t(delay))
            kill(getpid(), SIGKILL)
          }.start()
          _ = try DocumentMigrationTests.open(shared.appending(path: name), type)
          kill(getpid(), SIGKILL)
        }
        try check(Self.open(url, type))
        // One that was killed just after the replacement may leave its folder, empty.
        let folder = ".\(url.lastPathComponent).migrating"
        let names = try FileManager.default.contentsOfDirectory(atPath: shared.path)
        #expect(Set(names).subtracting([folder]) == [url.lastPathComponent])
        if names.contains(folder) {
          let rest = shared.appending(path: folder).path
          #expect(try FileManager.default.contentsOfDirectory(atPath: rest) == [])
        }
      }
    }
  }

  @Test(arguments: Stack.wholeTypes)
  func `eight programs that open it at once find it migrated`(
    _ type: PersistentStore.StoreType
  ) async throws {
    let folder = try staff(type)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { try self.check(self.open(folder)) }
      }
      try await group.waitForAll()
    }
    #expect(try folder.folder.names() == [DocumentFolder.name(type)])
  }
}

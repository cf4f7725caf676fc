import CoreDataListings
import CoreDataNames
import Foundation
import TestSupport
import Testing

/// Stores that others write too, and stores of other versions.
@Suite struct `Stores` {
  @Test func `others' saves are reported, fetched and merged`() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("Kennel.sqlite")
    let (app, widget) = (
      HistoryTracker(author: "app", url: url), HistoryTracker(author: "widget", url: url)
    )
    let changes = RemoteChangeNotes(app.coordinator)

    try app.addDog(named: "Fido")
    await changes.wait(for: 1)
    try widget.addDog(named: "Rex")
    await changes.wait(for: 2)
    #expect(changes.allHaveTokens)

    #expect(try app.merge() == 1)
    #expect(try app.merge() == 0)
    #expect(try widget.fetchTransactions().map(\.author) == ["app"])
    #expect(try app.count(of: .insert) == 2)
    #expect(try app.count(of: .delete) == 0)
    #expect(try app.forget(before: Date().addingTimeInterval(60)))
    #expect(try app.count(of: .insert) == 0)
  }

  @Test func `a batch is reported, fetched and merged`() async throws {
    let folder = try TemporaryFolder()
    let app = HistoryTracker(
      author: "app", url: folder.url.appendingPathComponent("Kennel.sqlite"))
    let changes = RemoteChangeNotes(app.coordinator)

    let importer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    importer.persistentStoreCoordinator = app.coordinator
    importer.transactionAuthor = "importer"
    let insert = NSBatchInsertRequest(entityName: "Dog", objects: [["name": "Fido"]])
    try importer.performAndWait { _ = try importer.execute(insert) }

    await changes.wait(for: 1)
    #expect(changes.allHaveTokens)
    #expect(try app.merge() == 1)
  }

  @Test func `a folder is created for the file of a store, and for nothing else`() {
    let container = NSPersistentContainer(name: "Kennel", managedObjectModel: .kennel)
    let (inMemory, elsewhere) = (
      NSPersistentStoreDescription(url: URL(fileURLWithPath: "/proc/nowhere/Kennel.sqlite")),
      NSPersistentStoreDescription(url: URL(string: "kennel://host/dogs")!)
    )
    inMemory.type = NSInMemoryStoreType
    elsewhere.type = "Nowhere"
    container.persistentStoreDescriptions = [inMemory, elsewhere]
    var errors: [(any Error)?] = []
    container.loadPersistentStores { errors.append($1) }
    #expect(errors.count == 2 && errors[0] == nil)
    #expect((errors[1] as NSError?)?.code == NSPersistentStoreInvalidTypeError)
  }

  @Test(arguments: [nil, "CoreDataListings.CapitalNamesPolicy"])
  func `a store is migrated by hand`(policy: String?) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("Kennel.sqlite")
    try Self.makeKennel(at: url)

    let migrator = StoreMigrator(from: Self.old, to: Self.new)
    #expect(migrator.requiresMigration(at: url))
    try migrator.migrateStore(at: url, policy: policy)
    #expect(!migrator.requiresMigration(at: url))
    let migrated = ManualStack(model: Self.new, storeURL: url)
    let dogs = try migrated.mainContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Dog"))
    #expect(dogs.map { $0.value(forKey: "name") as? String } == [policy == nil ? "Fido" : "FIDO"])
  }

  @Test func `a mapping model among the resources is preferred to an inferred one`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("Kennel.sqlite")
    try Self.makeKennel(at: url)
    try folder.write(Data(Self.mappingModel.utf8), to: "Resources/Kennel.xcmappingmodel")

    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.new)
    try coordinator.add(
      NSPersistentStoreDescription(url: url),
      mappingModelsIn: [folder.url.appendingPathComponent("Resources")])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let names = try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Dog")).map {
        $0.value(forKey: "name") as? String
      }
    }
    #expect(names == ["FIDO"])
  }

  @Test func `a store is added asynchronously where its description says so`() async throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.old)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    description.shouldAddStoreAsynchronously = true
    // The completion has to wait for the call to return.
    let returned = DispatchSemaphore(value: 0)
    let error = await withCheckedContinuation { continuation in
      coordinator.addPersistentStore(with: description) { _, error in
        returned.wait()
        continuation.resume(returning: error)
      }
      returned.signal()
    }
    #expect(error == nil)
    #expect(coordinator.persistentStores.count == 1)
  }

  // MARK: A store of an older version

  private static let old = model([])
  private static let new = model([
    .attribute(NSAttributeDescription(name: "age", type: .integer16, isOptional: true))
  ])

  private static func model(_ properties: [NSPropertyDescription]) -> NSManagedObjectModel {
    let name = NSPropertyDescription.attribute(NSAttributeDescription(name: "name", type: .string))
    return NSManagedObjectModel(entities: [
      NSEntityDescription(name: "Dog", properties: [name] + properties)
    ])
  }

  private static func makeKennel(at url: URL) throws {
    let stack = ManualStack(model: old, storeURL: url)
    NSEntityDescription.insertNewObject(forEntityName: "Dog", into: stack.mainContext)
      .setValue("Fido", forKey: "name")
    try stack.mainContext.save()
    try stack.persistentStoreCoordinator.remove(
      stack.persistentStoreCoordinator.persistentStores[0])
  }

  /// Xcode's source of a mapping from dogs to dogs, with a policy.
  private static let mappingModel = """
    <?xml version="1.0" standalone="yes"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
    <databaseInfo><version>134481920</version><UUID>498313E6</UUID></databaseInfo>
    <object type="XDDEVATTRIBUTEMAPPING" id="z102">
    <attribute name="name" type="string">name</attribute>
    <attribute name="sourcekeypath" type="string">$source.name</attribute>
    </object>
    <object type="XDDEVENTITYMAPPING" id="z103">
    <attribute name="sourcename" type="string">Dog</attribute>
    <attribute name="destinationname" type="string">Dog</attribute>
    <attribute name="mappingnumber" type="string">1</attribute>
    <attribute name="migrationpolicyclassname" type="string">\(policy)</attribute>
    <relationship name="attributemappings" type="0/0" destination="XDDEVATTRIBUTEMAPPING" \
    idrefs="z102"></relationship>
    </object>
    <object type="XDDEVMAPPINGMODEL" id="z104">
    <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" \
    idrefs="z103"/>
    </object>
    </database>
    """
  private static let policy = "CoreDataListings.CapitalNamesPolicy"
}

/// Records the notifications of one coordinator.
private final class RemoteChangeNotes: @unchecked Sendable {
  // Unchecked: the notifications are recorded and read under the lock.
  private let lock = NSLock()
  private var notes: [Notification] = []
  private var token: (any NSObjectProtocol)?

  init(_ coordinator: NSPersistentStoreCoordinator) {
    token = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { [unowned self] notification in lock.withLock { notes.append(notification) } }
  }

  deinit { token.map { NotificationCenter.default.removeObserver($0) } }

  var allHaveTokens: Bool {
    lock.withLock {
      notes.allSatisfy { $0.userInfo?[NSPersistentHistoryTokenKey] is NSPersistentHistoryToken }
    }
  }

  func wait(for count: Int) async {
    while lock.withLock({ notes.count }) < count { await Task.yield() }
  }
}

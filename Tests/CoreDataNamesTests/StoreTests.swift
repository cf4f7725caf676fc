import CoreDataListings
import CoreDataNames
import Foundation
import TestSupport
import Testing

/// Stores that others write too, and stores of other versions.
@Suite struct `Stores` {
  @Test func `what others save is told, fetched and merged`() async throws {
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

  @Test(arguments: [nil, "CoreDataListings.CapitalNamesPolicy"])
  func `a store is migrated by hand`(policy: String?) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("Kennel.sqlite")
    func model(_ properties: [NSPropertyDescription]) -> NSManagedObjectModel {
      let name = NSPropertyDescription.attribute(
        NSAttributeDescription(name: "name", type: .string))
      return NSManagedObjectModel(entities: [
        NSEntityDescription(name: "Dog", properties: [name] + properties)
      ])
    }
    let old = model([])
    let new = model([
      .attribute(NSAttributeDescription(name: "age", type: .integer16, isOptional: true))
    ])
    let stack = ManualStack(model: old, storeURL: url)
    NSEntityDescription.insertNewObject(forEntityName: "Dog", into: stack.mainContext)
      .setValue("Fido", forKey: "name")
    try stack.mainContext.save()
    try stack.persistentStoreCoordinator.remove(
      stack.persistentStoreCoordinator.persistentStores[0])

    let migrator = StoreMigrator(from: old, to: new)
    #expect(migrator.requiresMigration(at: url))
    try migrator.migrateStore(at: url, policy: policy)
    #expect(!migrator.requiresMigration(at: url))
    let migrated = ManualStack(model: new, storeURL: url)
    let dogs = try migrated.mainContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Dog"))
    #expect(dogs.map { $0.value(forKey: "name") as? String } == [policy == nil ? "Fido" : "FIDO"])
  }
}

/// Notes the notifications of one coordinator.
private final class RemoteChangeNotes: @unchecked Sendable {
  // Unchecked: the notes are taken and read under the lock.
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

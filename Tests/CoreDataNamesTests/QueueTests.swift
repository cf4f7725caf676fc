import CoreDataListings
import CoreDataNames
import Foundation
import TestSupport
import Testing

/// Contexts on queues, and the notifications they send each other.
@Suite struct `Queues` {
  private let container: NSPersistentContainer

  init() {
    container = NSPersistentContainer(name: "Kennel", managedObjectModel: .kennel)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    container.loadPersistentStores { _, error in #expect(error == nil) }
  }

  @Test func `work can be waited for, awaited, or report its end`() async throws {
    let importer = Importer(container)
    try importer.importDogs(["Fido", "Rex"])
    #expect(try await importer.count() == 2)

    let added = await withCheckedContinuation { continuation in
      importer.importLater(["Bello"]) { continuation.resume(returning: try? $0.get()) }
    }
    #expect(added == 1)
    let counted: Int = try await withCheckedThrowingContinuation { continuation in
      do { try importer.countLater { continuation.resume(returning: $0) } } catch {
        continuation.resume(throwing: error)
      }
    }
    #expect(counted == 3)
    #expect(importer.merged == 3)
  }

  @Test func `a nested performAndWait does not wait for itself`() throws {
    let context = container.newBackgroundContext()
    let count = try context.performAndWait {
      Dog(context: context).name = "Fido"
      return try context.performAndWait {
        try context.save()
        return try context.count(for: Dog.fetchRequest() as NSFetchRequest<Dog>)
      }
    }
    #expect(count == 1)
    #expect(throws: CocoaError.self) {
      try context.performAndWait { throw CocoaError(.featureUnsupported) }
    }
  }

  @Test func `a child works on its parent's queue`() throws {
    let parent = container.newBackgroundContext()
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    nonisolated(unsafe) var order: [Int] = []
    try parent.performAndWait {
      child.perform { order.append(2) }
      try child.performAndWait {
        Dog(context: child).name = "Fido"
        try child.save()
      }
      order.append(1)
      #expect(parent.insertedObjects.count == 1)
    }
    child.performAndWait { order.append(3) }
    #expect(order == [1, 2, 3])
    #expect(child.concurrencyType == .privateQueueConcurrencyType)
  }

  @Test func `a notification of a save merges into another context`() throws {
    let (one, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    let dog = Dog(context: one)
    dog.name = "Fido"
    try one.save()
    let twin = try #require(try other.existingObject(with: dog.objectID) as? Dog)
    #expect(twin.name == "Fido")
    nonisolated(unsafe) let receiver = other
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: one, queue: nil
    ) { receiver.mergeChanges(fromContextDidSave: $0) }
    defer { NotificationCenter.default.removeObserver(token) }

    dog.name = "Rex"
    try one.save()

    #expect(twin.name == "Rex")
  }

  @Test func `a store that cannot be opened is reported to the closure`() throws {
    let folder = try TemporaryFolder()
    let url = try folder.write(Data("no store".utf8), to: "Kennel.sqlite")
    let broken = NSPersistentContainer(name: "Kennel", managedObjectModel: .kennel)
    broken.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    var told: [(any Error)?] = []

    broken.loadPersistentStores { told.append($1) }

    #expect(told.count == 1)
    #expect(told.first.map { $0 is PersistentStoreError } == true)
  }

  @Test func `a container without a model traps, and so does an invalid predicate`() async {
    await #expect(processExitsWith: .failure) { _ = NSPersistentContainer(name: "Nowhere") }
    await #expect(processExitsWith: .failure) {
      _ = NSPredicate(format: "this is no predicate ==")
    }
    await #expect(processExitsWith: .failure) {
      _ = NSPredicate(block: { _, _ in true }).fetchPredicate
    }
  }

  @MainActor @Test func `immediate work runs at once on the queue`() async throws {
    let context = container.viewContext
    nonisolated(unsafe) var order: [String] = []
    // In an asynchronous function the awaited variant would be chosen.
    func ask() { context.perform { order.append("asked for before") } }
    ask()
    await context.perform(schedule: .immediate) { order.append("immediate") }
    await context.perform(schedule: .enqueued) { order.append("enqueued") }
    #expect(order == ["immediate", "asked for before", "enqueued"])
  }

  @MainActor @Test func `contexts of the main queue run work where their caller is`() {
    let contexts = (0..<3).map { _ in NSManagedObjectContext(.mainQueue) }
    var order: [Int] = []
    for (number, context) in contexts.enumerated() {
      context.performAndWait { order.append(number) }
    }
    #expect(order == [0, 1, 2])
  }
}

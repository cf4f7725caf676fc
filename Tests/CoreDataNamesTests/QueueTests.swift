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
      _ = NSPredicate(format: "this is not a predicate ==")
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

  @MainActor @Test func `work on two queues may come back to the first`() {
    let background = container.newBackgroundContext()
    let other = container.newBackgroundContext()
    var order: [Int] = []
    background.performAndWait {
      container.viewContext.performAndWait { order.append(1) }
      other.performAndWait {
        background.performAndWait { order.append(2) }
      }
      container.viewContext.performAndWait { order.append(3) }
    }
    #expect(order == [1, 2, 3])
  }

  @Test func `a parent of a main-queue context works on the main queue`() async {
    let writer = container.newBackgroundContext()
    let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    main.parent = writer
    let sibling = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    sibling.parent = writer
    for context in [writer, main, sibling] {
      #expect(await context.perform(schedule: .enqueued) { isOnMainQueue })
    }
  }

  @Test func `a child of the library's works on its parent's queue`() {
    let parent = container.newBackgroundContext()
    let child = ManagedObjectContext(parent: parent)
    nonisolated(unsafe) var order: [Int] = []
    parent.performAndWait {
      child.perform { order.append(2) }
      order.append(1)
    }
    child.performAndWait { order.append(3) }
    #expect(order == [1, 2, 3])
  }

  @Test func `an event ends with the block that is performed`() async {
    let context = container.newBackgroundContext()
    nonisolated(unsafe) var posted = 0
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { _ in posted += 1 }
    defer { NotificationCenter.default.removeObserver(token) }
    func addLater() { context.perform { Dog(context: context).name = "Fido" } }

    addLater()
    context.performAndWait {}
    #expect(posted == 1)
    await context.perform { Dog(context: context).name = "Rex" }
    #expect(posted == 2)
  }

  @Test func `a list of the main queue follows what a background context saves`() async throws {
    let (view, background) = (container.viewContext, container.newBackgroundContext())
    let list = try await view.perform {
      view.automaticallyMergesChangesFromParent = true
      let request: NSFetchRequest<Dog> = Dog.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let list = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: view, sectionNameKeyPath: nil, cacheName: nil)
      try list.performFetch()
      return list
    }
    try await background.perform {
      Dog(context: background).name = "Fido"
      try background.save()
    }
    // The merge was enqueued by the save.
    #expect(await view.perform(schedule: .enqueued) { list.fetchedObjects?.count } == 1)
  }

  /// As an app may write it: the context gets its coordinator or parent last.
  @Test(arguments: [true, false])
  func `a context merges by itself, whatever was set first`(isChild: Bool) throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let writer = container.newBackgroundContext()
    context.performAndWait {
      context.automaticallyMergesChangesFromParent = true
      if isChild {
        context.parent = writer
      } else {
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
      }
    }
    let dog = try writer.performAndWait {
      let dog = Dog(context: writer)
      dog.name = "Fido"
      try writer.save()
      return dog.objectID
    }
    let own = context.performAndWait { context.object(with: dog) as? Dog }
    #expect(context.performAndWait { own?.name } == "Fido")
    try writer.performAndWait {
      (writer.object(with: dog) as? Dog)?.name = "Rex"
      try writer.save()
    }
    #expect(context.performAndWait { own?.name } == "Rex")
  }

  @Test func `remote changes are merged on each context's queue, by IDs or URIs`() async throws {
    let (view, background) = (container.viewContext, container.newBackgroundContext())
    let id = try await view.perform {
      let dog = Dog(context: view)
      dog.name = "Fido"
      view.retainsRegisteredObjects = true
      try view.save()
      return dog.objectID
    }
    nonisolated(unsafe) var wereOnMainQueue: [Bool] = []
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: view, queue: nil
    ) { _ in wereOnMainQueue.append(isOnMainQueue) }
    defer { NotificationCenter.default.removeObserver(token) }
    let collections: [Any] = [
      [id], Set([id]), [id.uriRepresentation()], NSSet(object: id), NSArray(object: id),
    ]
    for (number, ids) in collections.enumerated() {
      try await background.perform {
        (background.object(with: id) as? Dog)?.name = "\(number)"
        try background.save()
        NSManagedObjectContext.mergeChanges(
          fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [view])
      }
      #expect(await view.perform { (view.object(with: id) as? Dog)?.name } == "\(number)")
    }
    #expect(wereOnMainQueue == Array(repeating: true, count: collections.count))
  }

  @Test func `objects may be released on any thread while their context works`() throws {
    final class Dogs: @unchecked Sendable {
      // Unchecked: one thread after the other has them.
      var all: [Dog] = []
    }
    for number in 0..<64 {
      let dog = Dog(context: container.viewContext)
      dog.name = "\(number)"
      Owner(context: container.viewContext).addToDogs(dog)
    }
    try container.viewContext.save()
    let context = container.newBackgroundContext()
    let group = DispatchGroup()
    for _ in 0..<500 {
      let dogs = Dogs()
      dogs.all = try context.performAndWait {
        let all = try context.fetch(Dog.fetchRequest() as NSFetchRequest<Dog>)
        #expect(all.count == 64 && all[0].owners?.count == 1)
        return all
      }
      DispatchQueue.global().async(group: group) { dogs.all = [] }
    }
    group.wait()
    #expect(context.performAndWait { context.registeredObjects.isEmpty })
  }

  @Test func `children come and go on any thread while their parent saves`() throws {
    let parent = container.newBackgroundContext()
    nonisolated(unsafe) let shared = parent
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<1000 {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = shared
      }
      shared.performAndWait {
        Dog(context: shared).name = "Fido"
        #expect(throws: Never.self) { try shared.save() }
      }
    }
    let request: NSFetchRequest<Dog> = Dog.fetchRequest()
    #expect(try parent.performAndWait { try parent.count(for: request) } == 4)
  }
}

/// Whether the caller runs on the main queue, on whichever thread.
private var isOnMainQueue: Bool {
  DispatchQueue.main.setSpecific(key: mainQueueMark, value: true)
  return DispatchQueue.getSpecific(key: mainQueueMark) != nil
}

private let mainQueueMark = DispatchSpecificKey<Bool>()

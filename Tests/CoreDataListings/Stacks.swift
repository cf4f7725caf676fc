import CoreDataNames
import Foundation

/// The stack as it was built before there were containers.
package class ManualStack {
  let model: NSManagedObjectModel
  let storeURL: URL?

  package init(model: NSManagedObjectModel, storeURL: URL?) {
    self.model = model
    self.storeURL = storeURL
  }

  package lazy var persistentStoreCoordinator: NSPersistentStoreCoordinator = {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
    ]
    do {
      try coordinator.addPersistentStore(
        ofType: storeURL == nil ? NSInMemoryStoreType : NSSQLiteStoreType, configurationName: nil,
        at: storeURL, options: options)
    } catch {
      fatalError("\(error)")
    }
    return coordinator
  }()

  package lazy var mainContext: NSManagedObjectContext = {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }()

  package func makeChild() -> NSManagedObjectContext {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = mainContext
    return child
  }
}

/// Work on other contexts.
package class Importer {
  let container: NSPersistentContainer
  package var merged = 0
  package var token: NSObjectProtocol?

  package init(_ container: NSPersistentContainer) {
    self.container = container
    token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { [weak self] notification in
      guard let self,
        let sender = notification.object as? NSManagedObjectContext,
        sender !== container.viewContext,
        sender.persistentStoreCoordinator === container.persistentStoreCoordinator
      else { return }
      self.merged +=
        (notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0
      NotificationCenter.default.post(name: .imported, object: nil)
    }
  }

  package func importDogs(_ names: [String]) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for name in names {
        let dog = NSEntityDescription.insertNewObject(forEntityName: "Dog", into: context) as! Dog
        dog.name = name
      }
      try context.save()
    }
  }

  package func importLater(_ names: [String], completion: @escaping (Result<Int, Error>) -> Void) {
    container.performBackgroundTask { context in
      for name in names {
        let dog = Dog(context: context)
        dog.name = name
        dog.weight = 12.5
        dog.fee = NSDecimalNumber(string: "10.50")
      }
      do {
        try context.save()
        completion(.success(names.count))
      } catch {
        completion(.failure(error))
      }
    }
  }

  package func count() async throws -> Int {
    let context = container.newBackgroundContext()
    return try await context.perform {
      try context.count(for: Dog.fetchRequest() as NSFetchRequest<Dog>)
    }
  }

  package func countLater(_ completion: @escaping (Int) -> Void) throws {
    let request: NSFetchRequest<Dog> = Dog.fetchRequest()
    let asynchronous = NSAsynchronousFetchRequest<Dog>(fetchRequest: request) { result in
      completion(result.finalResult?.count ?? -1)
    }
    let context = container.newBackgroundContext()
    try context.execute(asynchronous)
  }
}

extension Notification.Name {
  static let imported = Notification.Name("imported")
}

/// The stack of apps that read their model themselves.
package class ReadModelStack {
  package static func model(at modelURL: URL) -> NSManagedObjectModel {
    guard let model = NSManagedObjectModel(contentsOf: modelURL) else {
      fatalError("Error initializing mom from: \(modelURL)")
    }
    return model
  }

  package let container: NSPersistentContainer

  package init(modelURL: URL) {
    container = NSPersistentContainer(
      name: "Kennel", managedObjectModel: ReadModelStack.model(at: modelURL))
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
    container.loadPersistentStores { _, error in
      if let error = error as NSError? { fatalError("Unresolved error \(error)") }
    }
  }

  package func addDog(named name: String, minutes: Int32) throws {
    let dog = Dog(context: container.viewContext)
    dog.name = name
    let walk = Walk(context: container.viewContext)
    walk.minutes = minutes
    dog.addToWalks(walk)
    try container.viewContext.save()
  }
}

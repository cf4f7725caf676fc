import CoreDataNames

/// The Core Data stack in the app delegate of Xcode's template.
final class EventStack {
  private let storeURL: URL

  init(storeURL: URL) { self.storeURL = storeURL }

  lazy var persistentContainer: NSPersistentContainer = {
    let container = NSPersistentContainer(name: "Events")
    container.persistentStoreDescriptions.first!.url = storeURL
    container.loadPersistentStores { storeDescription, error in
      if let error = error as NSError? {
        fatalError("Unresolved error \(error), \(error.userInfo)")
      }
    }
    return container
  }()

  func saveContext() {
    let context = persistentContainer.viewContext
    guard context.hasChanges else { return }
    do {
      try context.save()
    } catch {
      let nserror = error as NSError
      fatalError("Unresolved error \(nserror), \(nserror.userInfo)")
    }
  }
}

import CoreDataNames

package class AppDelegate {
  let url: URL?

  package init(url: URL?) { self.url = url }

  // MARK: - Core Data stack

  package lazy var persistentContainer: NSPersistentContainer = {
    let container = NSPersistentContainer(name: "Kennel")
    if let url = url {
      container.persistentStoreDescriptions.first!.url = url
    } else {
      container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
    }
    container.loadPersistentStores(completionHandler: { (storeDescription, error) in
      if let error = error as NSError? {
        fatalError("Unresolved error \(error), \(error.userInfo)")
      }
    })
    container.viewContext.automaticallyMergesChangesFromParent = true
    container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    return container
  }()

  // MARK: - Core Data Saving support

  package func saveContext() {
    let context = persistentContainer.viewContext
    if context.hasChanges {
      do {
        try context.save()
      } catch {
        let nserror = error as NSError
        fatalError("Unresolved error \(nserror), \(nserror.userInfo)")
      }
    }
  }
}

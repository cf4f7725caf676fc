import CoreDataNames
import Foundation

/// A list with sections that follows its objects.
package class DogListController: NSObject {
  package var steps: [String] = []
  let context: NSManagedObjectContext

  package init(_ context: NSManagedObjectContext) { self.context = context }

  package lazy var fetchedResultsController: NSFetchedResultsController<Dog> = {
    let fetchRequest: NSFetchRequest<Dog> = Dog.fetchRequest()
    let ageSort = NSSortDescriptor(key: "age", ascending: true)
    let nameSort = NSSortDescriptor(key: "name", ascending: true)
    fetchRequest.sortDescriptors = [ageSort, nameSort]
    let fetchedResultsController = NSFetchedResultsController(
      fetchRequest: fetchRequest, managedObjectContext: context, sectionNameKeyPath: "age",
      cacheName: nil)
    fetchedResultsController.delegate = self
    return fetchedResultsController
  }()

  package func load() {
    do {
      try fetchedResultsController.performFetch()
    } catch let error as NSError {
      print("Fetching error: \(error), \(error.userInfo)")
    }
  }

  package func numberOfSections() -> Int { fetchedResultsController.sections?.count ?? 0 }

  package func numberOfRows(inSection section: Int) -> Int {
    guard let sectionInfo = fetchedResultsController.sections?[section] else { return 0 }
    return sectionInfo.numberOfObjects
  }

  package func title(forRowAt indexPath: IndexPath) -> String? {
    let dog = fetchedResultsController.object(at: indexPath)
    return dog.name
  }

  package func select(_ indexPath: IndexPath) throws {
    let dog = fetchedResultsController.object(at: indexPath)
    dog.age += 1
    try context.save()
  }
}

// MARK: - NSFetchedResultsControllerDelegate

extension DogListController: NSFetchedResultsControllerDelegate {
  package func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    steps.append("begin")
  }

  package func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let name = (anObject as! Dog).name ?? ""
    switch type {
    case .insert: steps.append("insert \(name) \(newIndexPath!)")
    case .delete: steps.append("delete \(name) \(indexPath!)")
    case .update: steps.append("update \(name) \(indexPath!)")
    case .move: steps.append("move \(name) \(indexPath!) \(newIndexPath!)")
    @unknown default: print("Unexpected NSFetchedResultsChangeType")
    }
  }

  package func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>
  ) {
    steps.append("end")
  }

  package func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    switch type {
    case .insert: steps.append("insert section \(sectionInfo.name) \(sectionIndex)")
    case .delete: steps.append("delete section \(sectionInfo.name) \(sectionIndex)")
    default: break
    }
  }
}

import CoreDataNames

/// The master view controller of Xcode's template: a table of events, the newest first.
///
/// A fetched results controller keeps it up to date.
final class EventList {
  private let stack: EventStack
  /// The rows of the table, updated with the controller's changes rather than reloaded.
  private(set) var rows: [String] = []
  private var changes: [() -> Void] = []

  init(_ stack: EventStack) { self.stack = stack }

  lazy var fetchedResultsController: NSFetchedResultsController<Event> = {
    let fetchRequest: NSFetchRequest<Event> = Event.fetchRequest()
    fetchRequest.fetchBatchSize = 20
    fetchRequest.sortDescriptors = [NSSortDescriptor(key: "timestamp", ascending: false)]
    let controller = NSFetchedResultsController(
      fetchRequest: fetchRequest, managedObjectContext: stack.persistentContainer.viewContext,
      sectionNameKeyPath: nil, cacheName: nil)
    controller.delegate = self
    do {
      try controller.performFetch()
    } catch {
      let nserror = error as NSError
      fatalError("Unresolved error \(nserror), \(nserror.userInfo)")
    }
    return controller
  }()

  func load() {
    rows = (fetchedResultsController.fetchedObjects ?? []).map(title)
  }

  func insertNewObject(_ timestamp: Date) {
    let newEvent = Event(context: fetchedResultsController.managedObjectContext)
    newEvent.timestamp = timestamp
    stack.saveContext()
  }

  func delete(at indexPath: IndexPath) {
    let context = fetchedResultsController.managedObjectContext
    context.delete(fetchedResultsController.object(at: indexPath))
    stack.saveContext()
  }

  func touch(at indexPath: IndexPath, _ timestamp: Date) {
    fetchedResultsController.object(at: indexPath).timestamp = timestamp
    stack.saveContext()
  }

  private func title(_ event: Event) -> String {
    event.timestamp.map { $0.formatted(.iso8601) } ?? "no time"
  }
}

extension EventList: NSFetchedResultsControllerDelegate {
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    changes = []
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let event = anObject as? Event else { return }
    // In the order of a table view: deletions by their old indices, then insertions by their new
    // ones.
    switch type {
    case .insert:
      print("  a row comes in at \(newIndexPath!.row)")
      changes.append { self.rows.insert(self.title(event), at: newIndexPath!.row) }
    case .delete:
      print("  the row at \(indexPath!.row) goes")
      changes.insert({ self.rows.remove(at: indexPath!.row) }, at: 0)
    case .update:
      print("  the row at \(indexPath!.row) is shown anew")
      changes.append { self.rows[newIndexPath!.row] = self.title(event) }
    case .move:
      print("  the row at \(indexPath!.row) moves to \(newIndexPath!.row)")
      changes.insert({ self.rows.remove(at: indexPath!.row) }, at: 0)
      changes.append { self.rows.insert(self.title(event), at: newIndexPath!.row) }
    @unknown default: break
    }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    for change in changes { change() }
  }
}

import Foundation
import ManagedObjects

/// The list behind fetched results controllers of any result type, with reports in Core Data's
/// form.
///
/// The library reports steps to apply one by one; here they become index paths in the old list and
/// in the new one.
final class FetchedResultsList {
  private(set) var controller: FetchedResultsController<ManagedObject>
  private(set) var isFetched = false
  weak var delegate: (any NSFetchedResultsControllerDelegate)?
  /// Creates the controller that is passed to a delegate.
  var makeController:
    ((FetchedResultsList) -> NSFetchedResultsController<any NSFetchRequestResult>)?

  private var event = Event()

  /// The library's reports of one event.
  private struct Event {
    var oldSections: [FetchedResultsSection<ManagedObject>] = []
    /// The names of deleted and of inserted sections; one that is moved is in both.
    var deletedSections: Set<String> = []
    var insertedSections: Set<String> = []
    /// The objects with changes, without duplicates.
    var objects: [ManagedObject] = []
    var changed: Set<ObjectIdentifier> = []
    var moved: Set<ObjectIdentifier> = []
  }

  init(
    _ request: FetchRequest<ManagedObject>, _ context: ManagedObjectContext,
    sectionNameKeyPath: String?, cacheName: String?
  ) {
    controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: context,
      sectionNameKeyPath: sectionNameKeyPath, cacheName: cacheName)
    controller.delegate = self
  }

  func performFetch(_ request: FetchRequest<ManagedObject>) throws {
    controller.fetchRequest = request
    try controller.performFetch()
    isFetched = true
  }

  private typealias IndexPaths = [ObjectIdentifier: IndexPath]

  private static func indexPaths(in sections: [FetchedResultsSection<ManagedObject>]) -> IndexPaths
  {
    var indexPaths: IndexPaths = [:]
    for (section, content) in sections.enumerated() {
      for (item, object) in content.objects.enumerated() {
        indexPaths[ObjectIdentifier(object)] = IndexPath(item: item, section: section)
      }
    }
    return indexPaths
  }
}

extension FetchedResultsList: FetchedResultsControllerDelegate {
  func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
    event = Event(oldSections: controller.sections)
    guard let made = makeController?(self) else { return }
    delegate?.controllerWillChangeContent(made)
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChangeSectionNamed name: String,
    atSectionIndex index: Int, for type: FetchedResultsChangeType
  ) {
    if type == .insert {
      event.insertedSections.insert(name)
    } else {
      event.deletedSections.insert(name)
    }
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChange object: ManagedObject,
    at indexPath: FetchedResultsIndexPath?, for type: FetchedResultsChangeType,
    newIndexPath: FetchedResultsIndexPath?
  ) {
    if event.changed.insert(ObjectIdentifier(object)).inserted { event.objects.append(object) }
    if type == .move { event.moved.insert(ObjectIdentifier(object)) }
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
    let event = event
    self.event = Event()
    guard let delegate, let made = makeController?(self) else { return }
    notifySections(of: event, made, delegate)
    notifyObjects(of: event, made, delegate)
    delegate.controllerDidChangeContent(made)
  }

  private func notifySections(
    of event: Event, _ made: NSFetchedResultsController<any NSFetchRequestResult>,
    _ delegate: any NSFetchedResultsControllerDelegate
  ) {
    for (index, section) in event.oldSections.enumerated()
    where event.deletedSections.contains(section.name) {
      delegate.controller(
        made, didChange: SectionInfo(section: section), atSectionIndex: index, for: .delete)
    }
    for (index, section) in controller.sections.enumerated()
    where event.insertedSections.contains(section.name) {
      delegate.controller(
        made, didChange: SectionInfo(section: section), atSectionIndex: index, for: .insert)
    }
  }

  private func notifyObjects(
    of event: Event, _ made: NSFetchedResultsController<any NSFetchRequestResult>,
    _ delegate: any NSFetchedResultsControllerDelegate
  ) {
    let newSections = controller.sections
    let (old, new) = (Self.indexPaths(in: event.oldSections), Self.indexPaths(in: newSections))
    for object in event.objects {
      let id = ObjectIdentifier(object)
      let (from, to) = (old[id], new[id])
      if let from, let to {
        let name = event.oldSections[from.section].name
        if name == newSections[to.section].name, event.deletedSections.contains(name) {
          // It is deleted and inserted with its section, which has moved.
          delegate.controller(
            made, didChange: object, at: from, for: .delete, newIndexPath: nil)
          delegate.controller(made, didChange: object, at: nil, for: .insert, newIndexPath: to)
          continue
        }
      }
      let type: NSFetchedResultsChangeType =
        from == nil
        ? .insert : to == nil ? .delete : event.moved.contains(id) ? .move : .update
      delegate.controller(made, didChange: object, at: from, for: type, newIndexPath: to)
    }
  }
}

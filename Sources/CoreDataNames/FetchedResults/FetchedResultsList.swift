import Foundation
import ManagedObjects

/// The list behind controllers of whichever result, and what it tells in Core Data's way.
///
/// The library tells steps to apply one by one; here they become index paths in the old list and in
/// the new one.
final class FetchedResultsList {
  private(set) var controller: FetchedResultsController<ManagedObject>
  private(set) var isFetched = false
  weak var delegate: (any NSFetchedResultsControllerDelegate)?
  /// Makes what a delegate is handed.
  var makeController:
    ((FetchedResultsList) -> NSFetchedResultsController<any NSFetchRequestResult>)?

  private var event = Event()

  /// What the library tells of one event.
  private struct Event {
    var oldSections: [FetchedResultsSection<ManagedObject>] = []
    /// Names of sections that go, and of those that come; one that stands elsewhere does both.
    var deletedSections: Set<String> = []
    var insertedSections: Set<String> = []
    /// The objects that something happens to, each once.
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
    tellSections(of: event, made, delegate)
    tellObjects(of: event, made, delegate)
    delegate.controllerDidChangeContent(made)
  }

  private func tellSections(
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

  private func tellObjects(
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
          // It goes and comes with its section, which stands elsewhere.
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

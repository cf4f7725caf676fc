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

  private var oldSections: [FetchedResultsSection<ManagedObject>] = []
  private var changed: [ManagedObject] = []
  private var moved: Set<ObjectIdentifier> = []

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
    oldSections = controller.sections
    changed.removeAll()
    moved.removeAll()
    guard let made = makeController?(self) else { return }
    delegate?.controllerWillChangeContent(made)
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChange object: ManagedObject,
    at indexPath: FetchedResultsIndexPath?, for type: FetchedResultsChangeType,
    newIndexPath: FetchedResultsIndexPath?
  ) {
    if !changed.contains(where: { $0 === object }) { changed.append(object) }
    if type == .move { moved.insert(ObjectIdentifier(object)) }
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
    guard let delegate, let made = makeController?(self) else { return }
    tellSections(made, delegate)
    let (old, new) = (Self.indexPaths(in: oldSections), Self.indexPaths(in: controller.sections))
    for object in changed {
      let id = ObjectIdentifier(object)
      let (from, to) = (old[id], new[id])
      let type: NSFetchedResultsChangeType =
        from == nil ? .insert : to == nil ? .delete : moved.contains(id) ? .move : .update
      delegate.controller(made, didChange: object, at: from, for: type, newIndexPath: to)
    }
    oldSections = []
    delegate.controllerDidChangeContent(made)
  }

  private func tellSections(
    _ made: NSFetchedResultsController<any NSFetchRequestResult>,
    _ delegate: any NSFetchedResultsControllerDelegate
  ) {
    let (old, new) = (oldSections.map(\.name), controller.sections.map(\.name))
    for (index, section) in oldSections.enumerated() where !new.contains(section.name) {
      delegate.controller(
        made, didChange: SectionInfo(section: section), atSectionIndex: index, for: .delete)
    }
    for (index, section) in controller.sections.enumerated() where !old.contains(section.name) {
      delegate.controller(
        made, didChange: SectionInfo(section: section), atSectionIndex: index, for: .insert)
    }
  }
}

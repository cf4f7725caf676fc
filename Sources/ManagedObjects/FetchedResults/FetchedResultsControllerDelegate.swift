/// An object that is notified of the changes of a controller's results, step by step.
///
///     final class Screen: FetchedResultsControllerDelegate {
///       func controllerDidChangeContent(_ controller: FetchedResultsController<Walk>) {
///         print(controller.fetchedObjects.count, "walks")
///       }
///     }
///     let screen = Screen()
///     controller.delegate = screen
///
/// The steps are those that `onChange` receives as one report: the indexes of each refer to the
/// list after the steps before it. All methods are optional. Follows Core Data's
/// `NSFetchedResultsControllerDelegate`.
public protocol FetchedResultsControllerDelegate<Result>: AnyObject {
  /// The class of the controller's objects.
  associatedtype Result: ManagedObject

  /// Called before the steps; the controller still has the old list.
  func controllerWillChangeContent(_ controller: FetchedResultsController<Result>)

  /// Called when a section was inserted or deleted at an index.
  func controller(
    _ controller: FetchedResultsController<Result>, didChangeSectionNamed name: String,
    atSectionIndex index: Int, for type: FetchedResultsChangeType)

  /// Called when an object was inserted, deleted, moved or updated.
  ///
  /// An inserted object has only a `newIndexPath`, a deleted or updated one only an `indexPath`, a
  /// moved one both.
  func controller(
    _ controller: FetchedResultsController<Result>, didChange object: Result,
    at indexPath: FetchedResultsIndexPath?, for type: FetchedResultsChangeType,
    newIndexPath: FetchedResultsIndexPath?)

  /// Called after all steps; the controller has had the new list since the first.
  func controllerDidChangeContent(_ controller: FetchedResultsController<Result>)
}

extension FetchedResultsControllerDelegate {
  /// Does nothing.
  public func controllerWillChangeContent(_ controller: FetchedResultsController<Result>) {}
  /// Does nothing.
  public func controller(
    _ controller: FetchedResultsController<Result>, didChangeSectionNamed name: String,
    atSectionIndex index: Int, for type: FetchedResultsChangeType
  ) {}
  /// Does nothing.
  public func controller(
    _ controller: FetchedResultsController<Result>, didChange object: Result,
    at indexPath: FetchedResultsIndexPath?, for type: FetchedResultsChangeType,
    newIndexPath: FetchedResultsIndexPath?
  ) {}
  /// Does nothing.
  public func controllerDidChangeContent(_ controller: FetchedResultsController<Result>) {}
}

extension FetchedResultsControllerDelegate {
  /// Calls the method for one step.
  ///
  /// - Parameter object: returns the object with an ID, old or new.
  func tell(
    _ change: FetchedResultsChange, of controller: FetchedResultsController<Result>,
    object: (ManagedObjectID) -> Result?
  ) {
    func tell(
      _ id: ManagedObjectID, _ type: FetchedResultsChangeType, from: FetchedResultsIndexPath?,
      to: FetchedResultsIndexPath?
    ) {
      guard let object = object(id) else { return }
      self.controller(controller, didChange: object, at: from, for: type, newIndexPath: to)
    }
    switch change {
    case .insertSection(let name, let index):
      self.controller(
        controller, didChangeSectionNamed: name, atSectionIndex: index, for: .insert)
    case .deleteSection(let name, let index):
      self.controller(
        controller, didChangeSectionNamed: name, atSectionIndex: index, for: .delete)
    case .insert(let id, let index): tell(id, .insert, from: nil, to: index)
    case .delete(let id, let index): tell(id, .delete, from: index, to: nil)
    case .move(let id, let from, let to): tell(id, .move, from: from, to: to)
    case .update(let id, let index): tell(id, .update, from: index, to: nil)
    case .obtainPermanentID: break
    }
  }
}

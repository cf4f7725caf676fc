/// Hears of the changes of a controller's results, step by step.
///
///     final class Screen: FetchedResultsControllerDelegate {
///       func controllerDidChangeContent(_ controller: FetchedResultsController<Walk>) {
///         print(controller.fetchedObjects.count, "walks")
///       }
///     }
///     let screen = Screen()
///     controller.delegate = screen
///
/// The steps are those that `onChange` gets as one report: each says where things are after the
/// steps before it. All methods can be left out. Follows Core Data's
/// `NSFetchedResultsControllerDelegate`.
public protocol FetchedResultsControllerDelegate<Result>: AnyObject {
  /// What the controller fetches.
  associatedtype Result: ManagedObject

  /// Steps are about to come; the controller still has the old list.
  func controllerWillChangeContent(_ controller: FetchedResultsController<Result>)

  /// A section comes in at an index, or goes from it.
  func controller(
    _ controller: FetchedResultsController<Result>, didChangeSectionNamed name: String,
    atSectionIndex index: Int, for type: FetchedResultsChangeType)

  /// An object comes in at `newIndexPath`, goes from `indexPath`, moves between the two, or has
  /// other values at `indexPath`.
  func controller(
    _ controller: FetchedResultsController<Result>, didChange object: Result,
    at indexPath: FetchedResultsIndexPath?, for type: FetchedResultsChangeType,
    newIndexPath: FetchedResultsIndexPath?)

  /// All steps have come; the controller has had the new list since the first.
  func controllerDidChangeContent(_ controller: FetchedResultsController<Result>)
}

/// What a step does; follows Core Data's `NSFetchedResultsChangeType`.
public enum FetchedResultsChangeType: Sendable, Hashable {
  /// It comes in.
  case insert
  /// It goes.
  case delete
  /// It changes its place, and maybe its values.
  case move
  /// It has other values at its index.
  case update
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
  /// Tells of one step.
  ///
  /// - Parameter object: gives the object with an ID, old or new.
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

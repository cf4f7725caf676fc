/// A section of fetched results: objects that share a name.
///
/// Holds its objects. Follows Core Data's `NSFetchedResultsSectionInfo`.
public struct FetchedResultsSection<Result: ManagedObject> {
  /// What the objects share; empty where there is nothing.
  public let name: String
  /// The objects, in the request's order.
  public internal(set) var objects: [Result]

  /// How many objects there are.
  public var numberOfObjects: Int { objects.count }

  /// What stands for the section in an index: the first letter of its name, as a capital.
  ///
  /// nil for a section without a name.
  public var indexTitle: String? { name.first.map { $0.uppercased() } }
}

@available(*, unavailable) extension FetchedResultsSection: Sendable {}

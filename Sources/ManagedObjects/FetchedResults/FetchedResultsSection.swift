/// A section of fetched results: objects that share a name.
///
/// Retains its objects. Follows Core Data's `NSFetchedResultsSectionInfo`.
public struct FetchedResultsSection<Result: ManagedObject> {
  /// The value that the objects share; empty for a missing value.
  public let name: String
  /// The objects, in the request's order.
  public internal(set) var objects: [Result]

  /// The number of objects.
  public var numberOfObjects: Int { objects.count }

  /// The section's title in an index: the first letter of its name, capitalised.
  ///
  /// nil for a section without a name.
  public var indexTitle: String? { name.first.map { $0.uppercased() } }
}

@available(*, unavailable) extension FetchedResultsSection: Sendable {}

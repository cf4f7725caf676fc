/// A section of a list of fetched results.
public protocol NSFetchedResultsSectionInfo {
  /// The value that its objects have in common.
  var name: String { get }
  /// Its title in an index: the first letter.
  var indexTitle: String? { get }
  /// The number of its objects.
  var numberOfObjects: Int { get }
  /// Its objects, in their order.
  var objects: [Any]? { get }
}

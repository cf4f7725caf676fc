/// A section of a list of fetched results.
public protocol NSFetchedResultsSectionInfo {
  /// What its objects have in common.
  var name: String { get }
  /// The letter that stands for it beside a long list.
  var indexTitle: String? { get }
  /// How many objects it has.
  var numberOfObjects: Int { get }
  /// Its objects, in their order.
  var objects: [Any]? { get }
}

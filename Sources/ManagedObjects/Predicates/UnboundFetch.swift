/// A fetch before its names were bound to slots, for stores that evaluate it themselves.
struct UnboundFetch {
  var predicate: FetchPredicate?
  var sortDescriptors: [FetchSortDescriptor]
  /// The parts of a request for dictionaries; nil for any other.
  var dictionaries: Dictionaries?

  struct Dictionaries {
    let propertiesToFetch: [ExpressionDescription]
    let propertiesToGroupBy: [String]
    let havingPredicate: FetchPredicate?
    let returnsDistinctResults: Bool
    let limit: Int
    let offset: Int
  }
}

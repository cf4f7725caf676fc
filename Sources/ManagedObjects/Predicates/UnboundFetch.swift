/// What a fetch asked for before its names became slots, for stores that are handed it.
struct UnboundFetch {
  var predicate: FetchPredicate?
  var sortDescriptors: [FetchSortDescriptor]
  /// What dictionaries are wanted, where they are.
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

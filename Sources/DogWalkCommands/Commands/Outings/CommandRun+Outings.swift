import DogWalkModel

extension CommandRun {
  /// Returns the walks of other dogs on the same outing.
  func companions(of walk: Walk) throws -> [Walk] {
    guard let start = walk.start else { return [] }
    var query = WalkQuery()
    (query.earliest, query.latest) = (start, start)
    let outings = try OutingGatherer.outings(of: log().walks(query))
    return outings.first { $0.walks.contains(walk) }?.walks.filter { $0 !== walk } ?? []
  }
}

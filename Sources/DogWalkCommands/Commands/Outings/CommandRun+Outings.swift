import DogWalkModel

extension CommandRun {
  /// The walks of other dogs that were out together with this one's.
  func companions(of walk: Walk) throws -> [Walk] {
    guard let start = walk.start else { return [] }
    var query = WalkQuery()
    (query.earliest, query.latest) = (start, start)
    let outings = try OutingGatherer.outings(of: log().walks(query))
    return outings.first { $0.walks.contains(walk) }?.walks.filter { $0 !== walk } ?? []
  }
}

import ManagedObjects

/// Words that walks have in common.
extension WalkLog {
  /// Gives walks tags and takes tags from them; a tag that is not there is made with the next save.
  package func setTags(
    of walks: [Walk], adding names: [String], removing others: [String]
  ) throws {
    var known = WalkNames(in: context)
    let added = try known.tags(named: names)
    let removed = Set(others.map { NameKey.of($0) })
    for walk in walks {
      let tags = walk.tags.filter { !removed.contains($0.nameKey) }.union(added)
      if tags != walk.tags { walk.tags = tags }
    }
  }

  /// The names of all tags, in order.
  package func tagNames() throws -> [String] { try Tag.all(in: context).map(\.name) }

  /// Every tag that walks have, by name, and how many have it.
  package func tagCounts() throws -> [(tag: Tag, walks: Int)] {
    try Tag.all(in: context).map { ($0, try context.count(for: walksRequest(with: $0))) }
      .filter { $0.1 > 0 }
  }

  /// Gives the walks that have a tag one of another name instead, and returns that.
  ///
  /// A tag is its name: who gives a walk the new one meanwhile means that, so an undo may not turn
  /// it into the old one. One of the new name that no walk has any more is not in the way. In
  /// another spelling it is the same tag.
  package func rename(_ tag: Tag, to name: String) throws -> Tag {
    try performWriting {
      let key = NameKey.of(name)
      guard key != NameKey.of(tag.name) else {
        tag.name = name
        tag.nameKey = key
        try save()
        return tag
      }
      let other = try Tag.findOrCreate(named: name, in: context)
      other.name = name
      _ = try merge([tag], into: other)
      return other
    }
  }

  /// Gives all walks that have some tags another one instead, and deletes those tags, all or none.
  ///
  /// - Returns: how many walks there were.
  package func merge(_ tags: [Tag], into tag: Tag) throws -> Int {
    try performWriting {
      var walks: Set<Walk> = []
      for other in tags {
        var request = try walksRequest(with: other)
        request.relationshipKeyPathsForPrefetching = ["tags"]
        walks.formUnion(try context.fetch(request))
      }
      for walk in walks { walk.tags = walk.tags.subtracting(tags).union([tag]) }
      for other in tags { context.delete(other) }
      try save()
      return walks.count
    }
  }

  private func walksRequest(with tag: Tag) throws -> FetchRequest<Walk> {
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(format: "ANY tags == %@", tag)
    return request
  }
}

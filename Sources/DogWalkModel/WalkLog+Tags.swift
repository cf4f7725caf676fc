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
  package func tagCounts() throws -> [(name: String, walks: Int)] {
    try Tag.all(in: context).map { tag in
      var request = Walk.fetchRequest()
      request.predicate = try FetchPredicate(format: "ANY tags == %@", tag)
      return (tag.name, try context.count(for: request))
    }.filter { $0.1 > 0 }
  }
}

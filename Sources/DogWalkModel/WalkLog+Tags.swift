import ManagedObjects

/// Managing the tags of walks.
extension WalkLog {
  /// Adds tags to walks and removes tags from them; missing tags are inserted with the next save.
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

  /// Returns the names of all tags, sorted.
  package func tagNames() throws -> [String] { try Tag.all(in: context).map(\.name) }

  /// Returns every tag that walks have, sorted by name, with the number of its walks.
  package func tagCounts() throws -> [(tag: Tag, walks: Int)] {
    try Tag.all(in: context).map { ($0, try context.count(for: walksRequest(with: $0))) }
      .filter { $0.1 > 0 }
  }

  /// Replaces a tag by one with another name in all walks, and returns the new tag.
  ///
  /// A tag is identified by its name: if another process gives a walk the new tag in the meantime,
  /// it means that name, so an undo must not turn it into the old one. A tag with the new name that
  /// no walk has is no obstacle. A name that differs only in spelling renames the tag itself.
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

  /// Replaces some tags by another one in all walks and deletes them, in one transaction.
  ///
  /// - Returns: the number of walks.
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

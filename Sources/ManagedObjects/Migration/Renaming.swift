/// Entities of two models, or properties of two entities, paired by names and renaming identifiers.
struct Renaming {
  /// Something with a name, and the name that an earlier version has it under.
  struct Item {
    let name: String
    let identifier: String?

    /// The renaming identifier, which is the name by default.
    var origin: String { identifier ?? name }
  }

  /// The source's name of everything that was there, by the destination's name.
  private(set) var sources: [String: String] = [:]
  private let source: [Item]
  private let entity: String?

  /// Pairs what two sides have.
  ///
  /// What neither was nor is renamed comes first, then what says that it was renamed, and last what
  /// has an equal name.
  ///
  /// - Parameter entity: the entity whose properties these are; nil of entities.
  init(from source: [Item], to destination: [Item], of entity: String?) throws(MigrationError) {
    self.source = source
    self.entity = entity
    try refuseCycles(in: destination)
    for item in destination {
      if source.contains(where: { $0.name == item.name && $0.origin == item.origin }) {
        sources[item.name] = item.name
      }
    }
    let unchanged = Set(sources.keys)
    for item in destination where sources[item.name] == nil {
      sources[item.name] = original(of: item, besides: unchanged)
    }
    try refuseDoubles(in: destination)
  }

  /// What something was in the source; nil where it is new.
  private func original(of item: Item, besides unchanged: Set<String>) -> String? {
    let candidates =
      source.filter { $0.name == item.origin } + source.filter { $0.origin == item.origin }
      + source.filter { $0.name == item.name }
    let free = candidates.first { !unchanged.contains($0.name) }
    // A name that is another's is a mistake only where it was asked for.
    return (free ?? (item.identifier == nil ? nil : candidates.first))?.name
  }

  private func refuseDoubles(in destination: [Item]) throws(MigrationError) {
    for item in destination {
      guard let source = sources[item.name] else { continue }
      let names = destination.map(\.name).filter { sources[$0] == source }
      guard names.count == 1 else {
        throw .ambiguousRenaming(
          entity: entity, source: entity.map { "\($0).\(source)" } ?? source, destinations: names)
      }
    }
  }

  /// Refuses `A` that was `B` beside `B` that was `A`, unless it was so in the source already.
  private func refuseCycles(in destination: [Item]) throws(MigrationError) {
    var next: [String: String] = [:]
    for item in destination {
      guard let identifier = item.identifier, identifier != item.name,
        !source.contains(where: { $0.name == item.name && $0.origin == identifier })
      else { continue }
      next[item.name] = identifier
    }
    for item in destination {
      var names = [item.name]
      while let name = next[names[names.count - 1]], !names.dropFirst().contains(name) {
        guard name != item.name else { throw .renamingCycle(entity: entity, names: names) }
        names.append(name)
      }
    }
  }
}

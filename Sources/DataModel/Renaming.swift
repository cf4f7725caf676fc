/// Pairs entities of two models, or properties of two entities, by names and renaming identifiers.
///
///     Renaming(from: oldModel.entities, to: newModel.entities).sources["Hound"]   // "Dog"
package struct Renaming<Description: Renamable> {
  /// A contradiction between names and renaming identifiers.
  package enum Conflict: Sendable, Hashable {
    /// Several are renamed from the same one.
    case severalDestinations([String], source: String)
    /// Some are renamed in a cycle.
    case cycle([String])
  }

  /// The name in the source, by the name in the destination, of everything that is not new.
  package private(set) var sources: [String: String] = [:]
  /// The first contradiction; nil if there is none.
  package private(set) var conflict: Conflict?

  /// Pairs the items of both sides.
  ///
  /// Items with unchanged name and renaming identifier take precedence, then those with a matching
  /// renaming identifier, and last those with an equal name.
  package init(from source: [Description], to destination: [Description]) {
    for item in destination {
      if source.contains(where: { $0.name == item.name && $0.origin == item.origin }) {
        sources[item.name] = item.name
      }
    }
    let unchanged = Set(sources.keys)
    for item in destination where sources[item.name] == nil {
      sources[item.name] = Self.original(of: item, in: source, besides: unchanged)
    }
    conflict = Self.cycle(from: source, to: destination) ?? doubles(in: destination)
  }

  /// The name of an item in the source; nil if it is new.
  private static func original(
    of item: Description, in source: [Description], besides unchanged: Set<String>
  ) -> String? {
    let candidates =
      source.filter { $0.name == item.origin } + source.filter { $0.origin == item.origin }
      + source.filter { $0.name == item.name }
    let free = candidates.first { !unchanged.contains($0.name) }
    // A name that is already paired is a conflict only where it was requested by a renaming
    // identifier.
    return (free ?? (item.renamingIdentifier == nil ? nil : candidates.first))?.name
  }

  private func doubles(in destination: [Description]) -> Conflict? {
    for item in destination {
      guard let source = sources[item.name] else { continue }
      let names = destination.map(\.name).filter { sources[$0] == source }
      if names.count > 1 { return .severalDestinations(names, source: source) }
    }
    return nil
  }

  /// Finds `A` renamed from `B` together with `B` renamed from `A`, unless the source has the same.
  private static func cycle(
    from source: [Description], to destination: [Description]
  ) -> Conflict? {
    var next: [String: String] = [:]
    for item in destination {
      guard let identifier = item.renamingIdentifier, identifier != item.name,
        !source.contains(where: { $0.name == item.name && $0.origin == identifier })
      else { continue }
      next[item.name] = identifier
    }
    for item in destination {
      var names = [item.name]
      while let name = next[names[names.count - 1]], !names.dropFirst().contains(name) {
        if name == item.name { return .cycle(names) }
        names.append(name)
      }
    }
    return nil
  }
}

extension EntityDescription: Renamable {}
extension AttributeDescription: Renamable {}
extension RelationshipDescription: Renamable {}

extension PropertyDescription: Renamable {
  /// The property's name in the previous model version, or nil for the same.
  package var renamingIdentifier: String? {
    switch self {
    case .attribute(let attribute): attribute.renamingIdentifier
    case .relationship(let relationship): relationship.renamingIdentifier
    case .fetchedProperty(let property): property.renamingIdentifier
    }
  }
}

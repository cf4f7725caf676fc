/// Entities of two models, or properties of two entities, paired by names and renaming identifiers.
///
///     Renaming(from: oldModel.entities, to: newModel.entities).sources["Hound"]   // "Dog"
package struct Renaming<Description: Renamable> {
  /// Why names and renaming identifiers contradict each other.
  package enum Conflict: Sendable, Hashable {
    /// Several are said to have been one thing.
    case severalDestinations([String], source: String)
    /// Some are said to have been each other.
    case cycle([String])
  }

  /// The source's name of everything that was there, by the destination's name.
  package private(set) var sources: [String: String] = [:]
  /// The first contradiction; nil where there is none.
  package private(set) var conflict: Conflict?

  /// Pairs what two sides have.
  ///
  /// What neither was nor is renamed comes first, then what says that it was renamed, and last what
  /// has an equal name.
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

  /// What something was in the source; nil where it is new.
  private static func original(
    of item: Description, in source: [Description], besides unchanged: Set<String>
  ) -> String? {
    let candidates =
      source.filter { $0.name == item.origin } + source.filter { $0.origin == item.origin }
      + source.filter { $0.name == item.name }
    let free = candidates.first { !unchanged.contains($0.name) }
    // A name that is another's is a mistake only where it was asked for.
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

  /// Looks for `A` that was `B` beside `B` that was `A`, unless it was so in the source already.
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

/// Something that a version may know by another name than the version before.
package protocol Renamable {
  /// The name in its own version.
  var name: String { get }
  /// The name in the version before; nil for the same one.
  var renamingIdentifier: String? { get }
}

extension Renamable {
  /// The renaming identifier, which is the name by default.
  fileprivate var origin: String { renamingIdentifier ?? name }
}

extension EntityDescription: Renamable {}
extension AttributeDescription: Renamable {}
extension RelationshipDescription: Renamable {}

extension PropertyDescription: Renamable {
  /// The name under which the previous model version knew the property, or nil for the same.
  package var renamingIdentifier: String? {
    switch self {
    case .attribute(let attribute): attribute.renamingIdentifier
    case .relationship(let relationship): relationship.renamingIdentifier
    case .fetchedProperty(let property): property.renamingIdentifier
    }
  }
}

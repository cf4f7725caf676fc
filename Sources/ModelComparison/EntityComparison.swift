import DataModel

/// The differences between two versions of an entity.
struct EntityComparison {
  static let renamingIdentifier = "renaming identifier"

  /// The changes of the entity itself, then those of its properties by name.
  private(set) var changes: [ModelDifference.Change] = []

  init(_ old: EntityDescription, _ new: EntityDescription) {
    changes = Self.ownChanges(old, new)
    let pairs = RenamingPairs(old.properties, new.properties)
    var properties: [ModelDifference.Change] = []
    for property in pairs.removed {
      properties.append(
        .init(
          kind: .removed, property: property.name, movesVersionHash: !property.isTransient))
    }
    for property in pairs.added {
      properties.append(
        .init(kind: .added, property: property.name, movesVersionHash: !property.isTransient))
    }
    for (before, now) in pairs.kept {
      properties += Self.changes(before, now, in: old)
    }
    changes += properties.enumerated()
      .sorted { ($0.element.property ?? "", $0.offset) < ($1.element.property ?? "", $1.offset) }
      .map(\.element)
  }

  private static func ownChanges(
    _ old: EntityDescription, _ new: EntityDescription
  ) -> [ModelDifference.Change] {
    var comparison = Comparison(old, new) { $0.ownHash }
    comparison.note("abstract", \.isAbstract)
    comparison.note("parent", \.superentityName)
    comparison.note("class", \.managedObjectClassName) { $0 }
    comparison.note("unique", \.uniquenessConstraints, text: names)
    comparison.note("indexes", \.indexes) { indexes in
      indexes.isEmpty ? nil : indexes.map(\.reading).joined(separator: "; ")
    }
    comparison.note("compound indexes", \.compoundIndexes, text: names)
    comparison.note("version hash modifier", \.versionHashModifier)
    if old.name == new.name || new.renamingIdentifier != old.name {
      comparison.note(renamingIdentifier, \.renamingIdentifier)
    }
    comparison.note("user info", \.userInfo)
    return comparison.changes
  }

  private static func names(_ lists: [[String]]) -> String? {
    lists.isEmpty ? nil : lists.map { $0.joined(separator: " + ") }.joined(separator: ", ")
  }

  private static func changes(
    _ old: PropertyDescription, _ new: PropertyDescription, in entity: EntityDescription
  ) -> [ModelDifference.Change] {
    var changes: [ModelDifference.Change] = []
    if old.name != new.name {
      changes.append(
        .init(
          kind: .renamed, old: old.name, new: new.name,
          movesVersionHash: !old.isTransient || !new.isTransient))
    }
    switch (old, new) {
    case (.attribute(let one), .attribute(let other)):
      changes += AttributeComparison.changes(one, other, in: entity)
    case (.relationship(let one), .relationship(let other)):
      changes += RelationshipComparison.changes(one, other, in: entity)
    case (.fetchedProperty(let one), .fetchedProperty(let other)):
      var comparison = Comparison(one, other)
      comparison.note("optional", \.isOptional)
      comparison.note("fetch request", \.fetchRequest) { $0.reading }
      comparison.note(EntityComparison.renamingIdentifier, \.renamingIdentifier)
      comparison.note("user info", \.userInfo)
      changes += comparison.changes
    default:
      changes.append(
        .init(
          kind: .changed, aspect: "kind", old: old.kindName, new: new.kindName,
          movesVersionHash: !old.isTransient || !new.isTransient))
    }
    // A renaming identifier equal to the old name is implied by the renaming.
    if old.name != new.name, new.renamingIdentifier == old.name {
      changes.removeAll { $0.aspect == Self.renamingIdentifier }
    }
    for index in changes.indices { changes[index].property = new.name }
    return changes
  }
}

extension EntityDescription {
  /// The entity's own contribution to its version hash, and the name of its parent.
  fileprivate var ownHash: [UInt8] {
    var own = self
    own.properties = []
    let text = ManagedObjectModel(entities: [own]).entityVersionHashesByName[name]?.bytes ?? []
    return text + Array((superentityName ?? "").utf8)
  }
}

extension PropertyDescription {
  /// Returns the contribution to its entity's version hash; empty for a transient property.
  func share(in entity: EntityDescription) -> [UInt8] {
    isTransient ? [] : versionHash(in: entity)
  }
}

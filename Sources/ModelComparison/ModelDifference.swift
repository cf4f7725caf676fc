package import DataModel

/// The differences between two versions of a model, by entity and property.
///
///     let difference = ModelDifference(from: oldModel, to: newModel)
///     difference.keepsVersionHashes   // false: a store of the old version must be migrated
///
/// Renamed entities and properties are matched by the new ones' renaming identifiers. The order in
/// which things are listed does not matter.
package struct ModelDifference: Sendable, Equatable {
  /// The kind of a difference.
  package enum Kind: String, Sendable {
    /// It exists in the new version only.
    case added
    /// It exists in the old version only.
    case removed
    /// It has another name.
    case renamed
    /// It has other settings.
    case changed
  }

  /// A difference.
  package struct Change: Sendable, Equatable {
    /// The kind.
    package var kind: Kind
    /// The property's new name, or its old one if it was removed; nil for the entity itself.
    package var property: String?
    /// The setting that differs: `optional`, `delete rule`; nil if the whole property differs.
    package var aspect: String?
    /// The old value as text; nil for none.
    package var old: String?
    /// The new value as text; nil for none.
    package var new: String?
    /// Whether this change alone changes the entity's version hash.
    package var movesVersionHash = false
  }

  /// An entity that differs.
  package struct Entity: Sendable, Equatable {
    /// The kind; also `changed` if only its version hash differs.
    package var kind: Kind
    /// The new name, or the old one if it was removed.
    package var name: String
    /// The old name; nil if it was added.
    package var oldName: String?
    /// The old version hash; nil if it was added.
    package var oldHash: VersionHash?
    /// The new version hash; nil if it was removed.
    package var newHash: VersionHash?
    /// The superentity whose changes affect this entity's version hash; nil if there is none.
    package var movedByParent: String?
    /// The changes of the entity itself, followed by those of its properties, sorted by name.
    package var changes: [Change] = []

    /// Whether it makes stores of one version incompatible with the other.
    package var movesVersionHash: Bool { oldHash != newHash || oldName != name }
  }

  /// The entities that differ, sorted by name.
  package let entities: [Entity]
  /// The differences outside entities: configurations, fetch requests, identifiers.
  package let changes: [Change]

  /// Whether there are no differences.
  package var isEmpty: Bool { entities.isEmpty && changes.isEmpty }

  /// Whether stores of one version can be opened with the other without migration.
  package var keepsVersionHashes: Bool { !entities.contains(where: \.movesVersionHash) }

  /// Compares two versions; takes some microseconds for each property.
  package init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    let pairs = RenamingPairs(old.entities, new.entities)
    entities = Self.entities(from: old, to: new, pairs)
    changes = Self.changes(from: old, to: new, pairs)
  }

  /// Compares two versions by their hashes, if only those of a store's metadata are known.
  package init(from old: [String: VersionHash], to new: [String: VersionHash]) {
    changes = []
    entities = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted().map { name in
      Entity(
        kind: old[name] == nil ? .added : new[name] == nil ? .removed : .changed, name: name,
        oldName: old[name].map { _ in name }, oldHash: old[name], newHash: new[name])
    }
  }

  private static func entities(
    from old: ManagedObjectModel, to new: ManagedObjectModel,
    _ pairs: RenamingPairs<EntityDescription>
  ) -> [Entity] {
    let (oldHashes, newHashes) = (old.entityVersionHashesByName, new.entityVersionHashesByName)
    var found: [Entity] = pairs.removed.map { entity in
      Entity(
        kind: .removed, name: entity.name, oldName: entity.name, oldHash: oldHashes[entity.name])
    }
    found += pairs.added.map { entity in
      Entity(kind: .added, name: entity.name, newHash: newHashes[entity.name])
    }
    for (before, now) in pairs.kept {
      var entity = Entity(
        kind: before.name == now.name ? .changed : .renamed, name: now.name, oldName: before.name,
        oldHash: oldHashes[before.name], newHash: newHashes[now.name])
      entity.changes = EntityComparison(before, now).changes
      if let parent = now.superentityName, let oldParent = before.superentityName,
        oldHashes[oldParent] != newHashes[parent]
      {
        entity.movedByParent = parent
      }
      let differs =
        entity.kind == .renamed || !entity.changes.isEmpty || entity.movesVersionHash
      if differs { found.append(entity) }
    }
    return found.sorted { ($0.name, $0.kind.rawValue) < ($1.name, $1.kind.rawValue) }
  }

  private static func changes(
    from old: ManagedObjectModel, to new: ManagedObjectModel,
    _ pairs: RenamingPairs<EntityDescription>
  ) -> [Change] {
    var comparison = Comparison(old, new)
    comparison.note(
      "version identifiers",
      as: { model in
        let texts = model.versionIdentifiers.filter { !$0.isEmpty }.sorted()
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
      })
    for name in Set(old.configurations).union(new.configurations).sorted() {
      comparison.note(
        "configuration \(name)",
        as: { model in
          model.entities(forConfigurationName: name)?.map(\.name).sorted().joined(separator: ", ")
        })
    }
    let (templates, newTemplates) = (
      old.fetchRequestTemplatesByName, new.fetchRequestTemplatesByName
    )
    for name in Set(templates.keys).union(newTemplates.keys).sorted() {
      comparison.note(
        "fetch request \(name)", as: { $0.fetchRequestTemplatesByName[name]?.reading })
    }
    return comparison.changes
  }
}

extension ModelDifference.Entity {
  /// The changes of the entity as a whole, and of its version hash.
  package var summary: [ModelDifference.Change] {
    switch kind {
    case .added, .removed:
      return [.init(kind: kind, movesVersionHash: true)]
    case .renamed, .changed: break
    }
    var changes: [ModelDifference.Change] = []
    if kind == .renamed {
      changes.append(.init(kind: .renamed, old: oldName, new: name, movesVersionHash: true))
    }
    if movesVersionHash {
      changes.append(
        .init(
          kind: .changed, aspect: "version hash", old: oldHash?.description,
          new: newHash?.description, movesVersionHash: true))
    }
    if let movedByParent {
      changes.append(
        .init(
          kind: .changed, aspect: "parent's version hash", new: movedByParent,
          movesVersionHash: true))
    }
    return changes
  }
}

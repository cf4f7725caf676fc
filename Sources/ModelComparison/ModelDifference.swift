package import DataModel

/// What differs between two versions of a model, entity by entity and property by property.
///
///     let difference = ModelDifference(from: oldModel, to: newModel)
///     difference.keepsVersionHashes   // false: a store of the old version must be migrated
///
/// What has another name is the same where the new one's renaming identifier says so. Whatever has
/// an effect on nothing but the order in which things are listed is no difference.
package struct ModelDifference: Sendable, Equatable {
  /// What became of something.
  package enum Kind: String, Sendable {
    /// It is new.
    case added
    /// It is gone.
    case removed
    /// It has another name.
    case renamed
    /// Something else is said of it.
    case changed
  }

  /// One thing that differs.
  package struct Change: Sendable, Equatable {
    /// What became of it.
    package var kind: Kind
    /// The property, by its new name, or by its old one where it is gone; nil for what the entity
    /// itself says.
    package var property: String?
    /// What is said differently of it: `optional`, `delete rule`; nil where it came or went.
    package var aspect: String?
    /// What was said before, as text; nil for nothing.
    package var old: String?
    /// What is said now, as text; nil for nothing.
    package var new: String?
    /// Whether this alone gives the entity another version hash.
    package var movesVersionHash = false
  }

  /// An entity that differs.
  package struct Entity: Sendable, Equatable {
    /// What became of it; changed also where nothing did but its version hash.
    package var kind: Kind
    /// Its new name, or its old one where it is gone.
    package var name: String
    /// The name that it had; nil where it is new.
    package var oldName: String?
    /// The version hash that it had; nil where it is new.
    package var oldHash: VersionHash?
    /// Its version hash now; nil where it is gone.
    package var newHash: VersionHash?
    /// The superentity whose own changes move this entity's version hash; nil where none does.
    package var movedByParent: String?
    /// What differs, what the entity itself says first, then its properties by name.
    package var changes: [Change] = []

    /// Whether a store of the one version does not fit the other one because of it.
    package var movesVersionHash: Bool { oldHash != newHash || oldName != name }
  }

  /// The entities that differ, sorted by name.
  package let entities: [Entity]
  /// What the models say differently that is no entity's: configurations, fetch requests,
  /// identifiers.
  package let changes: [Change]

  /// Whether nothing differs.
  package var isEmpty: Bool { entities.isEmpty && changes.isEmpty }

  /// Whether a store of the one version can be opened with the other one as it is.
  package var keepsVersionHashes: Bool { !entities.contains(where: \.movesVersionHash) }

  /// Compares two versions; some microseconds a property.
  package init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    let pairs = RenamingPairs(old.entities, new.entities)
    entities = Self.entities(from: old, to: new, pairs)
    changes = Self.changes(from: old, to: new, pairs)
  }

  /// Compares what is known of two versions where one is known by its version hashes alone: those
  /// in a store's metadata.
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
  /// What became of the entity as a whole, and of its version hash.
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

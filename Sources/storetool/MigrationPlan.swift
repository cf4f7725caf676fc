import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import ModelComparison
import ModelCompiler
import SystemLibraries

/// What a migration would do to a store.
struct MigrationPlan {
  /// What becomes of one entity.
  struct Step {
    /// Its name in the new model; of one that is removed, in the old one.
    var name: String
    /// Its name in the old model; nil where it is new.
    var oldName: String?
    var type: EntityMapping.MappingType
    /// How many objects there are of it, without those of its subentities.
    var objectCount: Int
    /// What of it changes in the store.
    var changes: [ModelDifference.Change]
  }

  /// The store's path, as it was typed.
  let path: String
  /// The store's file.
  let url: URL
  /// The version that the store was made with.
  let source: VersionedModel.Version
  /// The version that it is to be of.
  let destination: VersionedModel.Version
  /// The part of the old model that the store holds; nil for all of it.
  let sourceConfigurationName: String?
  /// The part of the new model that it is to hold; nil for all of it.
  let configurationName: String?
  /// How objects of the one become those of the other; nil where the store is of that version.
  let mapping: MappingModel?
  /// What becomes of each entity.
  let steps: [Step]

  /// Reads store and models; nothing changes.
  ///
  /// - Throws: `Complaint` where there is no model, or no mapping can be inferred, or the one that is
  ///   named does not fit.
  init(_ run: ToolRun) throws {
    path = run.operand
    url = URL(filePath: path).storeFile
    guard let target = run.values[.target] else {
      throw ValidationError(
        "migrate needs the model to migrate to", hint: "Name it with --to X.xcdatamodeld.")
    }
    if let type = url.documentType {
      throw Complaint(
        .badData,
        "cannot migrate \(path.escapingControls): it is \(type.described), and only SQLite stores are "
          + "migrated",
        hint:
          "Make one of it: storetool convert \(path.escapingControls) --to sqlite -o NEW --model M."
      )
    }
    let file = try ModelFile(at: target, run)
    destination = try file.version(named: run.values[.targetVersion])
    let sources = try run.values[.source].map { try ModelFile(at: $0, run) }
    do {
      let reader = try StoreReader(contentsOf: url)
      source = try Self.source(of: reader, at: path, sources, file, destination)
      sourceConfigurationName = source.model.configuration(of: reader.metadata)
      let configurations = destination.model.configurations
      configurationName = sourceConfigurationName.flatMap { configurations.contains($0) ? $0 : nil }
      // Both parts exist: their names are the models' own.
      let old = source.model.restricted(toConfiguration: sourceConfigurationName) ?? source.model
      let new =
        destination.model.restricted(toConfiguration: configurationName) ?? destination.model
      let isThere = try reader.isStore(of: new)
      mapping =
        isThere
        ? nil
        : try run.values[.mapping].map { try Self.mapping(at: $0, from: old, to: new) }
          ?? MappingModel.inferred(from: old, to: new)
      steps = try Self.steps(mapping, from: old, to: new, reader)
    } catch {
      throw Complaint(about: error, migrating: path)
    }
  }

  /// Reads a mapping, and makes sure that it can be carried out here.
  private static func mapping(
    at path: String, from old: ManagedObjectModel, to new: ManagedObjectModel
  ) throws -> MappingModel {
    do {
      let mapping = try MappingModel(contentsOf: URL(filePath: path))
      try MigrationManager(sourceModel: old, destinationModel: new).check(mapping)
      return mapping
    } catch let error as MappingModelError {
      throw Complaint(about: error, reading: path)
    }
  }

  private static func source(
    of reader: StoreReader, at path: String, _ named: ModelFile?, _ target: ModelFile,
    _ destination: VersionedModel.Version
  ) throws -> VersionedModel.Version {
    // Whoever migrates it twice need not know that it was done.
    if try reader.isStore(of: destination.model) { return destination }
    if let named { return try named.version(of: path, metadata: reader.metadata, to: "migrate") }
    if let version = target.version(compatibleWithStoreMetadata: reader.metadata),
      try reader.isStore(of: version.model)
        || version.model.configuration(of: reader.metadata) != nil
    {
      return version
    }
    guard let model = try reader.embeddedModel() else {
      throw Complaint(
        .usage,
        "cannot migrate \(path.escapingControls): it holds no model, and was made with no version "
          + "of \(target.name.escapingControls)",
        hint: "Name the model that it was made with: --from X.xcdatamodeld.")
    }
    return VersionedModel(model, named: "the model that it holds").currentVersion
  }

  private static func steps(
    _ mapping: MappingModel?, from old: ManagedObjectModel, to new: ManagedObjectModel,
    _ reader: StoreReader
  ) throws -> [Step] {
    guard let mapping else { return [] }
    var counts: [String: Int] = [:]
    for entity in try reader.entities(of: old) { counts[entity.name] = try entity.count() }
    let differing = ModelDifference(from: old, to: new).entities
    return mapping.entityMappings.map { entity in
      let name = entity.destinationEntityName ?? entity.sourceEntityName ?? ""
      let difference = differing.first { $0.name == name && $0.oldName == entity.sourceEntityName }
      let changes =
        difference.map { difference in
          difference.changes.filter(\.changesStore).map { $0.described(in: difference, old, new) }
        } ?? []
      return Step(
        name: name, oldName: entity.sourceEntityName, type: entity.mappingType,
        objectCount: entity.sourceEntityName.flatMap { counts[$0] } ?? 0, changes: changes)
    }
  }
}

@available(*, unavailable) extension MigrationPlan: Sendable {}

extension ModelDifference.Change {
  /// Whether something of it is done to the store: to rows, columns or indexes.
  fileprivate var changesStore: Bool {
    movesVersionHash || ["indexes", "compound indexes", "indexed"].contains(aspect)
  }
}

extension ManagedObjectModel {
  /// The configuration that a store holds, by its metadata; nil for the whole model.
  func configuration(of metadata: [String: PropertyList]) -> String? {
    if isCompatible(withStoreMetadata: metadata) { return nil }
    return configurations.first {
      isCompatible(withStoreMetadata: metadata, configurationName: $0)
    }
  }
}

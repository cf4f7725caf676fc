import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import ModelCompiler
import SystemLibraries

/// The plan of a store's migration, with everything needed to carry it out.
struct MigrationPlan {
  /// The store's path as it was typed.
  let path: String
  /// The URL of the store's file.
  let url: URL
  /// The version that the store was created with.
  let source: VersionedModel.Version
  /// The version to migrate it to.
  let destination: VersionedModel.Version
  /// The configuration of the old model that the store holds; nil for the whole model.
  let sourceConfigurationName: String?
  /// The configuration of the new model that it will hold; nil for the whole model.
  let configurationName: String?
  /// The mappings and versions of the migration.
  let options: PersistentStoreOptions
  /// The steps from one version to the next; empty if the store already has the new version.
  let steps: [MigrationStep]

  /// Reads the store and models; nothing is changed.
  ///
  /// - Throws: `Complaint` if there is no model, if no mapping can be inferred, or if a given
  ///   mapping does not fit.
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
        "cannot migrate \(path.escapingControls): it is \(type.described), and storetool migrate "
          + "migrates only SQLite stores",
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
      let versions = KnownVersions(
        from: (source, sourceConfigurationName), to: (destination, configurationName),
        among: (sources?.model.versions ?? []) + file.model.versions)
      options = try Self.options(versions, mappings: run.values.all(.mapping))
      steps =
        try reader.isStore(of: versions.destination)
        ? [] : try Self.steps(versions, options, mappings: run.values.all(.mapping), reader)
    } catch {
      throw Complaint(about: error, migrating: path)
    }
  }

  private static func source(
    of reader: StoreReader, at path: String, _ named: ModelFile?, _ target: ModelFile,
    _ destination: VersionedModel.Version
  ) throws -> VersionedModel.Version {
    // Migrating a store again is not an error.
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
        "cannot migrate \(path.escapingControls): it holds no model, and was not made with a version "
          + "of \(target.name.escapingControls)",
        hint: "Name the model that it was made with: --from X.xcdatamodeld.")
    }
    return VersionedModel(model, named: "the model that it holds").currentVersion
  }

  private static func options(
    _ versions: KnownVersions, mappings paths: [String]
  ) throws -> PersistentStoreOptions {
    var options = PersistentStoreOptions.migrating
    options.sourceModels = versions.all.map(\.model)
    options.mappingModels = try paths.map { path in
      do {
        return try MappingModel(contentsOf: URL(filePath: path))
      } catch let error as MappingModelError {
        throw Complaint(about: error, reading: path)
      }
    }
    return options
  }

  /// Finds the migration path, and checks that each mapping is part of it and can be carried out.
  private static func steps(
    _ versions: KnownVersions, _ options: PersistentStoreOptions, mappings paths: [String],
    _ reader: StoreReader
  ) throws -> [MigrationStep] {
    let way: MigrationPath?
    do {
      way = try MigrationPath(from: versions.source, to: versions.destination, options)
    } catch {
      // An error in the mapping explains more than the error without it.
      for mapping in options.mappingModels { try versions.check(mapping) }
      throw error
    }
    let steps = way?.steps ?? []
    for step in steps where !step.mapping.isInferred {
      try MigrationManager(sourceModel: step.source, destinationModel: step.destination)
        .check(step.mapping)
    }
    for (mapping, path) in zip(options.mappingModels, paths)
    where !steps.contains(where: { $0.mapping == mapping }) {
      try versions.check(mapping)
      throw Complaint(
        .badData, "the mapping model \(path.escapingControls) does not belong to this migration",
        hint: "Leave it out, or name the versions that it is for with --from and --to.")
    }
    var counts: [String: Int] = [:]
    for entity in try reader.entities(of: versions.source) {
      counts[entity.name] = try entity.count()
    }
    return steps.map { step in
      MigrationStep(
        step, from: versions.name(of: step.source), to: versions.name(of: step.destination),
        objectCounts: &counts)
    }
  }
}

@available(*, unavailable) extension MigrationPlan: Sendable {}

/// The versions of a model among which the migration path is searched.
private struct KnownVersions {
  /// The part of the old model that the store holds.
  let source: ManagedObjectModel
  /// The part of the new model that it will hold.
  let destination: ManagedObjectModel
  /// All versions, each once, in natural order of their names.
  let all: [(name: String, model: ManagedObjectModel)]

  init(
    from old: (version: VersionedModel.Version, configurationName: String?),
    to new: (version: VersionedModel.Version, configurationName: String?),
    among versions: [VersionedModel.Version]
  ) {
    source = old.version.part(old.configurationName)
    destination = new.version.part(new.configurationName)
    var all: [(name: String, model: ManagedObjectModel)] = []
    func add(_ version: VersionedModel.Version, _ model: ManagedObjectModel) {
      let isKnown = all.contains {
        $0.model.entityVersionHashesByName == model.entityVersionHashesByName
      }
      if !isKnown { all.append((version.name, model)) }
    }
    // A separate model for the old version comes first.
    if !versions.contains(where: { $0.name == old.version.name }) { add(old.version, source) }
    for version in versions { add(version, version.part(old.configurationName)) }
    add(new.version, destination)
    self.all = all
  }

  func name(of model: ManagedObjectModel) -> String {
    all.first { $0.model.entityVersionHashesByName == model.entityVersionHashesByName }?.name ?? ""
  }

  /// - Throws: `MigrationError` if a mapping does not lead from the old version to the new one.
  func check(_ mapping: MappingModel) throws {
    try MigrationManager(sourceModel: source, destinationModel: destination).check(mapping)
  }
}

extension VersionedModel.Version {
  /// The part of the model in a configuration, if it has that; otherwise the whole model.
  fileprivate func part(_ configurationName: String?) -> ManagedObjectModel {
    guard let configurationName, model.configurations.contains(configurationName) else {
      return model
    }
    return model.restricted(toConfiguration: configurationName) ?? model
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

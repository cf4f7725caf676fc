import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import ModelCompiler
import SystemLibraries

/// One side of a comparison: a version of a model, or a store.
struct DiffSide {
  /// The name in the output.
  var name: String
  /// The model; nil for a store that does not embed one.
  var model: ManagedObjectModel?
  /// The version hashes of its entities by name.
  var hashes: [String: VersionHash]
  /// Whether the model lacks what compiled archives omit.
  var isCompiled: Bool
  /// The metadata of the store; nil for a model.
  var metadata: [String: PropertyList]?

  /// Creates the side of a model version.
  init(_ version: VersionedModel.Version, of file: ModelFile) {
    name = file.model.versions.count > 1 ? version.name : file.name
    model = version.model
    hashes = version.model.entityVersionHashesByName
    isCompiled = file.isCompiled
  }

  /// Creates the side of a store, with the model that it embeds.
  init(storeAt path: String) throws {
    let start = "cannot compare \(path.escapingControls): "
    do {
      let url = URL(filePath: path).storeFile
      name = URL(filePath: path).lastPathComponent
      isCompiled = true
      let metadata: [String: PropertyList]
      if let type = url.documentType {
        metadata = try url.objects(type).metadata
      } else {
        let reader = try StoreReader(contentsOf: url)
        metadata = reader.metadata
        model = try reader.embeddedModel()
      }
      self.metadata = metadata
      guard case .dictionary(let entries)? = metadata["NSStoreModelVersionHashes"] else {
        throw Complaint(
          .badData, start + "it does not say which model it was made with",
          hint: "Name a store that Core Data of iOS 3 or later has made.")
      }
      hashes = entries.compactMapValues { entry in
        if case .data(let bytes) = entry { VersionHash(bytes: Array(bytes)) } else { nil }
      }
    } catch let error as PersistentStoreError {
      throw Complaint(error, reading: path)
    } catch is ModelArchiveError {
      throw Complaint(
        .badData, start + "the model that it holds is damaged",
        hint: "Compare the models of the app.")
    }
  }

  /// Finds the model version that the store was created with, if the store does not embed one.
  mutating func findModel(in file: ModelFile?) {
    guard model == nil, let metadata, let file,
      let version = file.version(compatibleWithStoreMetadata: metadata)
    else { return }
    model = version.model
    isCompiled = file.isCompiled
    name += " (\(version.name))"
  }

  /// The model without what archives omit, or represent otherwise than Xcode's files.
  var archivedModel: ManagedObjectModel? {
    guard let model else { return nil }
    // An archive that this library wrote can be read back.
    let archived =
      isCompiled ? model : (try? ManagedObjectModel(archive: model.archive)) ?? model
    return ManagedObjectModel(
      entities: archived.entities.map(\.withoutDuplicateIndexes),
      versionIdentifiers: archived.versionIdentifiers,
      configurations: Dictionary(
        uniqueKeysWithValues: archived.configurations.map { name in
          (name, archived.entities(forConfigurationName: name)?.map(\.name) ?? [])
        }))
  }
}

extension EntityDescription {
  /// The entity with its indexes only once: archives repeat some as flags of attributes, as lists
  /// of names, and as indexes named like an attribute.
  fileprivate var withoutDuplicateIndexes: EntityDescription {
    var entity = self
    entity.compoundIndexes = []
    for index in properties.indices {
      guard case .attribute(var attribute) = properties[index], attribute.isIndexed else {
        continue
      }
      attribute.isIndexed = false
      entity.properties[index] = .attribute(attribute)
      entity.indexes.removeAll {
        $0.name == attribute.name && $0.elements == [.init(propertyName: attribute.name)]
      }
    }
    return entity
  }
}

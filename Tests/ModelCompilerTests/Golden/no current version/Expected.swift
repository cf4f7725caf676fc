// Written by momc from Model.xcdatamodeld. Do not edit.
// swift-format-ignore-file

public import ManagedObjects

nonisolated extension ManagedObjectModel {
  /// The data model `Model` in its current version, `Model`.
  public static let model: ManagedObjectModel = ModelVersion1.model

  /// Every version of the data model `Model`, by its name.
  public static let modelVersions: [String: ManagedObjectModel] = [
    "Model": ModelVersion1.model,
    "Model 2": ModelVersion2.model,
  ]
}

/// The version `Model`.
nonisolated private enum ModelVersion1 {
  static let model = ManagedObjectModel(entities: [], versionHashes: versionHashes)

  static let versionHashes: [String: VersionHash] = [:]
}

/// The version `Model 2`.
nonisolated private enum ModelVersion2 {
  static let model = ManagedObjectModel(entities: [], versionHashes: versionHashes)

  static let versionHashes: [String: VersionHash] = [:]
}

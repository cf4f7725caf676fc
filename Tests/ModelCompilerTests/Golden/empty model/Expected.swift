// Written by momc from My Model-2.xcdatamodel. Do not edit.
// swift-format-ignore-file

public import ManagedObjects

nonisolated extension ManagedObjectModel {
  /// The data model `My Model-2` in its current version, `My Model-2`.
  public static let myModel2: ManagedObjectModel = ModelVersion1.model

  /// Every version of the data model `My Model-2`, by its name.
  public static let myModel2Versions: [String: ManagedObjectModel] = [
    "My Model-2": ModelVersion1.model,
  ]
}

/// The version `My Model-2`.
nonisolated private enum ModelVersion1 {
  static let model = ManagedObjectModel(entities: [], versionHashes: versionHashes)

  static let versionHashes: [String: VersionHash] = [:]
}

import DataFormats
import DataModel
package import SystemLibraries

/// Writing models in the format of Core Data's compiler, for Apple's systems or for reading at run
/// time.
extension VersionedModel {
  /// Writes the current version to a `.mom` file, or all versions to a `.momd` folder.
  ///
  ///     let model = try VersionedModel(contentsOf: URL(filePath: "Kennel.xcdatamodeld"))
  ///     try model.write(to: URL(filePath: "Kennel.momd"))
  ///
  /// The file's extension decides which. Existing files that would not change are left alone, and
  /// versions in the folder that the model does not have are removed.
  ///
  /// - Throws: `CocoaError` if a file cannot be written.
  package func write(to url: URL) throws {
    guard url.pathExtension == "momd" else {
      return try Self.write(currentVersion.model.archive, to: url)
    }
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for version in versions {
      try Self.write(
        version.model.archive, to: url.appendingPathComponent(version.name + ".mom"))
    }
    let names = Set(versions.map { $0.name + ".mom" })
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path)
    where name.hasSuffix(".mom") && !names.contains(name) {
      try FileManager.default.removeItem(at: url.appendingPathComponent(name))
    }
    // Last, since it refers to the others.
    try Self.write(versionInfo.binary, to: url.appendingPathComponent("VersionInfo.plist"))
  }

  /// The contents of `VersionInfo.plist`: the current version, and the hashes of all.
  private var versionInfo: PropertyList {
    func byVersion(_ value: (ManagedObjectModel) -> PropertyList) -> PropertyList {
      .dictionary(
        Dictionary(uniqueKeysWithValues: versions.map { ($0.name, value($0.model)) }))
    }
    return .dictionary([
      "NSManagedObjectModel_CurrentVersionName": .string(currentVersion.name),
      "NSManagedObjectModel_VersionChecksums": byVersion { .string($0.versionChecksum) },
      "NSManagedObjectModel_VersionHashes": byVersion { model in
        .dictionary(model.entityVersionHashesByName.mapValues { .data(Data($0.bytes)) })
      },
    ])
  }

  /// Writes a file atomically, and only if it changes, so that dependent files are not rebuilt
  /// needlessly.
  static func write(_ bytes: some Sequence<UInt8>, to url: URL) throws {
    let data = Data(bytes)
    if let present = try? Data(contentsOf: url), present == data { return }
    try data.write(to: url, options: .atomic)
  }
}

import DataModel
import SystemLibraries

/// The model that a store belongs to, according to its metadata.
extension StoredMetadata {
  /// The metadata about a model as Core Data of iOS 17 writes them.
  static func modelMetadata(_ model: ManagedObjectModel) -> [String: PropertyList] {
    [
      "NSPersistenceFrameworkVersion": .integer(1333),
      hashesKey: .dictionary(
        model.entityVersionHashesByName.mapValues { .data(Data($0.bytes)) }),
      "NSStoreModelVersionHashesVersion": .integer(3),
      digestKey: .string(model.versionHashesDigest),
      "NSStoreModelVersionChecksumKey": .string(model.versionChecksum),
      "NSStoreModelVersionIdentifiers": .array(model.versionIdentifiers.map { .string($0) }),
    ]
  }

  /// The error if the version hashes in a store's metadata are not those of a model; nil if they
  /// match.
  static func mismatch(
    of plist: [String: PropertyList], with model: ManagedObjectModel, at url: URL
  ) -> PersistentStoreError? {
    let wanted = model.entityVersionHashesByName
    guard case .dictionary(let stored)? = plist[hashesKey],
      stored.count == wanted.count,
      stored.allSatisfy({ name, value in
        guard case .data(let bytes) = value, let hash = wanted[name] else { return false }
        return bytes.count == hash.bytes.count
          && bytes.withUnsafeBytes { $0.elementsEqual(hash.bytes) }
      })
    else { return incompatibility(of: plist, at: url) }
    return nil
  }

  /// The error if a store, opened with these metadata, no longer has the same contents or the same
  /// model: `moved` if it was replaced, `incompatibleModel` if it was migrated; nil otherwise.
  func change(to current: StoredMetadata, at url: URL) -> PersistentStoreError? {
    let replacement = Self.replacementKey
    guard uuid == current.uuid, plist[replacement] == current.plist[replacement] else {
      return .moved(url)
    }
    return plist[Self.hashesKey] == current.plist[Self.hashesKey]
      ? nil : Self.incompatibility(of: current.plist, at: url)
  }

  /// The error for a store that belongs to another model.
  static func incompatibility(
    of plist: [String: PropertyList], at url: URL
  ) -> PersistentStoreError {
    var identifiers: [String] = []
    if case .array(let stored)? = plist["NSStoreModelVersionIdentifiers"] {
      for case .string(let identifier) in stored { identifiers.append(identifier) }
    }
    return .incompatibleModel(
      url, storeHashes: hashes(in: plist), versionIdentifiers: identifiers)
  }

  private static func hashes(in plist: [String: PropertyList]) -> [String: VersionHash] {
    var hashes: [String: VersionHash] = [:]
    if case .dictionary(let stored)? = plist[hashesKey] {
      for case (let name, .data(let bytes)) in stored {
        hashes[name] = VersionHash(bytes: Array(bytes))
      }
    }
    return hashes
  }
}

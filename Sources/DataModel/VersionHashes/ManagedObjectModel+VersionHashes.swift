import SystemLibraries

extension ManagedObjectModel {
  /// The digest of all version hashes, as in the metadata of stores since iOS 13.
  ///
  /// Base64 of a SHA-512 over each entity's name and hash, sorted literally by name. Core Data
  /// stores it under `NSStoreModelVersionHashesDigest`. Computed on each access, in some
  /// microseconds.
  public var versionHashesDigest: String {
    var digest = SHA512()
    for (name, hash) in sortedVersionHashes {
      digest.update(data: name.utf8)
      digest.update(data: hash.bytes)
    }
    return Data(digest.finalize()).base64EncodedString()
  }

  /// The checksum of the model version, as in the metadata of stores since iOS 17.
  ///
  /// Base64 of a SHA-256 over the entities' hashes, sorted literally by name. Core Data stores it
  /// under `NSStoreModelVersionChecksumKey`. Computed on each access, in some microseconds.
  public var versionChecksum: String {
    var checksum = SHA256()
    for (_, hash) in sortedVersionHashes { checksum.update(data: hash.bytes) }
    return Data(checksum.finalize()).base64EncodedString()
  }

  private var sortedVersionHashes: [(key: String, value: VersionHash)] {
    entityVersionHashesByName.sorted { isSortedLiterally($0.key, $1.key) }
  }

  /// Computes the version hash of each entity, by its name.
  ///
  /// Terminates for every model: an unknown superentity is ignored, and a cycle of superentities is
  /// broken at one entity.
  static func versionHashes(
    of entities: [EntityDescription], byName: [String: EntityDescription]
  ) -> [String: VersionHash] {
    var hashed: [String: HashedEntity] = [:]
    for entity in entities {
      // An entity's hash includes its superentity's: collect the superentities upwards, then hash
      // downwards.
      var (waiting, waitingNames) = ([entity], Set([entity.name]))
      while let name = waiting[waiting.count - 1].superentityName, hashed[name] == nil,
        let superentity = byName[name], waitingNames.insert(name).inserted
      {
        waiting.append(superentity)
      }
      for entity in waiting.reversed() where hashed[entity.name] == nil {
        let superentity = entity.superentityName.flatMap { hashed[$0] }
        hashed[entity.name] = HashedEntity(entity, below: superentity)
      }
    }
    return hashed.compactMapValues { VersionHash(bytes: $0.hash) }
  }
}

/// An entity's hash, and the hashes that its subentities need.
private struct HashedEntity {
  let hash: [UInt8]
  /// The hashes of all stored properties, own and inherited, by name.
  let propertyHashes: [String: [UInt8]]

  init(_ entity: EntityDescription, below superentity: HashedEntity?) {
    var propertyHashes = superentity?.propertyHashes ?? [:]
    for property in entity.properties {
      // A transient property also hides an inherited one of the same name from the hash.
      propertyHashes[property.name] =
        property.isTransient ? nil : property.versionHash(in: entity)
    }
    var hash = SHA256()
    hash.update(data: entity.name.utf8)
    hash.update(data: CollectionOfOne(entity.isAbstract ? 1 : 0))
    if let superentity { hash.update(data: superentity.hash) }
    for (_, bytes) in propertyHashes.sorted(by: { isSortedLiterally($0.key, $1.key) }) {
      hash.update(data: bytes)
    }
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
    for constraint in constraints.sorted(by: isSortedLiterally) {
      hash.update(data: constraint.utf8)
    }
    if let modifier = entity.versionHashModifier { hash.update(data: modifier.utf8) }
    self.hash = hash.finalize()
    self.propertyHashes = propertyHashes
  }
}

/// Whether one name precedes another in the literal order of `NSString`: by UTF-16 unit.
func isSortedLiterally(_ name: String, _ other: String) -> Bool {
  name.utf16.lexicographicallyPrecedes(other.utf16)
}

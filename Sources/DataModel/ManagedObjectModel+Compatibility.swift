extension ManagedObjectModel {
  /// Whether a store with some metadata can be opened with the model without a migration.
  ///
  ///     model.isCompatible(withStoreMetadata: metadata)   // false: migrate first
  ///
  /// True if the version hashes in the metadata are exactly those of the configuration's entities
  /// and all of their hierarchies. False if there are none, or if the model has no such
  /// configuration.
  public func isCompatible(
    withStoreMetadata metadata: [String: PropertyList], configurationName: String? = nil
  ) -> Bool {
    guard case .dictionary(let noted)? = metadata["NSStoreModelVersionHashes"],
      let entities = storedEntities(forConfigurationName: configurationName),
      noted.count == entities.count
    else { return false }
    return entities.allSatisfy { entity in
      guard case .data(let bytes)? = noted[entity.name] else { return false }
      return entityVersionHashesByName[entity.name]?.bytes == Array(bytes)
    }
  }
}

extension Sequence where Element == ManagedObjectModel {
  /// The model that a store was made with, by its metadata; nil if none of these is.
  ///
  ///     ManagedObjectModel.dogWalkVersions.values.first(compatibleWithStoreMetadata: metadata)
  ///
  /// Versions may have equal hashes; then the one whose identifiers are in the metadata takes
  /// precedence.
  public func first(
    compatibleWithStoreMetadata metadata: [String: PropertyList], configurationName: String? = nil
  ) -> ManagedObjectModel? {
    let compatible = filter {
      $0.isCompatible(withStoreMetadata: metadata, configurationName: configurationName)
    }
    guard case .array(let identifiers)? = metadata["NSStoreModelVersionIdentifiers"] else {
      return compatible.first
    }
    let named = compatible.first { $0.versionIdentifiers.map(PropertyList.string) == identifiers }
    return named ?? compatible.first
  }
}

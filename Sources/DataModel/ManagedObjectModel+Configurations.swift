extension ManagedObjectModel {
  /// The names of the configurations, sorted.
  ///
  /// A configuration is a set of entities, so that each of several stores may contain a part of the
  /// model.
  public var configurations: [String] { entityNamesByConfiguration.keys.sorted() }

  /// The entities of a configuration; all for nil.
  ///
  /// nil if there is no configuration of that name.
  public func entities(forConfigurationName name: String?) -> [EntityDescription]? {
    guard let name else { return entities }
    return entityNamesByConfiguration[name]?.compactMap { entitiesByName[$0] }
  }
}

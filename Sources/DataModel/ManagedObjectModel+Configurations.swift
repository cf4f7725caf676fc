extension ManagedObjectModel {
  /// The names of the configurations, sorted.
  ///
  /// A configuration names some entities, so that each of several stores may hold a part of the
  /// model.
  public var configurations: [String] { entityNamesByConfiguration.keys.sorted() }

  /// The entities of a configuration; all for nil, and nil where there is no configuration of that
  /// name.
  public func entities(forConfigurationName name: String?) -> [EntityDescription]? {
    guard let name else { return entities }
    return entityNamesByConfiguration[name]?.compactMap { entitiesByName[$0] }
  }
}

extension ManagedObjectModel {
  /// Looks classes up by name at run time; called by code that momc generates.
  ///
  ///     ManagedObjectModel.classes(named: ["Dog", "Kennel.Walk"], besideFile: #fileID)
  ///
  /// A class is looked up in the module that its name specifies, then in that of the file. One that
  /// does not exist, or is not at a file's top level, is omitted: its entity has plain managed
  /// objects.
  public static func classes(
    named names: [String], besideFile fileID: String
  ) -> [String: AnyClass] {
    let module = fileID.prefix { $0 != "/" }
    var classes: [String: AnyClass] = [:]
    for name in names {
      let plainName = String(name.split(separator: ".").last ?? "")
      let candidates = name == plainName ? [] : [name]
      for candidate in candidates + ["\(module).\(plainName)"] {
        // NSClassFromString calls the same function, which is available without Foundation.
        guard let found = _typeByName(candidate) as? AnyClass else { continue }
        classes[plainName] = found
        break
      }
    }
    return classes
  }

  /// The model with classes for its entities, whose accessors look values up by name.
  package func withClasses(_ classes: [String: AnyClass]) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: entities, versionIdentifiers: versionIdentifiers,
      configurations: entityNamesByConfiguration,
      fetchRequestTemplates: fetchRequestTemplatesByName, classes: classes)
  }

  /// The model with plain managed objects for all its entities.
  package var withoutClasses: ManagedObjectModel {
    ManagedObjectModel(
      entities: entities, versionIdentifiers: versionIdentifiers,
      configurations: entityNamesByConfiguration,
      fetchRequestTemplates: fetchRequestTemplatesByName,
      versionHashes: isCompiled ? entityVersionHashesByName : nil)
  }
}

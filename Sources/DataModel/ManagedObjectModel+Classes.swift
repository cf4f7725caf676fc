extension ManagedObjectModel {
  /// Finds classes by their names while the program runs; momc writes calls of it.
  ///
  ///     ManagedObjectModel.classes(named: ["Dog", "Kennel.Walk"], besideFile: #fileID)
  ///
  /// A class is looked for in the module that its name tells, then in that of the file. One that is
  /// not there, or not at a file's top level, is left out: its entity has plain managed objects.
  public static func classes(
    named names: [String], besideFile fileID: String
  ) -> [String: AnyClass] {
    let module = fileID.prefix { $0 != "/" }
    var classes: [String: AnyClass] = [:]
    for name in names {
      let plainName = String(name.split(separator: ".").last ?? "")
      let candidates = name == plainName ? [] : [name]
      for candidate in candidates + ["\(module).\(plainName)"] {
        // What NSClassFromString asks too, and what there is without Foundation.
        guard let found = _typeByName(candidate) as? AnyClass else { continue }
        classes[plainName] = found
        break
      }
    }
    return classes
  }

  /// The model with classes for its entities, whose accessors find their values by name.
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

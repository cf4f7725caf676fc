/// Checks who inherits from whom.
enum InheritanceChecks {
  static func check(_ model: SourceModel, _ log: inout DiagnosticLog) {
    let byName = model.entitiesByName
    for entity in model.entities {
      guard let parentName = entity.parentName else { continue }
      if byName[parentName] == nil {
        log.error(
          "the parent of '\(entity.name)' is '\(parentName)', but there is no such entity",
          at: entity.location)
        continue
      }
      let lineage = model.lineage(of: entity)
      // The lineage stops before a name that comes twice; whoever closes the circle is told.
      if let last = lineage.last, let next = last.parentName, next == entity.name {
        let circle = (lineage.map(\.name) + [next]).joined(separator: " → ")
        log.error("'\(entity.name)' is its own ancestor: \(circle)", at: entity.location)
        continue
      }
      checkRedeclarations(in: entity, ancestors: lineage.dropFirst(), &log)
    }
  }

  private static func checkRedeclarations(
    in entity: SourceEntity, ancestors: ArraySlice<SourceEntity>, _ log: inout DiagnosticLog
  ) {
    for property in entity.properties {
      let owner = ancestors.first { ancestor in
        ancestor.properties.contains { $0.name == property.name }
      }
      guard let owner else { continue }
      log.error(
        "'\(entity.name)' inherits '\(property.name)' from '\(owner.name)'; declaring it anew "
          + "is not supported yet",
        at: property.location)
    }
  }
}

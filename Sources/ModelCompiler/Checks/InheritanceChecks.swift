/// Checks the inheritance of entities.
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
      if lineage.count > SourceModel.maximumLineage {
        log.error(
          "'\(entity.name)' inherits through more than \(SourceModel.maximumLineage) entities",
          at: entity.location)
        continue
      }
      // The lineage stops before a repeated name; the error is reported for each entity of the
      // cycle.
      if let last = lineage.last, let next = last.parentName, next == entity.name {
        let circle = (lineage.map(\.name) + [next]).joined(separator: " → ")
        log.error("'\(entity.name)' is its own ancestor: \(circle)", at: entity.location)
        continue
      }
      checkRedeclarations(in: entity, ancestors: lineage.dropFirst(), &log)
    }
  }

  /// Checks that properties declared again are of the same kind as inherited ones.
  private static func checkRedeclarations(
    in entity: SourceEntity, ancestors: ArraySlice<SourceEntity>, _ log: inout DiagnosticLog
  ) {
    var inherited: [String: (kind: SourceEntity.PropertyKind, owner: String)] = [:]
    for ancestor in ancestors {
      for property in ancestor.properties {
        inherited[property.name] = (property.kind, ancestor.name)
      }
    }
    for property in entity.properties {
      guard let (kind, owner) = inherited[property.name], kind != property.kind else { continue }
      log.error(
        "'\(entity.name)' inherits '\(property.name)' from '\(owner)' as \(kind.rawValue); it cannot "
          + "be \(property.kind.rawValue) here",
        at: property.location)
    }
  }
}

import DataModel

/// Checks that uniqueness constraints and fetch indexes refer to columns of the store.
enum IndexChecks {
  static func check(_ model: SourceModel, _ log: inout DiagnosticLog) {
    for entity in model.entities {
      let columns = Columns(of: entity, in: model)
      for constraint in entity.uniquenessConstraints {
        if constraint.propertyNames.isEmpty {
          log.error(
            "a uniqueness constraint of '\(entity.name)' names no property",
            at: constraint.location)
        }
        for name in constraint.propertyNames where !name.isEmpty {
          columns.check(name, for: "the uniqueness constraint", at: constraint.location, &log)
        }
      }
      for index in entity.compoundIndexes {
        for name in index.propertyNames where !name.isEmpty {
          columns.check(
            name, for: "the compound index", isNeeded: false, at: index.location, &log)
        }
      }
      checkIndexes(of: entity, columns, &log)
    }
  }

  private static func checkIndexes(
    of entity: SourceEntity, _ columns: Columns, _ log: inout DiagnosticLog
  ) {
    var seen: Set<String> = []
    for index in entity.fetchIndexes {
      if !index.name.isEmpty, !seen.insert(index.name).inserted {
        log.error(
          "there is an index '\(index.name)' of '\(entity.name)' already", at: index.location)
      }
      if index.elements.isEmpty {
        log.error("the index '\(index.name)' names no property", at: index.location)
      }
      for element in index.elements {
        if let name = element.propertyName {
          columns.check(
            name, for: "the index '\(index.name)'", isNeeded: false, at: element.location, &log)
        } else if element.expression == nil {
          log.error(
            "an element of the index '\(index.name)' names no property", at: element.location)
        }
      }
    }
  }

  /// The properties of an entity, with and without columns.
  private struct Columns {
    var entityName: String
    var stored: Set<String> = []
    var others: Set<String> = []
    /// Composite attributes, and whether they are stored; the columns of their elements are not
    /// listed, since there may be many.
    var prefixes: [String: Bool] = [:]

    init(of entity: SourceEntity, in model: SourceModel) {
      entityName = entity.name
      for ancestor in model.lineage(of: entity) {
        for property in ancestor.fetchedProperties { insert(property.name, isStored: false) }
        for attribute in ancestor.attributes {
          let elements = attribute.type == .composite ? model.elements(of: attribute) ?? [] : []
          insert(attribute.name, isStored: !attribute.isTransient && elements.isEmpty)
          prefixes[attribute.name] = elements.isEmpty ? nil : !attribute.isTransient
        }
        for relationship in ancestor.relationships {
          insert(
            relationship.name, isStored: !relationship.isTransient && !relationship.isToMany)
        }
      }
    }

    private mutating func insert(_ name: String, isStored: Bool) {
      if isStored { stored.insert(name) } else { others.insert(name) }
    }

    /// - Parameter isNeeded: Whether the store needs it; an index can be omitted.
    func check(
      _ name: String, for user: String, isNeeded: Bool = true, at location: SourceLocation,
      _ log: inout DiagnosticLog
    ) {
      if stored.contains(name) { return }
      let parts = name.split(separator: ".")
      if parts.count > 1, let first = parts.first, prefixes[String(first)] == true { return }
      guard others.contains(name) else {
        log.error(
          "\(user) names '\(name)', but '\(entityName)' has no such property", at: location)
        return
      }
      let problem = "\(user) names '\(entityName).\(name)', which is not a column of the store"
      if isNeeded {
        log.error(problem, at: location)
      } else {
        log.warning(problem + "; it is left out", at: location)
      }
    }
  }
}

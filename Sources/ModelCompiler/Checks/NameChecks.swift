/// Checks that names are valid in tables, predicates and Swift, and unique.
enum NameChecks {
  static func check(_ model: SourceModel, forSwift: Bool, _ log: inout DiagnosticLog) {
    checkEntityNames(model, &log)
    for entity in model.entities {
      checkPropertyNames(of: entity, forSwift: forSwift, &log)
    }
  }

  private static func checkEntityNames(_ model: SourceModel, _ log: inout DiagnosticLog) {
    var namesByTable: [String: String] = [:]
    for entity in model.entities where !entity.name.isEmpty {
      if !isIdentifier(entity.name) {
        log.error(
          "the entity '\(entity.name)' must be named with letters, digits and underscores, no "
            + "digit first",
          at: entity.location)
      } else if entity.name.first?.isLowercase == true {
        log.warning(
          "the entity '\(entity.name)' should be named with a capital letter first",
          at: entity.location)
      }
      // Table names in the store are in capitals.
      let table = entity.name.uppercased()
      if let earlier = namesByTable[table] {
        log.error(
          earlier == entity.name
            ? "there is an entity '\(entity.name)' already"
            : "the entities '\(earlier)' and '\(entity.name)' differ in capital letters only",
          at: entity.location)
      } else {
        namesByTable[table] = entity.name
      }
    }
  }

  private static func checkPropertyNames(
    of entity: SourceEntity, forSwift: Bool, _ log: inout DiagnosticLog
  ) {
    var seen: Set<String> = []
    for property in entity.properties where !property.name.isEmpty {
      let fullName = "\(entity.name).\(property.name)"
      if !isIdentifier(property.name) {
        log.error(
          "the property '\(fullName)' must be named with letters, digits and underscores, no digit "
            + "first",
          at: property.location)
      } else if ReservedNames.properties.contains(property.name) {
        log.error(
          "the property '\(fullName)' cannot have this name: every managed object has a "
            + "member '\(property.name)'",
          at: property.location)
      } else if ReservedNames.memberNames.contains(property.name) {
        // Such a name only conflicts with accessors, and is allowed in a store.
        let isObstacle = forSwift && entity.codeGeneration != .manual && !entity.isHandwritten
        log.append(
          Diagnostic(
            isObstacle ? .error : .warning,
            "the property '\(fullName)' has the name of a member that managed objects have"
              + (entity.isHandwritten ? "; it has no accessor" : ""),
            at: property.location))
      } else if property.name.first?.isUppercase == true {
        log.warning(
          "the property '\(fullName)' should be named with a small letter first",
          at: property.location)
      }
      if !seen.insert(property.name).inserted {
        log.error("there is a property '\(fullName)' already", at: property.location)
      }
    }
  }

  /// Returns whether a text is an identifier: letters, digits and underscores, without a leading
  /// digit.
  static func isIdentifier(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    guard let first = scalars.first, first == "_" || first.properties.isXIDStart else {
      return false
    }
    return scalars.allSatisfy { $0.properties.isXIDContinue }
  }
}

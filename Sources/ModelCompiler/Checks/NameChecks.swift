/// Checks that every name can stand in a table, in a predicate and in Swift, and occurs once.
enum NameChecks {
  static func check(_ model: SourceModel, _ log: inout DiagnosticLog) {
    checkEntityNames(model, &log)
    for entity in model.entities {
      checkPropertyNames(of: entity, &log)
    }
  }

  private static func checkEntityNames(_ model: SourceModel, _ log: inout DiagnosticLog) {
    var namesByTable: [String: String] = [:]
    for entity in model.entities where !entity.name.isEmpty {
      if !isName(entity.name, startingWith: { $0.isUppercase }) {
        log.error(
          "the entity '\(entity.name)' must be named with a capital letter first and only "
            + "letters A to Z, digits and underscores after it",
          at: entity.location)
      }
      // The store's tables are named in capitals.
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
    of entity: SourceEntity, _ log: inout DiagnosticLog
  ) {
    var seen: Set<String> = []
    for property in entity.properties where !property.name.isEmpty {
      let fullName = "\(entity.name).\(property.name)"
      if !isName(property.name, startingWith: { $0.isLowercase }) {
        log.error(
          "the property '\(fullName)' must be named with a small letter first and only "
            + "letters A to Z, digits and underscores after it",
          at: property.location)
      } else if ReservedNames.properties.contains(property.name) {
        log.error(
          "the property '\(fullName)' cannot have this name: every managed object has a "
            + "member '\(property.name)'",
          at: property.location)
      }
      if !seen.insert(property.name).inserted {
        log.error("there is a property '\(fullName)' already", at: property.location)
      }
    }
  }

  private static func isName(_ name: String, startingWith isStart: (Character) -> Bool) -> Bool {
    guard let first = name.first, first.isASCII, first.isLetter, isStart(first) else {
      return false
    }
    return isIdentifier(name)
  }

  /// Whether a text is made of the ASCII letters, digits and underscores, no digit first.
  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
    return name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}

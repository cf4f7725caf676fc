/// Checks the classes of the entities' objects, as far as Swift is to be written for them.
enum ClassChecks {
  static func check(_ model: SourceModel, _ log: inout DiagnosticLog) {
    var ownersByClass: [String: String] = [:]
    for entity in model.entities {
      guard let className = entity.className else {
        if entity.codeGeneration != .manual {
          log.error(
            "accessors are to be written for '\(entity.name)', but it names no class",
            at: entity.location)
        }
        continue
      }
      if !NameChecks.isIdentifier(className) || ReservedNames.classes.contains(className) {
        log.error(
          "'\(className)' cannot be the name of a class for '\(entity.name)'",
          at: entity.location)
      }
      if let owner = ownersByClass[className] {
        log.error(
          "'\(owner)' and '\(entity.name)' have the class '\(className)' both, which is not "
            + "supported yet",
          at: entity.location)
      } else {
        ownersByClass[className] = entity.name
      }
    }
  }
}

import DataModel

/// A relationship as its file says it.
struct SourceRelationship: Sendable {
  var name: String
  var location: SourceLocation
  /// The entity at the other end; nil where none is chosen.
  var destinationName: String?
  var inverseName: String?
  /// The entity that Xcode notes the inverse under; must be the destination.
  var inverseEntityName: String?
  var isOptional: Bool
  var isTransient: Bool
  var isOrdered: Bool
  var minCount: Int
  /// The most objects at the other end; 0 for no bound.
  var maxCount: Int
  var deleteRule: RelationshipDescription.DeleteRule
  var versionHashModifier: String?
  var renamingIdentifier: String?
  var userInfo: [String: String]

  /// Whether any number of objects may stand at the other end.
  var isToMany: Bool { maxCount != 1 }

  /// Reads a `relationship` element.
  init(_ element: SourceElement, _ log: inout DiagnosticLog) {
    name = element.required("name", &log)
    location = element.location
    destinationName = element.text("destinationEntity")
    inverseName = element.text("inverseName")
    inverseEntityName = element.text("inverseEntity")
    isOptional = element.flag("optional", &log)
    isTransient = element.flag("transient", &log)
    isOrdered = element.flag("ordered", &log)
    minCount = element.count("minCount", &log) ?? 0
    maxCount = Self.maxCount(element, &log)
    deleteRule = Self.deleteRule(element, &log)
    versionHashModifier = element.text("versionHashModifier")
    renamingIdentifier = element.text("elementID")
    userInfo = element.userInfo(&log)
    if maxCount != 0, minCount > maxCount {
      log.error("minCount \(minCount) is more than maxCount \(maxCount)", at: location)
    }
  }

  /// The bound, which Xcode leaves out for a to-many without one.
  private static func maxCount(_ element: SourceElement, _ log: inout DiagnosticLog) -> Int {
    let isToMany = element.flag("toMany", &log)
    let maxCount = element.count("maxCount", &log) ?? (isToMany ? 0 : 1)
    if isToMany, maxCount == 1 {
      // To Core Data the count alone makes a to-many.
      log.warning("a to-many with maxCount 1 is a to-one", at: element.location)
    } else if !isToMany, maxCount != 1 {
      log.error("a to-one cannot have maxCount \(maxCount)", at: element.location)
    }
    return maxCount
  }

  private static func deleteRule(
    _ element: SourceElement, _ log: inout DiagnosticLog
  ) -> RelationshipDescription.DeleteRule {
    switch element["deletionRule"] {
    case "Nullify", nil: return .nullify
    case "Cascade": return .cascade
    case "Deny": return .deny
    case "No Action": return .noAction
    case let other?:
      log.error(
        "deletionRule is '\(other)', but must be Nullify, Cascade, Deny or No Action",
        at: element.location)
      return .nullify
    }
  }
}

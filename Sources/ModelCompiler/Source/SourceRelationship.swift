import DataModel

/// A relationship as parsed.
struct SourceRelationship: Sendable {
  var name: String
  var location: SourceLocation
  /// The destination entity; nil if none is chosen.
  var destinationName: String?
  var inverseName: String?
  /// The entity of the inverse according to Xcode, which must be the destination.
  var inverseEntityName: String?
  var isOptional: Bool
  var isTransient: Bool
  var isOrdered: Bool
  var minCount: Int
  /// The maximum number of objects; 0 for no limit.
  var maxCount: Int
  var deleteRule: RelationshipDescription.DeleteRule
  var versionHashModifier: String?
  var renamingIdentifier: String?
  var userInfo: [String: String]

  /// Whether it is a to-many relationship.
  var isToMany: Bool { maxCount != 1 }

  /// Interprets a `relationship` element.
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

  /// Returns the maximum count, which Xcode omits for a to-many without one.
  private static func maxCount(_ element: SourceElement, _ log: inout DiagnosticLog) -> Int {
    let isToMany = element.flag("toMany", &log)
    let maxCount = element.count("maxCount", &log) ?? (isToMany ? 0 : 1)
    if isToMany, maxCount == 1 {
      // Core Data only considers the count.
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

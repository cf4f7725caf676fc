/// The types that accessors use.
enum AccessorStyle: Sendable {
  /// Swift's types: `String` for required values, `Set<Walk>`, `Int16?`.
  case swift
  /// The types that Xcode uses: `String?`, `NSSet?`, `NSNumber?`; for targets that import
  /// CoreDataNames.
  case coreData

  /// Returns the collection type of a to-many relationship.
  func collection(of memberClass: String, isOrdered: Bool) -> String {
    switch self {
    case .swift: "\(isOrdered ? "OrderedSet" : "Set")<\(memberClass)>"
    case .coreData: isOrdered ? "NSOrderedSet" : "NSSet"
    }
  }
}

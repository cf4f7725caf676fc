/// In whose types accessors speak.
enum AccessorStyle: Sendable {
  /// Swift's: `String` of what is required, `Set<Walk>`, `Int16?`.
  case swift
  /// Those that Xcode writes: `String?`, `NSSet?`, `NSNumber?`; for targets that import
  /// CoreDataNames.
  case coreData

  /// The type of a to-many's members together.
  func collection(of memberClass: String, isOrdered: Bool) -> String {
    switch self {
    case .swift: "\(isOrdered ? "OrderedSet" : "Set")<\(memberClass)>"
    case .coreData: isOrdered ? "NSOrderedSet" : "NSSet"
    }
  }
}

/// The Swift type of a transformable's values, by the class that a model names.
///
///     SwiftTypeName("[URL]")?.text      // "[URL]"
///     SwiftTypeName("NSArray") == nil   // there is no Foundation class where Swift runs alone
struct SwiftTypeName: Sendable {
  /// The type, without the question mark.
  let text: String
  /// Whether it names a type of Foundation.
  let needsFoundation: Bool

  /// Takes a class for a Swift type; nil where it is none, or one of Objective-C's.
  init?(_ className: String) {
    guard Self.isPlausible(className) else { return nil }
    let words = className.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    let isFoundationClass = words.contains { word in
      word.hasPrefix("NS") && word.dropFirst(2).first?.isUppercase == true
    }
    if isFoundationClass { return nil }
    text = className
    needsFoundation = words.contains { Self.foundationTypes.contains(String($0)) }
  }

  /// Whether a text can stand where a type stands: names, dots, brackets, and what joins them.
  static func isPlausible(_ className: String) -> Bool {
    guard let first = className.first, first.isLetter || first == "[" || first == "_" else {
      return false
    }
    return className.allSatisfy { $0.isLetter || $0.isNumber || "_.,:<>[]? ".contains($0) }
  }

  private static let foundationTypes: Set<String> = [
    "Calendar", "Data", "Date", "DateComponents", "DateInterval", "Decimal", "IndexPath",
    "IndexSet", "Locale", "TimeInterval", "TimeZone", "URL", "UUID",
  ]
}

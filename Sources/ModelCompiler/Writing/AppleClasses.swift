/// The classes of Apple's frameworks in models, and the Swift types that replace them.
enum AppleClasses {
  /// The Swift types for Foundation's classes, and for Swift types that need generic arguments.
  static let swiftTypes: [String: String] = [
    "NSObject": "Any", "NSNumber": "Any", "AnyObject": "Any",
    "NSString": "String", "NSMutableString": "String",
    "NSDate": "Date", "NSData": "Data", "NSMutableData": "Data", "NSURL": "URL", "NSUUID": "UUID",
    "NSDecimalNumber": "Decimal",
    "NSArray": "[Any]", "NSMutableArray": "[Any]", "Array": "[Any]",
    "NSDictionary": "[AnyHashable: Any]", "NSMutableDictionary": "[AnyHashable: Any]",
    "Dictionary": "[AnyHashable: Any]",
    "NSSet": "Set<AnyHashable>", "NSMutableSet": "Set<AnyHashable>", "Set": "Set<AnyHashable>",
  ]

  /// Returns whether a class belongs to an Apple framework: `UIColor`, `CLLocation`.
  ///
  /// This is determined by the prefix, since the classes are only known on Apple's systems. A class
  /// of an app with such a prefix must be named with its module.
  static func contains(_ name: String) -> Bool {
    let capitals = name.prefix { $0.isASCII && $0.isUppercase }
    // The last capital begins the word after the prefix: `UIC` in `UIColor`.
    guard capitals.count < name.count else { return false }
    return prefixes.contains(String(capitals.dropLast()))
  }

  private static let prefixes: Set<String> = [
    "AV", "CA", "CG", "CI", "CK", "CL", "CM", "CN", "CT", "CV", "EK", "GK", "HK", "HM", "IN", "LP",
    "MK", "MP", "MT", "NS", "PDF", "PH", "PK", "SCN", "SF", "SK", "UI", "UN", "VN", "WK",
  ]
}

/// Which classes of Apple's frameworks models name, and what stands for them in Swift.
enum AppleClasses {
  /// The Swift types of Foundation's classes, and of Swift's own that need to be told of what.
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

  /// Whether a class is one of Apple's: `UIColor`, `CLLocation`.
  ///
  /// Told by the frameworks' prefixes, since only they know their classes. One of the app's own
  /// that has such a prefix is named with its module.
  static func contains(_ name: String) -> Bool {
    let capitals = name.prefix { $0.isASCII && $0.isUppercase }
    // The last capital begins the word behind the prefix: `UIC` of `UIColor`.
    guard capitals.count < name.count else { return false }
    return prefixes.contains(String(capitals.dropLast()))
  }

  private static let prefixes: Set<String> = [
    "AV", "CA", "CG", "CI", "CK", "CL", "CM", "CN", "CT", "CV", "EK", "GK", "HK", "HM", "IN", "LP",
    "MK", "MP", "MT", "NS", "PDF", "PH", "PK", "SCN", "SF", "SK", "UI", "UN", "VN", "WK",
  ]
}

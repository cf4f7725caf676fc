/// The Swift type of a transformable attribute, from the class named in the model.
///
///     SwiftTypeName("[URL]")?.text        // "[URL]"
///     SwiftTypeName("NSArray")?.text      // "[Any]"
///     SwiftTypeName("UIColor")?.text      // "Data": only Apple's systems have the class
///     SwiftTypeName("Array<Int") == nil   // no type can be named so
struct SwiftTypeName: Sendable {
  /// The type, without a question mark.
  let text: String
  /// Whether it includes a type from Foundation.
  let needsFoundation: Bool
  /// Whether the class is from an Apple framework, so that the values are the stored bytes.
  let isAppleClass: Bool

  /// Creates the type of a class; nil if the name is not a valid type.
  init?(_ className: String) {
    var reader = TypeNameReader(className)
    guard let type = reader.read() else { return nil }
    isAppleClass = reader.namesAppleClass
    text = isAppleClass ? "Data" : type
    needsFoundation = isAppleClass || reader.namesFoundationType
  }
}

/// Parses a type: a name with generic arguments or members, an array, or a dictionary, all possibly
/// optional.
private struct TypeNameReader {
  /// Whether a name is a class that only exists on Apple's systems.
  private(set) var namesAppleClass = false
  /// Whether a name is a type from Foundation.
  private(set) var namesFoundationType = false

  private var rest: Substring
  private var depth = 0

  /// The maximum nesting depth, beyond that of any real model.
  private static let maximumDepth = 16

  init(_ text: String) { rest = text[...] }

  /// Returns the whole text as a Swift type; nil if it is not one.
  mutating func read() -> String? {
    guard let type = readType() else { return nil }
    skipSpaces()
    return rest.isEmpty ? type : nil
  }

  private mutating func readType() -> String? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { return nil }
    guard var type = take("[") ? readCollection() : readName() else { return nil }
    while take("?") { type += "?" }
    return type
  }

  /// Reads `Element]` or `Key: Value]`.
  private mutating func readCollection() -> String? {
    guard var text = readType() else { return nil }
    if take(":") {
      guard let value = readType() else { return nil }
      text += ": \(value)"
    }
    return take("]") ? "[\(text)]" : nil
  }

  /// Reads `Name`, `Module.Name` or `Name<Argument, …>`.
  private mutating func readName() -> String? {
    var parts: [String] = []
    repeat {
      skipSpaces()
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard NameChecks.isIdentifier(String(name)) else { return nil }
      rest.removeFirst(name.count)
      var part = SwiftName.escaped(String(name))
      if take("<") {
        var arguments: [String] = []
        repeat {
          guard let argument = readType() else { return nil }
          arguments.append(argument)
        } while take(",")
        guard take(">") else { return nil }
        part += "<\(arguments.joined(separator: ", "))>"
      }
      parts.append(part)
    } while take(".")
    return parts.count == 1 ? swiftType(parts[0]) : parts.joined(separator: ".")
  }

  /// Returns the Swift type for a name; a name qualified with its module stays unchanged.
  private mutating func swiftType(_ name: String) -> String {
    let type = AppleClasses.swiftTypes[name] ?? name
    if AppleClasses.swiftTypes[name] == nil, AppleClasses.contains(name) { namesAppleClass = true }
    if Self.foundationTypes.contains(type) { namesFoundationType = true }
    return type
  }

  private mutating func take(_ character: Character) -> Bool {
    skipSpaces()
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipSpaces() { rest = rest.drop { $0 == " " } }

  private static let foundationTypes: Set<String> = [
    "Calendar", "Data", "Date", "DateComponents", "DateInterval", "Decimal", "IndexPath",
    "IndexSet", "Locale", "TimeInterval", "TimeZone", "URL", "UUID",
  ]
}

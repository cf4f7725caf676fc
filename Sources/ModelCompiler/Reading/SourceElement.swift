/// An element of a model's XML with its line, not yet interpreted.
struct SourceElement: Sendable {
  /// The name of the tag.
  var name: String
  /// The XML attributes, by name.
  var attributes: [String: String]
  /// The location of the tag's end.
  var location: SourceLocation
  /// The child elements, in order.
  var children: [SourceElement] = []

  /// The value of an XML attribute; nil if it is missing.
  subscript(attribute: String) -> String? { attributes[attribute] }

  /// Returns the child elements with a name.
  func children(named name: String) -> [SourceElement] {
    children.filter { $0.name == name }
  }

  /// Returns the value of a required XML attribute; logs an error and returns "" if it is missing.
  func required(_ attribute: String, _ log: inout DiagnosticLog) -> String {
    guard let text = self[attribute], !text.isEmpty else {
      log.error("this <\(name)> has no \(attribute)", at: location)
      return ""
    }
    return text
  }

  /// Returns the value of an XML attribute; nil if it is missing or empty.
  func text(_ attribute: String) -> String? {
    self[attribute].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns a flag, which Xcode writes as YES or NO; false if it is missing.
  func flag(_ attribute: String, _ log: inout DiagnosticLog) -> Bool {
    switch self[attribute] {
    case "YES": return true
    case "NO", nil: return false
    case let other?:
      log.error("\(attribute) is '\(other)', but must be YES or NO", at: location)
      return false
    }
  }

  /// Returns a count, which is not negative; nil if it is missing.
  func count(_ attribute: String, _ log: inout DiagnosticLog) -> Int? {
    guard let text = self[attribute] else { return nil }
    // Counts are stored and hashed as signed 32-bit numbers.
    guard let count = Int32(text), count >= 0 else {
      log.error("\(attribute) is '\(text)', but must be a whole number, 0 or more", at: location)
      return nil
    }
    return Int(count)
  }

  /// Returns the entries of `userInfo`; for a repeated key, the last one.
  func userInfo(_ log: inout DiagnosticLog) -> [String: String] {
    var userInfo: [String: String] = [:]
    for entry in children(named: "userInfo").flatMap({ $0.children(named: "entry") }) {
      userInfo[entry.required("key", &log)] = entry["value"] ?? ""
    }
    return userInfo
  }
}

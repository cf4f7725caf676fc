/// An element of a model's XML with the line it stands on; nothing is known of its meaning yet.
struct SourceElement: Sendable {
  /// The name in the tag.
  var name: String
  /// The XML attributes, by name.
  var attributes: [String: String]
  /// Where the tag ends.
  var location: SourceLocation
  /// The elements inside, in order.
  var children: [SourceElement] = []

  /// An XML attribute's text, nil where it is missing.
  subscript(attribute: String) -> String? { attributes[attribute] }

  /// The elements of one name inside.
  func children(named name: String) -> [SourceElement] {
    children.filter { $0.name == name }
  }

  /// The text of an XML attribute that must be there; an error and "" otherwise.
  func required(_ attribute: String, _ log: inout DiagnosticLog) -> String {
    guard let text = self[attribute], !text.isEmpty else {
      log.error("this <\(name)> has no \(attribute)", at: location)
      return ""
    }
    return text
  }

  /// The text of an XML attribute; nil where it is missing or empty.
  func text(_ attribute: String) -> String? {
    self[attribute].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A flag, which Xcode writes as YES or NO; a missing one is NO.
  func flag(_ attribute: String, _ log: inout DiagnosticLog) -> Bool {
    switch self[attribute] {
    case "YES": return true
    case "NO", nil: return false
    case let other?:
      log.error("\(attribute) is '\(other)', but must be YES or NO", at: location)
      return false
    }
  }

  /// A number of objects, 0 or more; nil where it is missing.
  func count(_ attribute: String, _ log: inout DiagnosticLog) -> Int? {
    guard let text = self[attribute] else { return nil }
    // A count is kept and hashed as a signed number of 32 bits.
    guard let count = Int32(text), count >= 0 else {
      log.error("\(attribute) is '\(text)', but must be a whole number, 0 or more", at: location)
      return nil
    }
    return Int(count)
  }

  /// What the developer noted under `userInfo`, by key; of several with one key the last.
  func userInfo(_ log: inout DiagnosticLog) -> [String: String] {
    var userInfo: [String: String] = [:]
    for entry in children(named: "userInfo").flatMap({ $0.children(named: "entry") }) {
      userInfo[entry.required("key", &log)] = entry["value"] ?? ""
    }
    return userInfo
  }
}

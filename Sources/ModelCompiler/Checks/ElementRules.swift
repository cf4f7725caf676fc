/// The allowed child elements in a model's XML.
///
/// Only the XML is checked, so that anything which later stages do not read is reported. Elements
/// that only Xcode's editor uses (geometry, sync settings) are ignored.
enum ElementRules {
  /// The allowed children of each element; elements without an entry are not checked.
  private static let children: [String: Set<String>] = [
    "model": [
      "entity", "composite", "compositeAttribute", "fetchRequest", "configuration", "elements",
    ],
    "entity": [
      "attribute", "relationship", "fetchedProperty", "fetchIndex", "uniquenessConstraints",
      "compoundIndexes", "userInfo",
    ],
    "attribute": ["attribute", "userInfo"],
    "composite": ["attribute", "userInfo"],
    "compositeAttribute": ["attribute", "userInfo"],
    "relationship": ["userInfo"],
    "fetchedProperty": ["fetchRequest", "userInfo"],
    "fetchIndex": ["fetchIndexElement"],
    "uniquenessConstraints": ["uniquenessConstraint"],
    "uniquenessConstraint": ["constraint"],
    "compoundIndexes": ["compoundIndex"],
    "compoundIndex": ["index"],
    "configuration": ["memberEntity"],
    "userInfo": ["entry"],
  ]

  /// Checks an element and its descendants.
  static func check(_ element: SourceElement, _ log: inout DiagnosticLog) {
    guard let known = children[element.name] else { return }
    for child in element.children {
      if known.contains(child.name) {
        check(child, &log)
      } else {
        log.warning(
          "<\(child.name)> is not known inside <\(element.name)>; it is left out",
          at: child.location)
      }
    }
  }
}

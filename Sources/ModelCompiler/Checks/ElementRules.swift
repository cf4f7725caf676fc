/// Which elements a model's XML may have where.
///
/// Looks at the XML alone, so that nothing which a later stage does not read is lost in silence.
/// What only Xcode's editor reads (geometry, sync settings) is passed over.
enum ElementRules {
  /// The elements that each element may have inside; those without an entry are not looked into.
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

  /// Checks an element and all inside it.
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

/// Which elements a model's XML may have where, and which of Xcode's features are not supported
/// yet.
///
/// Looks at the XML alone, so that nothing which a later stage does not read is lost in silence.
/// What only the editor or the developer's own code reads (geometry, user info, sync settings) is
/// passed over.
enum ElementRules {
  /// The elements that each element may have inside; those without an entry are not looked into.
  private static let children: [String: Set<String>] = [
    "model": ["entity", "composite", "fetchRequest", "configuration", "elements"],
    "entity": [
      "attribute", "relationship", "fetchedProperty", "fetchIndex", "uniquenessConstraints",
      "compoundIndexes", "userInfo",
    ],
    "attribute": ["userInfo"],
    "relationship": ["userInfo"],
    "fetchIndex": ["fetchIndexElement"],
    "uniquenessConstraints": ["uniquenessConstraint"],
    "uniquenessConstraint": ["constraint"],
  ]

  /// Elements without which the store or the written Swift would be wrong.
  private static let unsupportedElements = [
    "composite": "composite attributes are not supported yet",
    "configuration": "configurations are not supported yet",
    "fetchedProperty": "fetched properties are not supported yet",
  ]

  /// Elements that can be left out without harm to what is stored.
  private static let ignoredElements = [
    "compoundIndexes": "compound indexes are not supported yet: use fetch indexes",
    "fetchRequest": "fetch requests of the model are not supported yet; this one is left out",
  ]

  /// XML attributes that are errors: by element, what it says, and the sentence.
  private static let unsupportedSettings: [(String, String, String, String)] = [
    ("attribute", "derived", "YES", "derived attributes are not supported yet"),
    (
      "attribute", "attributeType", "Transformable",
      "transformable attributes are not supported yet"
    ),
    ("attribute", "attributeType", "Composite", "composite attributes are not supported yet"),
    (
      "attribute", "allowsExternalBinaryDataStorage", "YES",
      "external storage of binary data is not supported yet"
    ),
    ("relationship", "transient", "YES", "transient relationships are not supported yet"),
    ("fetchIndexElement", "type", "RTree", "R-tree indexes are not supported yet"),
  ]

  /// XML attributes that are errors whatever they say.
  private static let unsupportedTexts: [(String, String, String)] = [
    ("fetchIndex", "partialIndexPredicate", "partial indexes are not supported yet"),
    ("fetchIndexElement", "expression", "indexes of expressions are not supported yet"),
  ]

  /// Rules for values, which a save does not look at yet.
  private static let validations = [
    "minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval",
    "regularExpressionString",
  ]

  /// Checks an element and all inside it.
  static func check(_ element: SourceElement, _ log: inout DiagnosticLog) {
    checkSettings(of: element, &log)
    guard let known = children[element.name] else { return }
    for child in element.children {
      if !known.contains(child.name) {
        log.warning(
          "<\(child.name)> is not known inside <\(element.name)>; it is left out",
          at: child.location)
      } else if let message = unsupportedElements[child.name] {
        log.error(message, at: child.location)
      } else if let message = ignoredElements[child.name] {
        log.warning(message, at: child.location)
      } else {
        check(child, &log)
      }
    }
  }

  private static func checkSettings(of element: SourceElement, _ log: inout DiagnosticLog) {
    for (name, attribute, value, message) in unsupportedSettings
    where element.name == name && element[attribute] == value {
      log.error(message, at: element.location)
    }
    for (name, attribute, message) in unsupportedTexts
    where element.name == name && element.text(attribute) != nil {
      log.error(message, at: element.location)
    }
    guard element.name == "attribute" else { return }
    for validation in validations where element[validation] != nil {
      log.warning(
        "\(validation) is not supported yet; no value is held against it",
        at: element.location)
    }
    if element["indexed"] == "YES" {
      log.warning(
        "indexed attributes are not supported yet: use fetch indexes",
        at: element.location)
    }
  }
}

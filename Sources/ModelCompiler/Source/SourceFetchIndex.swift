import DataModel

/// A fetch index as parsed.
struct SourceFetchIndex: Sendable {
  /// A property of an index.
  struct Element: Sendable {
    /// The property; nil if none is named.
    var propertyName: String?
    /// The expression that is indexed instead of a property.
    var expression: String?
    var collationType: FetchIndexDescription.CollationType
    var isAscending: Bool
    var location: SourceLocation
  }

  var name: String
  var location: SourceLocation
  var elements: [Element]
  /// The predicate for the rows in the index.
  var partialIndexPredicate: String?

  /// Interprets a `fetchIndex` element.
  init(_ element: SourceElement, _ log: inout DiagnosticLog) {
    name = element.required("name", &log)
    location = element.location
    elements = element.children(named: "fetchIndexElement").map { Self.element($0, &log) }
    partialIndexPredicate =
      element.text("partialIndexPredicate") ?? element.text("partialIndexPredicateString")
  }

  private static func element(_ element: SourceElement, _ log: inout DiagnosticLog) -> Element {
    let order = element["order"] ?? "ascending"
    if order != "ascending", order != "descending" {
      log.error("order is '\(order)', but must be ascending or descending", at: element.location)
    }
    let type = element["type"] ?? "Binary"
    if !["binary", "rtree"].contains(type.lowercased()) {
      log.error("type is '\(type)', but must be Binary or RTree", at: element.location)
    }
    return Element(
      propertyName: element.text("property"), expression: element.text("expression"),
      collationType: type.lowercased() == "rtree" ? .rTree : .binary,
      isAscending: order != "descending",
      location: element.location)
  }
}

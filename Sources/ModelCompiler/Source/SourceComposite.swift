/// A composite type as parsed: a named group of attributes.
struct SourceComposite: Sendable {
  var name: String
  var location: SourceLocation
  var elements: [SourceAttribute]

  /// Interprets a `composite` element.
  init(_ element: SourceElement, _ log: inout DiagnosticLog) {
    name = element.required("name", &log)
    location = element.location
    elements = element.children(named: "attribute").map { SourceAttribute($0, &log) }
  }
}

/// A composite type as its file says it: attributes that stand under one name.
struct SourceComposite: Sendable {
  var name: String
  var location: SourceLocation
  var elements: [SourceAttribute]

  /// Reads a `composite` element.
  init(_ element: SourceElement, _ log: inout DiagnosticLog) {
    name = element.required("name", &log)
    location = element.location
    elements = element.children(named: "attribute").map { SourceAttribute($0, &log) }
  }
}

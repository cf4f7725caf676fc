/// A configuration as parsed: the entities of its stores.
struct SourceConfiguration: Sendable {
  /// An entity of the configuration.
  struct Member: Sendable {
    var entityName: String
    var location: SourceLocation
  }

  var name: String
  var location: SourceLocation
  var members: [Member]

  /// Interprets a `configuration` element.
  init(_ element: SourceElement, _ log: inout DiagnosticLog) {
    name = element.required("name", &log)
    location = element.location
    members = element.children(named: "memberEntity").map {
      Member(entityName: $0.required("name", &log), location: $0.location)
    }
  }
}

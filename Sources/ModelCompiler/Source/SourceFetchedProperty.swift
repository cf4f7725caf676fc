/// A fetched property as its file says it.
struct SourceFetchedProperty: Sendable {
  var name: String
  var location: SourceLocation
  var isOptional: Bool
  /// What it looks for; nil where nothing is said.
  var fetchRequest: SourceFetchRequest?
  var renamingIdentifier: String?
  var userInfo: [String: String]

  /// Reads a `fetchedProperty` element.
  init(_ element: SourceElement, _ log: inout DiagnosticLog) {
    name = element.required("name", &log)
    location = element.location
    isOptional = element.flag("optional", &log)
    fetchRequest = element.children(named: "fetchRequest").first
      .map { SourceFetchRequest($0, &log) }
    renamingIdentifier = element.text("elementID")
    userInfo = element.userInfo(&log)
  }
}

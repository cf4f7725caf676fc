/// A fetched property as parsed.
struct SourceFetchedProperty: Sendable {
  var name: String
  var location: SourceLocation
  var isOptional: Bool
  /// Its fetch request; nil if there is none.
  var fetchRequest: SourceFetchRequest?
  var renamingIdentifier: String?
  var userInfo: [String: String]

  /// Interprets a `fetchedProperty` element.
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

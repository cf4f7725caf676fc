import DataModel

/// A fetch request as parsed: a template of the model, or a fetched property's.
struct SourceFetchRequest: Sendable {
  var name: String
  var location: SourceLocation
  /// The request; the name of its entity is "" if none is chosen.
  var description: FetchRequestDescription

  /// Interprets a `fetchRequest` element.
  ///
  /// Missing values have Core Data's defaults, which Xcode omits.
  init(_ element: SourceElement, _ log: inout DiagnosticLog) {
    name = element.required("name", &log)
    location = element.location
    description = FetchRequestDescription(
      entityName: element.text("entity") ?? "",
      predicateFormat: element.text("predicateString"),
      fetchLimit: element.count("fetchLimit", &log) ?? 0,
      fetchBatchSize: element.count("fetchBatchSize", &log) ?? 0,
      resultType: Self.resultType(element, &log))
    func flag(_ names: String..., default value: Bool) -> Bool {
      guard let name = names.first(where: { element[$0] != nil }) else { return value }
      return element.flag(name, &log)
    }
    description.includesSubentities = flag(
      "includeSubentities", "includesSubentities", default: true)
    description.includesPropertyValues = flag(
      "includePropertyValues", "includesPropertyValues", default: true)
    description.includesPendingChanges = flag(
      "includesPendingChanges", "includePendingChanges", default: true)
    description.returnsObjectsAsFaults = flag(
      "returnObjectsAsFaults", "returnsObjectsAsFaults", default: true)
    description.returnsDistinctResults = flag(
      "returnDistinctResults", "returnsDistinctResults", default: false)
  }

  private static func resultType(
    _ element: SourceElement, _ log: inout DiagnosticLog
  ) -> FetchRequestDescription.ResultType {
    guard let text = element.text("resultType") else { return .managedObject }
    if let type = Int(text).flatMap(FetchRequestDescription.ResultType.init) { return type }
    log.error("resultType is '\(text)', but must be 0, 1, 2 or 4", at: element.location)
    return .managedObject
  }
}

/// All checks of a version before its model is created.
enum ModelChecks {
  /// Runs all checks, each of which continues after errors.
  ///
  /// - Parameter forSwift: Whether accessors are generated for this version.
  static func check(_ model: SourceModel, forSwift: Bool, _ log: inout DiagnosticLog) {
    NameChecks.check(model, forSwift: forSwift, &log)
    InheritanceChecks.check(model, &log)
    if forSwift { ClassChecks.check(model, &log) }
    AttributeChecks.check(model, &log)
    CompositeChecks.check(model, &log)
    RelationshipChecks.check(model, &log)
    IndexChecks.check(model, &log)
    RequestChecks.check(model, &log)
  }
}

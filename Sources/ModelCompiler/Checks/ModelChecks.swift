/// Everything that is held against a version of a model before a value is made of it.
enum ModelChecks {
  /// Runs all checks; each looks at one subject and goes on after what it finds.
  ///
  /// - Parameter forSwift: Whether accessors are to be written for this version.
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

/// An error reported by an SQL engine.
protocol SQLEngineError: Error {
  /// A value occurs twice where a unique index allows it once.
  var isUniqueViolation: Bool { get }
  /// A table, column or index named in the statement is missing.
  var lacksPartOfSchema: Bool { get }
}

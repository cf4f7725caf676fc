/// The diagnostics of all stages, which continue after errors so that one run reports everything.
struct DiagnosticLog: Sendable {
  /// The diagnostics in the order found.
  private(set) var diagnostics: [Diagnostic] = []

  /// Whether one of them makes the model unusable.
  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// The diagnostics sorted by file and line, without duplicates.
  var sorted: [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return diagnostics.filter { seen.insert($0).inserted }
      .enumerated()
      .sorted {
        ($0.element.path, $0.element.line ?? 0, $0.offset)
          < ($1.element.path, $1.element.line ?? 0, $1.offset)
      }
      .map(\.element)
  }

  /// Adds an error.
  mutating func error(_ message: String, at location: SourceLocation) {
    diagnostics.append(Diagnostic(.error, message, at: location))
  }

  /// Adds a warning.
  mutating func warning(_ message: String, at location: SourceLocation) {
    diagnostics.append(Diagnostic(.warning, message, at: location))
  }

  /// Adds a diagnostic.
  mutating func append(_ diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
  }
}

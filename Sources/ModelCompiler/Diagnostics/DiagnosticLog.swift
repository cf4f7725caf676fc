/// What the stages found so far; each one adds to it and goes on, so that one run tells everything.
struct DiagnosticLog: Sendable {
  /// The diagnostics, in the order they were found.
  private(set) var diagnostics: [Diagnostic] = []

  /// Whether one of them makes the model unusable.
  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// The diagnostics in the order in which a reader meets their places, each once.
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

  /// Notes that the model cannot be used.
  mutating func error(_ message: String, at location: SourceLocation) {
    diagnostics.append(Diagnostic(.error, message, at: location))
  }

  /// Notes something doubtful.
  mutating func warning(_ message: String, at location: SourceLocation) {
    diagnostics.append(Diagnostic(.warning, message, at: location))
  }

  /// Takes over a diagnostic made elsewhere.
  mutating func append(_ diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
  }
}

/// An error or warning about a model, with its location.
///
/// ```text
/// DogWalk.xcdatamodel/contents:7: error: the relationship 'Walk.dog' refers to 'Dgo', but …
/// ```
///
/// Its description has the form that Xcode, SwiftPM and editors turn into a link to the line.
public struct Diagnostic: Error, Sendable, Hashable, CustomStringConvertible {
  /// The severity.
  public enum Severity: String, Sendable, Hashable {
    /// The model can still be used.
    case warning
    /// The model cannot be used.
    case error
  }

  /// The severity.
  public let severity: Severity
  /// The file or folder, with the path that the caller used.
  public let path: String
  /// The line, counted from 1; nil for the whole file or folder.
  public let line: Int?
  /// The problem, in one sentence without a full stop.
  public let message: String

  /// Creates a diagnostic at a position.
  init(_ severity: Severity, _ message: String, at location: SourceLocation) {
    self.severity = severity
    self.message = message
    path = location.path
    line = location.line
  }

  /// The diagnostic as one line: `path:line: error: message`.
  public var description: String {
    let position = if let line { "\(path):\(line)" } else { path }
    // Names and values in a model may contain line feeds.
    let line = String(message.map { $0.isNewline ? " " : $0 })
    return "\(position): \(severity.rawValue): \(line)"
  }
}

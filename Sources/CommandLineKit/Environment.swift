import DataFormats
import SystemLibraries

/// The environment variables of the process, or those of a test.
///
///     let environment = Environment(["TERM": "dumb"])
///     environment["TERM"]   // "dumb"
///
/// A look-up reads the process's environment directly: no dictionary is created at start.
package struct Environment: Sendable {
  private let lookUp: @Sendable (String) -> String?

  /// The variables of this process.
  package static let process = Environment { name in getenv(name).map { String(systemBytes: $0) } }

  private init(lookUp: @escaping @Sendable (String) -> String?) {
    self.lookUp = lookUp
  }

  /// Creates an environment with exactly these variables.
  package init(_ variables: [String: String]) {
    self.init { variables[$0] }
  }

  /// The value of a variable, which may be empty; `nil` if it is not set.
  package subscript(name: String) -> String? { lookUp(name) }

  /// The value of a variable that is set and not empty.
  package func nonEmpty(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

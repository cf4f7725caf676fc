import DataFormats
import SystemLibraries

/// The environment variables the program was started with, or a test's own.
///
///     let environment = Environment(["TERM": "dumb"])
///     environment["TERM"]   // "dumb"
///
/// Look-ups go straight to the process: no dictionary is made when the program starts.
package struct Environment: Sendable {
  private let lookUp: @Sendable (String) -> String?

  /// The variables of this process.
  package static let process = Environment { name in getenv(name).map { String(systemBytes: $0) } }

  private init(lookUp: @escaping @Sendable (String) -> String?) {
    self.lookUp = lookUp
  }

  /// Exactly these variables and no others.
  package init(_ variables: [String: String]) {
    self.init { variables[$0] }
  }

  /// The value of a variable, which may be empty; `nil` where it is not set.
  package subscript(name: String) -> String? { lookUp(name) }

  /// The value of a variable that is set and not empty.
  package func nonEmpty(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

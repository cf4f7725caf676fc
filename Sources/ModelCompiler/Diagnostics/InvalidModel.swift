/// A model that cannot be used, with everything that was found in it.
///
///     do { let compiled = try CompiledModel(contentsOf: url) } catch { print(error) }
///
/// Prints as one line a diagnostic.
public struct InvalidModel: Error, Sendable, Hashable, CustomStringConvertible {
  /// The errors and warnings, file by file and line by line; at least one is an error.
  public let diagnostics: [Diagnostic]

  /// The diagnostics, a line each.
  public var description: String {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}

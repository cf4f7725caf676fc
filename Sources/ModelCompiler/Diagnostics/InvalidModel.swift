/// A model that cannot be used, with all errors and warnings found in it.
///
///     do { let compiled = try CompiledModel(contentsOf: url) } catch { print(error) }
///
/// Its description has one line for each diagnostic.
public struct InvalidModel: Error, Sendable, Hashable, CustomStringConvertible {
  /// The errors and warnings, by file and line; at least one is an error.
  public let diagnostics: [Diagnostic]

  /// The diagnostics, one a line.
  public var description: String {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}

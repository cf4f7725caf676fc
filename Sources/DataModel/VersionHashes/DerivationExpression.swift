/// The expression of a derived attribute as Core Data hashes it; for what it says see `Derivation`.
///
///     DerivationExpression("walks.@count").canonicalText   // "count:(walks)"
package struct DerivationExpression: Sendable {
  /// The expression with collection operators as functions, which is how Core Data writes them.
  package let canonicalText: String

  /// Reads an expression of a model; one that has no collection operator stays as it is.
  package init(_ text: String) {
    let isPath = !text.isEmpty && text.utf8.allSatisfy { Self.pathCharacters.contains($0) }
    var path = text.split(separator: ".", omittingEmptySubsequences: false)
    guard isPath, let index = path.firstIndex(where: { $0.hasPrefix("@") }) else {
      canonicalText = text
      return
    }
    // The operator comes last; one that does not is none that a store would take.
    let operation = path.remove(at: index).dropFirst()
    canonicalText = "\(operation):(\(path.joined(separator: ".")))"
  }

  private static let pathCharacters = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.@".utf8)
}

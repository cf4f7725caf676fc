/// The expression of a derived attribute in the form that Core Data hashes; see also `Derivation`.
///
///     DerivationExpression("walks.@count").canonicalText   // "count:(walks)"
package struct DerivationExpression: Sendable {
  /// The expression with collection operators as functions, as Core Data writes them.
  package let canonicalText: String

  /// Reads an expression of a model; one without a collection operator is unchanged.
  package init(_ text: String) {
    let isPath = !text.isEmpty && text.utf8.allSatisfy { Self.pathCharacters.contains($0) }
    var path = text.split(separator: ".", omittingEmptySubsequences: false)
    guard isPath, let index = path.firstIndex(where: { $0.hasPrefix("@") }) else {
      canonicalText = text
      return
    }
    // A valid expression has the operator at the end; a store rejects any other.
    let operation = path.remove(at: index).dropFirst()
    canonicalText = "\(operation):(\(path.joined(separator: ".")))"
  }

  private static let pathCharacters = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.@".utf8)
}

/// The expression of a derived attribute, as a model writes it and as Core Data hashes it.
///
///     DerivationExpression("walks.@count").canonicalText   // "count:(walks)"
package struct DerivationExpression: Sendable {
  /// The expression with collection operators as functions, which is how Core Data writes them.
  package let canonicalText: String

  /// The function and the key path that it is of: `count` and `walks`; no function for a path alone,
  /// no path for `now()`.
  package var parts: (function: String?, path: [String]) {
    guard let open = canonicalText.firstIndex(of: "("), canonicalText.hasSuffix(")") else {
      return (nil, canonicalText.split(separator: ".").map(String.init))
    }
    let path = canonicalText[canonicalText.index(after: open)...].dropLast()
    let function = canonicalText[..<open]
    return (
      String(function.last == ":" ? function.dropLast() : function),
      path.split(separator: ".").map(String.init)
    )
  }

  /// Reads an expression of a model; one that has no collection operator stays as it is.
  package init(_ text: String) {
    let isPath = !text.isEmpty && text.utf8.allSatisfy { Self.pathCharacters.contains($0) }
    var path = text.split(separator: ".", omittingEmptySubsequences: false)
    guard isPath, let place = path.firstIndex(where: { $0.hasPrefix("@") }) else {
      canonicalText = text
      return
    }
    // `walks.@sum.distance` and `walks.distance.@sum` say the same.
    let operation = path.remove(at: place).dropFirst()
    canonicalText = "\(operation):(\(path.joined(separator: ".")))"
  }

  private static let pathCharacters = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.@".utf8)
}

import SystemLibraries

/// The key under which a dog is known: one for all spellings of one name.
///
///     NameKey.of("FIDO")     // "fido"
///     NameKey.of("Straße")   // "strasse"
///
/// Two names are one where they differ in case or in Unicode form alone: Unicode's canonical
/// caseless match, definition D145. Blanks, accents and everything else count.
package enum NameKey {
  /// Returns the key of a name: its full case folding, in NFC.
  ///
  /// The key of a key is the key itself. Names in ASCII take the short way.
  package static func of(_ name: String) -> String {
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return name.lowercased() }
    // Decomposed first, since what a mark folds to does not depend on what it stood over then.
    return name.canonicallyDecomposed.caseFolded.canonicallyComposed
  }
}

extension String {
  /// The text with each scalar folded as Unicode's `CaseFolding.txt` says, full foldings (C and F).
  fileprivate var caseFolded: String {
    var folded = String.UnicodeScalarView()
    for scalar in unicodeScalars { folded.append(contentsOf: scalar.caseFolded.unicodeScalars) }
    return String(folded)
  }
}

extension Unicode.Scalar {
  /// The scalar's full case folding: its capitals in small letters, with three exceptions.
  fileprivate var caseFolded: String {
    switch self {
    // The small letter without a dot is no i, although its capital is I.
    case "\u{131}": String(self)
    // The capital sharp s has no other capital to come from.
    case "\u{1e9e}": "ss"
    // Cherokee had capitals before it had small letters, and folds to them.
    case "\u{13a0}"..."\u{13fd}", "\u{ab70}"..."\u{abbf}": properties.uppercaseMapping
    default: properties.uppercaseMapping.unicodeScalars.map(\.properties.lowercaseMapping).joined()
    }
  }
}

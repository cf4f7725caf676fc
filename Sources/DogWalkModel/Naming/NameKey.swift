import TextMatching

/// The key under which a name is looked up: the same for all spellings of the name.
///
///     NameKey.of("FIDO")     // "fido"
///     NameKey.of("Straße")   // "strasse"
///
/// Two names have the same key if they differ only in case or in Unicode form: Unicode's canonical
/// caseless match, definition D145. Blanks, accents and everything else count.
package enum NameKey {
  /// Returns the key of a name: its full case folding, in NFC.
  ///
  /// The key of a key is the key itself. ASCII names take a fast path.
  package static func of(_ name: String) -> String {
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return name.lowercased() }
    return TextFolding.caseFolded(name)
  }

  /// Returns a name without case and accents, to find the name that was meant.
  ///
  ///     NameKey.withoutMarks("Señor")   // "senor"
  package static func withoutMarks(_ name: String) -> String {
    var name = name
    return name.withUTF8 { text in
      let options: TextOptions = [.caseInsensitive, .diacriticInsensitive]
      return String(
        decoding: TextFolding.fold(UnsafeRawBufferPointer(text), options), as: UTF8.self)
    }
  }
}

extension String {
  /// Whether a character in the text shows nothing, so that two names with it would look like one.
  ///
  /// What joins an emoji together, or letters of scripts that are joined so, does not count.
  var hasInvisibleCharacters: Bool {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return false }
    return contains(where: \.hasInvisiblePart)
  }
}

extension Character {
  fileprivate var hasInvisiblePart: Bool {
    guard let first = unicodeScalars.first, !first.isInvisible else { return true }
    let isEmoji = first.properties.isEmoji
    return unicodeScalars.contains { scalar in
      guard scalar.isInvisible else { return false }
      // U+200C and U+200D stand between letters of Persian and the scripts of India.
      let isJoiner = (0x200C...0x200D).contains(scalar.value)
      return !isEmoji && !(isJoiner && first.value >= 0x600)
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isInvisible: Bool {
    // The empty pattern of Braille is drawn, but with nothing in it.
    properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format
      || value == 0x2800
  }
}

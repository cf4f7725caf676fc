extension String {
  /// Whether a character of the text is invisible, so that two different names could look alike.
  ///
  /// Joiners within emoji, or within scripts that need them, do not count.
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
      // U+200C and U+200D occur between letters of Persian and Indic scripts.
      let isJoiner = (0x200C...0x200D).contains(scalar.value)
      return !isEmoji && !(isJoiner && first.value >= 0x600)
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isInvisible: Bool {
    // The blank Braille pattern is drawn, but empty.
    properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format
      || value == 0x2800
  }
}

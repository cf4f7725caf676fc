extension Unicode.Scalar {
  /// The escape sequence that shows a control character; nil for any other.
  package var escape: String? {
    switch self {
    case "\t": "\\t"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
      (value < 0x10 ? "\\x0" : "\\x") + String(value, radix: 16)
    case "\u{2028}", "\u{2029}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
      "\\u" + String(value, radix: 16)
    // The second half follows.
    case _ where isHalfByte: (value < 0xFDE0 ? "\\x" : "") + String(nibble, radix: 16)
    default: nil
    }
  }

  /// Whether it is one of Unicode's control characters (Cc).
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

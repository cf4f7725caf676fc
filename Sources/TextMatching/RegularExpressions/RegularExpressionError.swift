/// An invalid regular expression, or one that this library does not support.
///
/// ```text
/// The pattern "(a" is wrong at character 1: this group is never closed.
/// ```
///
/// Thrown when a pattern is parsed: by a predicate with `MATCHES`, and for an attribute's regular
/// expression.
public struct RegularExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The pattern's text.
  public let pattern: String
  /// The position in the pattern, in Unicode scalars from 0; its length for an error at the end.
  public let offset: Int
  /// The error message: the problem at this position, or what was expected.
  public let reason: String
  /// Whether the pattern is valid in ICU but unsupported here: back references, look-around,
  /// possessive quantifiers.
  public let isUnsupported: Bool

  init(pattern: String, offset: Int, reason: String, isUnsupported: Bool = false) {
    self.pattern = pattern
    self.offset = offset
    self.reason = reason
    self.isUnsupported = isUnsupported
  }

  /// A sentence with the pattern, the position and the reason.
  public var description: String {
    let how = isUnsupported ? "cannot be matched" : "is wrong"
    return "The pattern \"\(pattern)\" \(how) at character \(offset + 1): \(reason)."
  }
}

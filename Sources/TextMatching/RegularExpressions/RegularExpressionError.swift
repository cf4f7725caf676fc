/// A regular expression that is wrong, or that this library does not match.
///
/// ```text
/// The pattern "(a" is wrong at character 1: this group is never closed.
/// ```
///
/// Thrown where a pattern is read: by a predicate with `MATCHES`, and for an attribute's rule.
public struct RegularExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The whole pattern.
  public let pattern: String
  /// Where in the pattern, in Unicode scalars from 0; its length where the end is wrong.
  public let offset: Int
  /// What is wrong there, or what was expected.
  public let reason: String
  /// Whether the pattern is right for ICU, and only not matched here: back references, look-around,
  /// possessive quantifiers.
  public let isUnsupported: Bool

  init(pattern: String, offset: Int, reason: String, isUnsupported: Bool = false) {
    self.pattern = pattern
    self.offset = offset
    self.reason = reason
    self.isUnsupported = isUnsupported
  }

  /// One sentence with the pattern, the position and the reason.
  public var description: String {
    let how = isUnsupported ? "cannot be matched" : "is wrong"
    return "The pattern \"\(pattern)\" \(how) at character \(offset + 1): \(reason)."
  }
}

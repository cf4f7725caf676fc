/// An error in a predicate for an entity: an unknown name, or a value of the wrong kind.
///
/// ```text
/// Walk.length: Walk has no property length.
/// ```
///
/// Thrown by fetches and by `evaluate(with:)`, before anything is read. Never caused by SQLite.
public struct PredicateBindingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error message, a sentence.
  public let reason: String
  /// The wrong part, in the predicate's format; or the key of a sort descriptor.
  public let part: String
  /// The position of that part in the text that a `ParsedPredicate` was parsed from, as a UTF-8
  /// offset; nil if the text is unknown.
  public let position: Int?

  init(_ reason: String, in part: String, at position: Int? = nil) {
    self.reason = reason
    self.part = part
    self.position = position
  }

  /// The reason.
  public var description: String { reason }
}

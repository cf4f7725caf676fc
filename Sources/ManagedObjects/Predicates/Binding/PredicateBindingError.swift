/// Why an entity cannot be asked so: a name that it lacks, or a value of another kind.
///
/// ```text
/// Walk.length: Walk has no property length.
/// ```
///
/// Thrown by fetches and by `evaluate(with:)`, before anything is read. Nothing of it is SQLite's.
public struct PredicateBindingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, in a sentence.
  public let reason: String
  /// The part that is wrong, as it stands in the predicate's text; or the key to sort by.
  public let part: String
  /// Where that part begins in the text that a `ParsedPredicate` was read from, in bytes of UTF-8;
  /// nil where no such text is known.
  public let position: Int?

  init(_ reason: String, in part: String, at position: Int? = nil) {
    self.reason = reason
    self.part = part
    self.position = position
  }

  /// The reason.
  public var description: String { reason }
}

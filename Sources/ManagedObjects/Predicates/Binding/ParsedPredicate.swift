import DataModel

/// A predicate with the text it was parsed from, so that errors contain a position in the text.
///
///     let parsed = try ParsedPredicate(format: "note == 'length' AND length > 3")
///     do throws(PredicateBindingError) {
///       try parsed.check(entityName: "Walk", in: model)
///     } catch {
///       print(error.position ?? 0)   // 21
///     }
///
/// For text that users write. Core Data has no counterpart.
public struct ParsedPredicate: Sendable {
  /// The parsed predicate.
  public let predicate: FetchPredicate
  private let format: String
  private let expressions: [(expression: FetchExpression, start: Int)]
  private let comparisons: [(predicate: FetchPredicate, start: Int)]

  /// Parses a predicate.
  ///
  /// - Throws: As `FetchPredicate.init(format:_:)` does.
  public init(
    format: String, _ arguments: (any FetchPredicateArgument)?...
  ) throws(PredicateFormatError) {
    var parser = try PredicateParser(
      format, arguments: arguments.map { $0?.predicateExpression ?? .constant(nil) },
      recordsPositions: true)
    predicate = try parser.predicate()
    self.format = format
    expressions = parser.expressions
    comparisons = parser.comparisons
  }

  /// Checks that the predicate fits an entity, like `FetchPredicate.check`.
  ///
  /// - Throws: If it does not, with the position of the wrong part.
  public func check(
    entityName: String, in model: ManagedObjectModel
  ) throws(PredicateBindingError) {
    do throws(PredicateBindingError) {
      try predicate.check(entityName: entityName, in: model)
    } catch {
      let found = error
      // Of several comparisons that contain the same part, the first that is wrong by itself.
      let comparison = comparisons.first { comparison in
        do throws(PredicateBindingError) {
          try comparison.predicate.check(entityName: entityName, in: model)
          return false
        } catch {
          return error == found
        }
      }
      let position = position(of: found.part, from: comparison?.start ?? 0)
      throw PredicateBindingError(found.reason, in: found.part, at: position)
    }
  }

  /// The position of a part that an error names: an expression, or the end of a key path.
  private func position(of part: String, from start: Int) -> Int? {
    let parts = expressions.filter { $0.start >= start }
      .map { (text: $0.expression.format, start: $0.start) }
    if let whole = parts.first(where: { $0.text == part }) { return whole.start }
    guard let longer = parts.last(where: { $0.text.hasSuffix(part) }) else { return nil }
    let isWrittenSo = format.utf8.dropFirst(longer.start).starts(with: longer.text.utf8)
    return longer.start + (isWrittenSo ? longer.text.utf8.count - part.utf8.count : 0)
  }
}

import DataModel
import TextMatching

extension BoundPredicate {
  /// Whether the rows in scope match the condition; gives the same result as SQL.
  func matches(_ evaluation: RowEvaluation) -> Bool {
    switch self {
    case .constant(let value): return value
    case .comparison(let path, let how, let value):
      return how.holds(path.scalar(in: evaluation[0].row, lookup: evaluation.toOne), value)
    case .isIn(let path, let values):
      return path.scalar(in: evaluation[0].row, lookup: evaluation.toOne).map(values.contains)
        ?? false
    case .relationship(let path, let keys):
      guard let end = path.end(of: evaluation[0].row, lookup: evaluation.toOne),
        end.hasValue(path.slot)
      else { return false }
      return keys.contains(end.integer(path.slot))
    case .object(let keys): return keys.contains(evaluation[0].key)
    case .compare(let one, let how, let other, let options):
      return how.holds(one.value(evaluation), other.value(evaluation), options)
    case .oneOf(let value, let values):
      return value.value(evaluation).map(values.contains) ?? false
    case .text(let value, let test):
      guard case .text(let text)? = value.value(evaluation) else { return false }
      return text.withUnsafeBytes { test.holds($0) }
    case .textOf(let value, let how, let pattern, let options):
      guard case .text(let text)? = value.value(evaluation),
        case .text(let pattern)? = pattern.value(evaluation),
        let test = try? TextTest(how, pattern, options)
      else { return false }
      return text.withUnsafeBytes { test.holds($0) }
    case .exists(let members, let condition):
      return evaluation.contains(members) { condition.matches(evaluation) }
    case .all(let parts): return parts.allSatisfy { $0.matches(evaluation) }
    case .any(let parts): return parts.contains { $0.matches(evaluation) }
    case .not(let part): return !part.matches(evaluation)
    }
  }
}

extension BoundKeyPath {
  /// The row at the end of the to-ones, or nil if one has no destination.
  func end(of row: PackedRow, lookup: RowLookup) -> PackedRow? {
    var row = row
    for hop in hops {
      guard row.hasValue(hop.slot), let next = lookup(hop, row) else { return nil }
      row = next
    }
    return row
  }

  /// The stored value at the end.
  func scalar(in row: PackedRow, lookup: RowLookup) -> Scalar? {
    guard let end = end(of: row, lookup: lookup) else { return nil }
    return Scalar(end, slot: slot, kind: type.map(SlotKind.init) ?? .key)
  }
}

extension FetchPredicate.Operator {
  /// Compares as Core Data does: with two truth values, and a missing value equal only to another
  /// one.
  func holds(_ one: Scalar?, _ other: Scalar?, _ options: TextOptions = []) -> Bool {
    guard let one, let other else {
      switch self {
      case .equal: return one == nil && other == nil
      case .notEqual: return (one == nil) != (other == nil)
      default: return false
      }
    }
    let order: Int
    if !options.isEmpty, case .text(let one) = one, case .text(let other) = other {
      order = one.withUnsafeBytes { one in
        other.withUnsafeBytes { compareTexts(one, $0, options) }
      }
    } else {
      order = one.compare(other)
    }
    switch self {
    case .equal: return order == 0
    case .notEqual: return order != 0
    case .lessThan: return order < 0
    case .lessThanOrEqual: return order <= 0
    case .greaterThan: return order > 0
    case .greaterThanOrEqual: return order >= 0
    case .between, .in, .beginsWith, .endsWith, .contains, .like, .matches:
      fatalError("The binder makes other conditions of this operator.")
    }
  }
}

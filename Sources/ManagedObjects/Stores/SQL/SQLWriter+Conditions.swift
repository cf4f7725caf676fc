import DataModel
import TextMatching

extension SQLWriter {
  /// The SQL of a condition, whose NULL counts as false.
  mutating func condition(_ predicate: BoundPredicate) -> String {
    deeper { $0.whole(predicate) }
  }

  private mutating func whole(_ predicate: BoundPredicate) -> String {
    switch predicate {
    case .constant(let value): return value ? dialect.yes : dialect.no
    case .comparison(let path, let how, let value):
      return comparison(sql(.value(scope: 0, path)), how, value)
    case .isIn(let path, let candidates):
      return isIn(sql(.value(scope: 0, path)), candidates.values)
    case .relationship(let path, let keys): return isIn(column(0, path), keys.keys)
    case .object(let keys): return isIn("t0.Z_PK", keys.keys)
    case .compare(let one, let how, let other, let options):
      return compare(one, how, other, options)
    case .oneOf(let value, let candidates): return isIn(sql(value), candidates.values)
    case .text(let value, let test): return text(value, test)
    case .textOf(let value, let how, let pattern, let options):
      needsFunctions = true
      return
        "Z_TEXT(\(sql(value)), \(sql(pattern)), \(TextTest.code(how)), \(options.rawValue))"
    case .exists(let members, let condition):
      return exists(members, condition)
    case .all(let parts): return joined(parts, " AND ", ifEmpty: dialect.yes)
    case .any(let parts): return joined(parts, " OR ", ifEmpty: dialect.no)
    // Predicates have two truth values and SQL has three: unknown counts as false.
    case .not(let part): return "NOT coalesce(\(condition(part)), \(dialect.no))"
    }
  }

  private mutating func joined(
    _ parts: [BoundPredicate], _ separator: String, ifEmpty: String
  ) -> String {
    guard !parts.isEmpty else { return ifEmpty }
    guard parts.count > 100 else {
      return "(" + parts.map { condition($0) }.joined(separator: separator) + ")"
    }
    // Split in halves: SQLite would parse a chain of a thousand conditions into a tree of that
    // depth and refuse it.
    let half = parts.count / 2
    return "(" + joined(Array(parts.prefix(half)), separator, ifEmpty: ifEmpty) + separator
      + joined(Array(parts.dropFirst(half)), separator, ifEmpty: ifEmpty) + ")"
  }

  /// A condition on a to-one: an index yields the keys, and the rows are read in key order.
  mutating func conditionByKeys(_ predicate: BoundPredicate) -> String {
    guard case .relationship(let path, let keys) = predicate, path.hops.isEmpty else {
      return condition(predicate)
    }
    let column = schema.columnNames[entity.index - offset][path.slot].quoted
    let table = self.table(of: entity.index)
    return "t0.Z_PK IN (SELECT Z_PK FROM \(table) WHERE \(isIn(column, keys.keys)))"
  }

  // MARK: Lists

  /// The number of values from which a list is passed as a table.
  private static let longestList = 64

  mutating func isIn(_ column: String, _ keys: [Int64]) -> String {
    guard keys.count != 1 else {
      values.append(.key(keys[0]))
      return "\(column) = ?"
    }
    return isIn(column, keys.map { .integer($0) })
  }

  private mutating func isIn(_ column: String, _ candidates: [Scalar]) -> String {
    guard !candidates.isEmpty else { return dialect.no }
    guard dialect.isSQLite else {
      values.append(.list(candidates))
      return "\(column) = ANY(?)"
    }
    guard candidates.count <= Self.longestList else {
      needsFunctions = true
      values.append(.list(candidates))
      return "\(column) IN (SELECT value FROM Z_VALUES(?))"
    }
    // Each number of parameters is a different statement, so powers of two are used; the last value
    // is repeated to fill up the list.
    var count = 1
    while count < candidates.count { count *= 2 }
    for index in 0..<count { values.append(.scalar(candidates[min(index, candidates.count - 1)])) }
    let parameters = Array(repeating: "?", count: count)
    return "\(column) IN (\(parameters.joined(separator: ", ")))"
  }

  // MARK: Comparing two values

  private mutating func comparison(
    _ column: String, _ how: FetchPredicate.Operator, _ value: Scalar?
  ) -> String {
    guard let value else {
      return switch how {
      case .equal: "\(column) IS NULL"
      case .notEqual: "\(column) IS NOT NULL"
      default: dialect.no
      }
    }
    values.append(.scalar(value))
    return switch how {
    case .equal: "\(column) = ?"
    case .notEqual: "\(column) \(dialect.isNot) ?"
    default: "\(column) \(how.format) ?"
    }
  }

  private mutating func compare(
    _ one: BoundExpression, _ how: FetchPredicate.Operator, _ other: BoundExpression,
    _ options: TextOptions
  ) -> String {
    // Must come before `one` is written: the values that it binds would have no parameters.
    if case .constant(nil) = other, how != .equal, how != .notEqual { return dialect.no }
    if case .constant(let value) = other, options.isEmpty || value == nil {
      return comparison(sql(one), how, value)
    }
    guard options.isEmpty else {
      needsFunctions = true
      // NULL if either is missing, for order; two missing values are equal.
      let isOrder = how != .equal && how != .notEqual
      let compared =
        "Z_COMPARE(\(sql(one)), \(sql(other)), \(options.rawValue), \(isOrder ? 1 : 0))"
      return switch how {
      case .equal: "\(compared) IS 0"
      case .notEqual: "\(compared) IS NOT 0"
      default: "\(compared) \(how.format) 0"
      }
    }
    let (left, right) = (sql(one), sql(other))
    return switch how {
    case .equal: "\(left) \(dialect.is) \(right)"
    case .notEqual: "\(left) \(dialect.isNot) \(right)"
    default: "\(left) \(how.format) \(right)"
    }
  }

  // MARK: Texts

  private mutating func text(_ value: BoundExpression, _ test: TextTest) -> String {
    guard dialect.isSQLite else { return plainText(value, test) }
    if test.options.isEmpty {
      if test.how == .beginsWith, let end = test.pattern.upperBoundOfPrefix {
        // A range condition, which can use an index.
        let column = sql(value)
        values.append(.text(test.pattern))
        let from = "\(column) >= ?"
        let again = sql(value)
        values.append(.text(end))
        return "(\(from) AND \(again) < ?)"
      }
      if test.how == .contains, !test.pattern.isEmpty {
        let column = sql(value)
        values.append(.text(test.pattern))
        return "instr(\(column), ?) > 0"
      }
    }
    needsFunctions = true
    let column = sql(value)
    values.append(.text(test.pattern))
    return "Z_TEXT(\(column), ?, \(TextTest.code(test.how)), \(test.options.rawValue))"
  }

  /// A text test that PostgreSQL can evaluate: `BEGINSWITH` and `CONTAINS` on bytes, as selected by
  /// `PushedDownCondition`.
  private mutating func plainText(_ value: BoundExpression, _ test: TextTest) -> String {
    let column = sql(value)
    guard test.how == .beginsWith else {
      values.append(.text(test.pattern))
      return "strpos(\(column), ?) > 0"
    }
    // LIKE with a constant prefix can use an index.
    var pattern: [UInt8] = []
    for byte in test.pattern {
      if "\\%_".utf8.contains(byte) { pattern.append(UInt8(ascii: "\\")) }
      pattern.append(byte)
    }
    values.append(.text(pattern + [UInt8(ascii: "%")]))
    return "\(column) LIKE ?"
  }
}

extension [UInt8] {
  /// The upper bound of all byte sequences that start with these; nil if these are empty.
  fileprivate var upperBoundOfPrefix: [UInt8]? {
    // UTF-8 contains no byte 0xFF, so the last byte can be incremented.
    guard let last, last < 0xFF else { return nil }
    return dropLast() + [last + 1]
  }
}

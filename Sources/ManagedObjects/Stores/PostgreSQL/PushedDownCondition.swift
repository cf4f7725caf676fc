#if PostgreSQL
  import DataModel
  import TextMatching

  /// The part of a condition that PostgreSQL's SQL expresses with exactly the meaning it has in
  /// memory.
  ///
  /// PostgreSQL has neither this library's text folding nor its patterns, its floating-point sums
  /// depend on the order, and comparing an 8-byte integer with a floating-point number loses
  /// digits. A part that SQL cannot express becomes TRUE, or FALSE below a NOT, so that SQL finds
  /// all matching rows and possibly others, which are filtered in memory.
  struct PushedDownCondition {
    /// Whether SQL expresses the whole condition.
    private(set) var isExact = true
    /// The condition for SQL.
    private(set) var predicate: BoundPredicate = .constant(true)
    private var isBelowNot = false

    init(of predicate: BoundPredicate) { self.predicate = part(of: predicate) }

    /// Whether SQL yields the same value of an expression as evaluation in memory.
    static func canExpress(_ expression: BoundExpression) -> Bool {
      switch expression {
      case .value, .key: true
      case .constant, .function, .folded, .aggregate, .conditional, .element: false
      }
    }

    private mutating func leaveOut() -> BoundPredicate {
      isExact = false
      return .constant(!isBelowNot)
    }

    private mutating func part(of whole: BoundPredicate) -> BoundPredicate {
      switch whole {
      case .constant, .relationship, .object: return whole
      case .comparison(let path, _, let value):
        return value?.isExpressibleInSQL(as: path.kind) ?? true ? whole : leaveOut()
      case .isIn(let path, let values):
        return values.values.allSatisfy { $0.isExpressibleInSQL(as: path.kind) }
          ? whole : leaveOut()
      case .compare(let one, _, let other, let options):
        guard options.isEmpty, let kind = one.kind else { return leaveOut() }
        if case .constant(let value) = other {
          return value?.isExpressibleInSQL(as: kind) ?? true ? whole : leaveOut()
        }
        return other.kind == kind ? whole : leaveOut()
      case .oneOf(let value, let values):
        guard let kind = value.kind, values.values.allSatisfy({ $0.isExpressibleInSQL(as: kind) })
        else {
          return leaveOut()
        }
        return whole
      case .text(let value, let test):
        guard value.kind == .text, test.options.isEmpty, !test.pattern.isEmpty,
          test.how == .beginsWith || test.how == .contains,
          Scalar.text(test.pattern).isExpressibleInSQL(as: .text)
        else { return leaveOut() }
        return whole
      case .textOf: return leaveOut()
      case .exists(let members, let condition):
        var members = members
        for index in members.levels.indices {
          members.levels[index].filters = members.levels[index].filters.map { part(of: $0) }
        }
        return .exists(members, part(of: condition))
      case .all(let parts): return .all(parts.map { part(of: $0) })
      case .any(let parts): return .any(parts.map { part(of: $0) })
      case .not(let inner):
        isBelowNot.toggle()
        defer { isBelowNot.toggle() }
        return .not(part(of: inner))
      }
    }
  }

  extension SlotKind {
    /// The kind used for comparing: keys and integers are the same, and so are all bytes.
    fileprivate var compared: SlotKind {
      switch self {
      case .integer, .key, .entityNumber, .orderKey: .integer
      case .blob, .external: .blob
      case .real, .text: self
      }
    }
  }

  extension BoundKeyPath {
    fileprivate var kind: SlotKind { (type.map(SlotKind.init) ?? .key).compared }
  }

  extension BoundExpression {
    /// The kind of a value that SQL yields as in memory; nil for any other expression.
    fileprivate var kind: SlotKind? {
      switch self {
      case .value(_, let path): path.kind
      case .key: .integer
      default: nil
      }
    }
  }

  extension Scalar {
    /// Whether SQL compares the value with a column of a kind as in memory.
    fileprivate func isExpressibleInSQL(as kind: SlotKind) -> Bool {
      switch (self, kind) {
      case (.integer, .integer), (.bytes, .blob): true
      case (.real(let number), .real): !number.isNaN
      case (.text(let text), .text):
        !text.contains(0) && String(validating: text, as: UTF8.self) != nil
      default: false
      }
    }
  }

  extension [BoundSort] {
    /// Whether SQL sorts as in memory.
    var areExpressibleInSQL: Bool { allSatisfy { $0.order == .bytes && $0.comparator == nil } }
  }
#endif

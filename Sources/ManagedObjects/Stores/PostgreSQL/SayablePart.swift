#if PostgreSQL
  import DataModel
  import TextMatching

  /// What of a condition PostgreSQL's SQL can say with just the meaning that it has in memory.
  ///
  /// Its texts know neither our folding nor our patterns, sums of its numbers depend on their
  /// order, and a whole number of 8 bytes beside a floating-point one loses digits. A part that it
  /// cannot say becomes TRUE, or FALSE below a NOT, so that it finds those rows and maybe others,
  /// which are judged in memory.
  struct SayablePart {
    /// Whether the condition is said whole.
    private(set) var isExact = true
    /// The condition for SQL.
    private(set) var predicate: BoundPredicate = .constant(true)
    private var isBelowNot = false

    init(of predicate: BoundPredicate) { self.predicate = part(of: predicate) }

    /// Whether SQL gives the value of an expression as memory does.
    static func says(_ expression: BoundExpression) -> Bool {
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
        return value?.isSayable(as: path.kind) ?? true ? whole : leaveOut()
      case .isIn(let path, let values):
        return values.values.allSatisfy { $0.isSayable(as: path.kind) } ? whole : leaveOut()
      case .compare(let one, _, let other, let options):
        guard options.isEmpty, let kind = one.kind else { return leaveOut() }
        if case .constant(let value) = other {
          return value?.isSayable(as: kind) ?? true ? whole : leaveOut()
        }
        return other.kind == kind ? whole : leaveOut()
      case .oneOf(let value, let values):
        guard let kind = value.kind, values.values.allSatisfy({ $0.isSayable(as: kind) }) else {
          return leaveOut()
        }
        return whole
      case .text(let value, let test):
        guard value.kind == .text, test.options.isEmpty, !test.pattern.isEmpty,
          test.how == .beginsWith || test.how == .contains,
          Scalar.text(test.pattern).isSayable(as: .text)
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
    /// The kind with which it is compared: keys and numbers are one, bytes another.
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
    /// The kind of a value that SQL gives as memory does; nil for any other.
    fileprivate var kind: SlotKind? {
      switch self {
      case .value(_, let path): path.kind
      case .key: .integer
      default: nil
      }
    }
  }

  extension Scalar {
    /// Whether SQL compares it with a column of a kind as memory does.
    fileprivate func isSayable(as kind: SlotKind) -> Bool {
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
    /// Whether SQL sorts as memory does.
    var areSayable: Bool { allSatisfy { $0.order == .bytes && $0.comparator == nil } }
  }
#endif

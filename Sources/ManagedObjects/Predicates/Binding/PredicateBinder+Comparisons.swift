import DataModel
import SystemLibraries
import TextMatching

extension PredicateBinder {
  func bind(
    _ comparison: FetchPredicate.Comparison, _ scopes: Scopes
  ) throws(PredicateBindingError) -> BoundPredicate {
    let left = comparison.left
    guard comparison.modifier == .direct else {
      let isAll = comparison.modifier == .all
      if case .aggregate(let values) = left.kind {
        var parts: [BoundPredicate] = []
        for value in values {
          var single = comparison
          single.left = value
          single.modifier = .direct
          parts.append(try bind(single, scopes))
        }
        return isAll ? .all(parts) : .any(parts)
      }
      guard let path = try pathToMany(left, scopes) else {
        throw PredicateBindingError(
          "ANY and ALL need a to-many relationship: \(left.format) is one value.", in: left.format)
      }
      var ofMember = comparison
      let member = try member(of: path, left)
      // "ANY walks CONTAINS x" means the same as "walks CONTAINS x".
      if case .object = member.kind, comparison.operator == .contains { ofMember.operator = .equal }
      let condition = try bind(member, ofMember, path.scopes)
      let members = BoundCollection(levels: path.levels)
      return isAll ? .not(.exists(members, .not(condition))) : .exists(members, condition)
    }
    // "{1, 2} CONTAINS x": x is one of the values.
    if comparison.operator == .contains, case .aggregate(let values) = left.kind {
      return try isIn(try value(comparison.right, scopes), values, comparison, scopes)
    }
    // "walks CONTAINS x": x is one of the members.
    if comparison.operator == .contains, let path = try pathToMany(left, scopes) {
      if case .operation = path.end {
      } else {
        let member = try member(of: path, left)
        let other = try value(comparison.right, path.scopes)
        return .exists(
          BoundCollection(levels: path.levels),
          try compare(member, .equal, other, comparison))
      }
    }
    return try bind(try value(left, scopes), comparison, scopes)
  }

  /// Binds the rest of a comparison whose left side is a single value.
  private func bind(
    _ left: TypedExpression, _ comparison: FetchPredicate.Comparison, _ scopes: Scopes
  ) throws(PredicateBindingError) -> BoundPredicate {
    let right = comparison.right
    switch comparison.operator {
    case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      return try compare(left, comparison.operator, try value(right, scopes), comparison)
    case .between:
      guard case .aggregate(let bounds) = right.kind, bounds.count == 2 else {
        throw PredicateBindingError("BETWEEN takes two values, as in {1, 5}.", in: right.format)
      }
      return .all([
        try compare(left, .greaterThanOrEqual, try value(bounds[0], scopes), comparison),
        try compare(left, .lessThanOrEqual, try value(bounds[1], scopes), comparison),
      ])
    case .in: return try isIn(left, comparison, scopes)
    case .beginsWith, .endsWith, .contains, .like, .matches:
      return try text(left, comparison.operator, try value(right, scopes), comparison)
    }
  }

  private func isIn(
    _ left: TypedExpression, _ comparison: FetchPredicate.Comparison, _ scopes: Scopes
  ) throws(PredicateBindingError) -> BoundPredicate {
    let right = comparison.right
    if case .aggregate(let values) = right.kind {
      return try isIn(left, values, comparison, scopes)
    }
    if let path = try pathToMany(right, scopes) {
      if case .operation = path.end {
      } else {
        let member = try member(of: path, right)
        return .exists(
          BoundCollection(levels: path.levels), try compare(left, .equal, member, comparison))
      }
    }
    let whole = try value(right, scopes)
    guard whole.kind == .text, left.kind == .text || left.kind == .none else {
      throw PredicateBindingError(
        "IN needs several values, a to-many relationship, or a string to search.", in: right.format)
    }
    return try text(whole, .contains, left, comparison)
  }

  /// Binds a test for one of several values; constants are looked up together, others compared
  /// singly.
  private func isIn(
    _ left: TypedExpression, _ values: [FetchExpression],
    _ comparison: FetchPredicate.Comparison, _ scopes: Scopes
  ) throws(PredicateBindingError) -> BoundPredicate {
    // Values are looked up together only if the left side is not a constant.
    let isLookedUp = if case .constant = left.expression { false } else { true }
    let options =
      left.kind == .text ? comparison.options : []
    var constants: [Scalar] = []
    var others: [BoundPredicate] = []
    constants.reserveCapacity(values.count)
    for element in values {
      // NaN equals nothing, not even a missing value.
      if case .constant(let value?) = element.kind, value.isNaN { continue }
      let other = try value(element, scopes)
      var single = comparison
      single.right = element
      let compared = try compare(left, .equal, other, single)
      switch compared {
      case .comparison(_, _, let constant?), .compare(_, _, .constant(let constant?), _):
        if isLookedUp {
          constants.append(constant.folded(options))
        } else {
          others.append(compared)
        }
      case .relationship(_, let keys) where isLookedUp, .object(let keys) where isLookedUp:
        constants += keys.keys.map { .integer($0) }
      default: others.append(compared)
      }
    }
    if !constants.isEmpty {
      // Folded once here rather than for each row.
      let left =
        options.isEmpty ? left.expression : BoundExpression.folded(left.expression, options)
      others.insert(Self.oneOf(left, constants), at: 0)
    }
    return others.count == 1 ? others[0] : .any(others)
  }

  /// The fast form of the test, if the left side has one.
  private static func oneOf(_ left: BoundExpression, _ values: [Scalar]) -> BoundPredicate {
    switch left {
    case .value(scope: 0, let path) where path.type == nil:
      .relationship(path, isIn: BoundKeys(values.map(\.key)))
    case .value(scope: 0, let path): .isIn(path, BoundValues(values))
    case .key(scope: 0): .object(isIn: BoundKeys(values.map(\.key)))
    default: .oneOf(left, BoundValues(values))
    }
  }

  // MARK: Comparing two values

  /// Binds a comparison of two values of the same kind.
  private func compare(
    _ left: TypedExpression, _ how: FetchPredicate.Operator, _ right: TypedExpression,
    _ comparison: FetchPredicate.Comparison
  ) throws(PredicateBindingError) -> BoundPredicate {
    let (one, other) = try alike(left, right, comparison)
    if case .object = one.kind, how != .equal, how != .notEqual {
      throw PredicateBindingError(
        "Objects cannot be ordered: compare them with == and !=.",
        in: comparison.left.format)
    }
    let isText = one.kind == .text || other.kind == .text
    let options = isText ? comparison.options : []
    switch (one.expression, other.expression) {
    case (.constant(let one), .constant(let other)):
      return .constant(how.holds(one, other, options))
    case (.constant, _): return Self.quick(other.expression, how.mirrored, one.expression, options)
    default: return Self.quick(one.expression, how, other.expression, options)
    }
  }

  private static func quick(
    _ left: BoundExpression, _ how: FetchPredicate.Operator, _ right: BoundExpression,
    _ options: TextOptions
  ) -> BoundPredicate {
    guard case .constant(let constant) = right, options.isEmpty || constant == nil else {
      return .compare(left, how, right, options)
    }
    switch (left, constant) {
    case (.value(scope: 0, let path), let key?) where path.type == nil && how == .equal:
      return .relationship(path, isIn: BoundKeys([key.key]))
    case (.key(scope: 0), let key?) where how == .equal: return .object(isIn: BoundKeys([key.key]))
    case (.value(scope: 0, let path), _): return .comparison(path, how, constant)
    default: return .compare(left, how, right, [])
    }
  }

  /// Binds an operator on texts.
  private func text(
    _ left: TypedExpression, _ how: FetchPredicate.Operator, _ right: TypedExpression,
    _ comparison: FetchPredicate.Comparison
  ) throws(PredicateBindingError) -> BoundPredicate {
    for side in [left, right] where side.kind != .text && side.kind != .none {
      throw PredicateBindingError(
        "\(how.format) takes strings.", in: comparison.left.format)
    }
    guard left.kind == .text, right.kind == .text else { return .constant(false) }
    let options = comparison.options
    guard case .constant(.text(let pattern)?) = right.expression else {
      return .textOf(left.expression, how, right.expression, options)
    }
    do throws(RegularExpressionError) {
      let test = try TextTest(how, pattern, options)
      guard case .constant(.text(let text)?) = left.expression else {
        return .text(left.expression, test)
      }
      return .constant(text.withUnsafeBytes { test.holds($0) })
    } catch {
      throw PredicateBindingError(error.description, in: comparison.right.format)
    }
  }

  /// Both sides in comparable form: an ID becomes a key, a text compared with a UUID becomes a
  /// UUID.
  private func alike(
    _ left: TypedExpression, _ right: TypedExpression, _ comparison: FetchPredicate.Comparison
  ) throws(PredicateBindingError) -> (TypedExpression, TypedExpression) {
    var (one, other) = (adapted(left, to: right), adapted(right, to: left))
    if let first = left.id, let second = right.id {
      one.expression = .constant(.integer(0))
      other.expression = .constant(.integer(first == second ? 0 : 1))
    }
    guard one.kind == .none || other.kind == .none || one.kind == other.kind else {
      let isDate = [one, other].contains { $0.type == .date }
      throw PredicateBindingError(
        isDate && (one.kind == .text || other.kind == .text)
          ? "A date cannot be compared with a string: write CAST(seconds since 2001, \"NSDate\")."
          : "\(comparison.left.format) is \(one.kind.reading), \(comparison.right.format) is \(other.kind.reading).",
        in: comparison.left.format)
    }
    return (one, other)
  }

  private func adapted(_ side: TypedExpression, to other: TypedExpression) -> TypedExpression {
    var side = side
    if let id = side.id {
      // An object of another store or family can never match: no row has this key.
      var key = id.key
      if case .object(let root?) = other.kind {
        side.kind = other.kind
        let exists =
          id.binding.root == root
          && id.binding.store.identifier == bindings[root].store.identifier
        if !exists { key = .min }
      }
      side.expression = .constant(.integer(key))
    }
    if other.type == .uuid, case .string(let text)? = side.value, let uuid = UUID(uuidString: text)
    {
      side.expression = .constant(Scalar(.uuid(uuid)))
      side.kind = .bytes
    }
    return side
  }
}

extension Scalar {
  /// A text folded under options; other values unchanged.
  func folded(_ options: TextOptions) -> Scalar {
    guard case .text(let bytes) = self, !options.isEmpty else { return self }
    return .text(bytes.withUnsafeBytes { TextFolding.fold($0, options) })
  }

  /// The value as a primary key.
  ///
  /// - Precondition: the value is an integer, as every key is.
  fileprivate var key: Int64 {
    guard case .integer(let key) = self else { fatalError("A key is a whole number.") }
    return key
  }
}

extension TypedExpression.Kind {
  /// A description of the kind.
  fileprivate var reading: String {
    switch self {
    case .number: "a number"
    case .text: "a string"
    case .bytes: "bytes"
    case .object: "an object"
    case .none: "missing"
    }
  }
}

extension FetchPredicate.Operator {
  /// The equivalent operator for swapped sides.
  fileprivate var mirrored: FetchPredicate.Operator {
    switch self {
    case .lessThan: .greaterThan
    case .lessThanOrEqual: .greaterThanOrEqual
    case .greaterThan: .lessThan
    case .greaterThanOrEqual: .lessThanOrEqual
    default: self
    }
  }
}

/// A set of scalars, as written in `[…]`, `\d` or `\p{Lu}`.
///
/// `[a-z&&[^aeiou]]` has two operands that are intersected: `[a-z]` and one that is a set. Operands
/// are separated by `&&` and `--`, which bind more weakly than the operators between the members of
/// each. Case is ignored in the combined result, before `^` negates it, as in ICU.
struct RegularExpressionSet: Sendable {
  /// A member of a set.
  enum Member: Sendable {
    case range(ClosedRange<UInt32>)
    case property(ScalarProperty, isNegated: Bool, ignoresCase: Bool)
    case set(RegularExpressionSet)
  }

  /// How a member or operand is combined with the set before it.
  enum Join: Sendable {
    case union
    case intersection
    case difference
  }

  struct Operand: Sendable {
    let join: Join
    var members: [(join: Join, member: Member)] = []
  }

  var operands = [Operand(join: .union)]
  var isNegated = false
  var ignoresCase = false

  init() {}

  init(_ member: Member) { add(member) }

  /// Combines a member with the last operand.
  mutating func add(_ member: Member, _ join: Join = .union) {
    operands[operands.count - 1].members.append((join, member))
  }

  /// Adds a property, or a literal `&` or `-`.
  ///
  /// If it follows a set that was joined by `&` or `-`, it is added to that set, as in ICU:
  /// `[[a-z]-[b]\d]` also removes the digits.
  mutating func addToLast(_ member: Member) {
    let last = operands.count - 1
    guard let (join, joined) = operands[last].members.last, join != .union else {
      return add(member)
    }
    // A further member joins those before it: one set more for each would nest without a bound.
    var both: RegularExpressionSet
    if case .set(let set) = joined, set.operands.count == 1, !set.isNegated, !set.ignoresCase {
      both = set
    } else {
      both = RegularExpressionSet(joined)
    }
    both.add(member)
    operands[last].members[operands[last].members.count - 1].member = .set(both)
  }

  func contains(_ scalar: UInt32) -> Bool {
    let isIn =
      holds(scalar) || ignoresCase && ScalarData.otherCases(of: scalar).contains(where: holds)
    return isIn != isNegated
  }

  private func holds(_ scalar: UInt32) -> Bool {
    var isIn = false
    for operand in operands {
      var isInOperand = false
      for (join, member) in operand.members {
        isInOperand = join.result(isInOperand, member.holds(scalar))
      }
      isIn = operand.join.result(isIn, isInOperand)
    }
    return isIn
  }
}

extension RegularExpressionSet.Member {
  fileprivate func holds(_ scalar: UInt32) -> Bool {
    switch self {
    case .range(let range): return range.contains(scalar)
    case .set(let set): return set.contains(scalar)
    case .property(let property, let isNegated, let ignoresCase):
      let holds =
        property.holds(scalar)
        || ignoresCase && ScalarData.otherCases(of: scalar).contains(where: property.holds)
      return holds != isNegated
    }
  }
}

extension RegularExpressionSet.Join {
  fileprivate func result(_ isIn: Bool, _ other: @autoclosure () -> Bool) -> Bool {
    switch self {
    case .union: isIn || other()
    case .intersection: isIn && other()
    case .difference: isIn && !other()
    }
  }
}

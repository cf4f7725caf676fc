/// A set of scalars, as `[…]`, `\d` or `\p{Lu}` says.
///
/// `[a-z&&[^aeiou]]` has two operands that are intersected: `[a-z]`, and one that is a set.
/// Operands stand between `&&` and `--`, which bind less than what joins the members of each. Case
/// is ignored in the result of all that, before `^` turns it round, as ICU does.
struct RegularExpressionSet: Sendable {
  /// What is in the set.
  enum Member: Sendable {
    case range(ClosedRange<UInt32>)
    case property(ScalarProperty, isNegated: Bool, ignoresCase: Bool)
    case set(RegularExpressionSet)
  }

  /// How something changes the set that stands before it.
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

  /// Joins a member to the last operand.
  mutating func add(_ member: Member, _ join: Join = .union) {
    operands[operands.count - 1].members.append((join, member))
  }

  /// Adds a property, or a `&` or `-` that stands for itself.
  ///
  /// Where it follows a set that `&` or `-` has joined, it is added to that one, as ICU does:
  /// `[[a-z]-[b]\d]` takes the digits away.
  mutating func addToLast(_ member: Member) {
    let last = operands.count - 1
    guard let (join, joined) = operands[last].members.last, join != .union else {
      return add(member)
    }
    var both = RegularExpressionSet(joined)
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

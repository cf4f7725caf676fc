extension RegularExpressionParser {
  /// What precedes a position in a set, which determines the meaning of `-` and `&` there.
  private enum Before {
    case start
    case scalar
    /// A range, or a property like `\\d`.
    case range
    /// A set in brackets, or a named property.
    case set
    case `operator`
  }

  /// Parses a set, after its `[`.
  mutating func bracketed(
    from start: Int
  ) throws(RegularExpressionError) -> RegularExpressionSet {
    depth += 1
    guard depth <= Self.mostDepth else {
      throw error("more than \(Self.mostDepth) sets lie in one another", at: start)
    }
    var set = RegularExpressionSet()
    set.isNegated = take("^")
    set.ignoresCase = flags.contains(.ignoresCase)
    var before = Before.start
    while true {
      guard next != nil else { throw error("this set is never closed", at: start) }
      // `[]a]`: a bracket in the first position is a member.
      if before != .start, take("]") {
        if before == .operator { throw error("a set was expected", at: position - 1) }
        break
      }
      if before != .operator, try join(before, into: &set) {
        before = set.operands[set.operands.count - 1].members.isEmpty ? .operator : .set
      } else {
        before = try member(behind: before, into: &set)
      }
    }
    depth -= 1
    return set
  }

  /// Parses an operator between sets; returns false if there is none.
  ///
  /// That is `&&` or `--`, or `&` or `-` after a set.
  private mutating func join(
    _ before: Before, into set: inout RegularExpressionSet
  ) throws(RegularExpressionError) -> Bool {
    for (sign, join) in [(0x26, .intersection), (0x2D, .difference)]
      as [(UInt32, RegularExpressionSet.Join)]
    where next == sign && position + 1 < scalars.count {
      if scalars[position + 1] == sign {
        if before == .start { throw error("a set was expected") }
        position += 2
        set.operands.append(RegularExpressionSet.Operand(join: join))
        return true
      }
      guard before == .set, scalars[position + 1] == 0x5B else { continue }
      position += 1
      if let property = try posixProperty() {
        set.add(property, join)
      } else {
        position += 1
        set.add(.set(try bracketed(from: position - 1)), join)
      }
      return true
    }
    return false
  }

  private mutating func member(
    behind before: Before, into set: inout RegularExpressionSet
  ) throws(RegularExpressionError) -> Before {
    let start = position
    // In brackets it is an ordinary set, joined to everything before it.
    if let property = try posixProperty() {
      set.add(property)
      return .set
    }
    if take("[") {
      set.add(.set(try bracketed(from: start)))
      return .set
    }
    guard take("\\") else {
      let scalar = scalars[position]
      position += 1
      if scalar == 0x26, next == 0x2D {
        // ICU begins the range at the member before it.
        throw unsupported("- after & in a set", at: start)
      }
      // After an operator a hyphen is an ordinary scalar: `[a-z----b]` removes `--b`.
      if scalar == 0x26 || scalar == 0x2D && before != .operator {
        set.addToLast(.range(scalar...scalar))
        return .scalar
      }
      return try range(from: scalar, into: &set)
    }
    let isNamed = next.map { $0 | 0x20 == 0x70 } ?? false
    if let property = try property() {
      set.addToLast(property)
      return isNamed ? .set : .range
    }
    if take("Q") || take("E") { throw unsupported("\\Q in a set", at: start) }
    return try range(from: try escapedSetScalar(from: start), into: &set)
  }

  /// Parses an escaped scalar in a set, where `\\b` is the backspace.
  private mutating func escapedSetScalar(from start: Int) throws(RegularExpressionError) -> UInt32 {
    if take("b") { return 0x08 }
    return try escapedScalar(from: start)
  }

  /// Parses a scalar, or the range that begins with it.
  private mutating func range(
    from first: UInt32, into set: inout RegularExpressionSet
  ) throws(RegularExpressionError) -> Before {
    let start = position
    // A hyphen at the end, before a set or before another hyphen is not a range.
    guard next == 0x2D, position + 1 < scalars.count,
      ![0x2D, 0x5B, 0x5D].contains(scalars[position + 1])
    else {
      set.add(.range(first...first))
      return .scalar
    }
    position += 1
    var last = scalars[position]
    let escape = position
    position += 1
    if last == 0x5C {
      if try property() != nil { throw error("a range ends with one character", at: escape) }
      last = try escapedSetScalar(from: escape)
    }
    guard first <= last else { throw error("this range is the wrong way round", at: start) }
    set.add(.range(first...last))
    return .range
  }
}

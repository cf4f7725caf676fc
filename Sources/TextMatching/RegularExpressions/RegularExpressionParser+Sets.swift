extension RegularExpressionParser {
  /// What stands before a position in a set: it decides what `-` and `&` mean there.
  private enum Before {
    case start
    case scalar
    /// A range, or a property as `\\d`.
    case range
    /// A set in brackets, or a property with a name.
    case set
    case `operator`
  }

  /// A set, behind its `[`.
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
      // `[]a]`: a bracket that comes first is a member.
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

  /// Reads what joins a set with the next one; false where nothing does.
  ///
  /// That is `&&` or `--`, or behind a set `&` or `-`.
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
    // In brackets it is a set as any other, joined to all that stands before it.
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
        // ICU begins the range at what stands before it.
        throw unsupported("- behind & in a set", at: start)
      }
      // Behind an operator a hyphen is one scalar as any other: `[a-z----b]` takes `--b` away.
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

  /// A scalar in a set behind a backslash: `\\b` is the backspace there.
  private mutating func escapedSetScalar(from start: Int) throws(RegularExpressionError) -> UInt32 {
    if take("b") { return 0x08 }
    return try escapedScalar(from: start)
  }

  /// A scalar, or the range that it begins.
  private mutating func range(
    from first: UInt32, into set: inout RegularExpressionSet
  ) throws(RegularExpressionError) -> Before {
    let start = position
    // A hyphen at the end, before a set or before another hyphen is no range.
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

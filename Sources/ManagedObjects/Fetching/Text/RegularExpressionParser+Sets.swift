extension RegularExpressionParser {
  /// A set, behind its `[`.
  mutating func bracketed(
    from start: Int
  ) throws(RegularExpressionError) -> RegularExpressionSet {
    depth += 1
    guard depth <= Self.mostDepth else {
      throw error("more than \(Self.mostDepth) sets lie in one another", at: start)
    }
    let isNegated = take("^")
    var set = RegularExpressionSet()
    set.ignoresCase = flags.contains(.ignoresCase)
    set.isNegated = isNegated
    var isFirst = true
    while true {
      guard next != nil else { throw error("this set is never closed", at: start) }
      // `[]a]`: a bracket that comes first is a member.
      if !isFirst, take("]") { break }
      if isFirst, take("]") {
        try range(from: 0x5D, into: &set)
      } else if !isFirst, take("&&") {
        set.operations.append(.intersect(try operand(from: place)))
      } else if !isFirst, take("--") {
        set.operations.append(.subtract(try operand(from: place)))
      } else {
        try member(into: &set)
      }
      isFirst = false
    }
    depth -= 1
    return set
  }

  /// What follows `&&` or `--`: members up to the next of them, or to the end.
  private mutating func operand(
    from start: Int
  ) throws(RegularExpressionError) -> RegularExpressionSet {
    var set = RegularExpressionSet()
    set.ignoresCase = flags.contains(.ignoresCase)
    while let scalar = next, scalar != 0x5D, !isOperator {
      try member(into: &set)
    }
    if set.members.isEmpty { throw error("a set was expected", at: start) }
    return set
  }

  private var isOperator: Bool {
    guard place + 1 < scalars.count, scalars[place] == scalars[place + 1] else { return false }
    return scalars[place] == 0x26 || scalars[place] == 0x2D
  }

  private mutating func member(
    into set: inout RegularExpressionSet
  ) throws(RegularExpressionError) {
    let start = place
    if let property = try posixProperty() {
      set.members.append(property)
    } else if take("[") {
      set.members.append(.set(try bracketed(from: start)))
    } else if take("\\") {
      if let (property, isNegated) = try property() {
        set.members.append(.property(property, isNegated: isNegated))
      } else if take("Q") || take("E") {
        throw unsupported("\\Q in a set", at: start)
      } else {
        try range(from: try escapedSetScalar(from: start), into: &set)
      }
    } else {
      let scalar = scalars[place]
      place += 1
      try range(from: scalar, into: &set)
    }
  }

  /// A scalar in a set behind a backslash: `\b` is the backspace there.
  private mutating func escapedSetScalar(from start: Int) throws(RegularExpressionError) -> UInt32 {
    if take("b") { return 0x08 }
    return try escapedScalar(from: start)
  }

  /// A scalar, or the range that it begins.
  private mutating func range(
    from first: UInt32, into set: inout RegularExpressionSet
  ) throws(RegularExpressionError) {
    let start = place
    // A hyphen at the end, or before another one, is no range.
    guard next == 0x2D, !isOperator, place + 1 < scalars.count, scalars[place + 1] != 0x5D,
      scalars[place + 1] != 0x5B
    else { return set.members.append(.range(first...first)) }
    place += 1
    var last = scalars[place]
    let escape = place
    place += 1
    if last == 0x5C {
      if try property() != nil { throw error("a range ends with one character", at: escape) }
      last = try escapedSetScalar(from: escape)
    }
    guard first <= last else { throw error("this range is the wrong way round", at: start) }
    set.members.append(.range(first...last))
  }
}

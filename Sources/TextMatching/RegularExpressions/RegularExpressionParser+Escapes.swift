extension RegularExpressionParser {
  /// Parses an escape sequence outside of a set, after its backslash.
  mutating func escape(
    from start: Int
  ) throws(RegularExpressionError) -> RegularExpressionTree? {
    guard let scalar = next else { throw error("nothing follows the last backslash", at: start) }
    if let property = try property() { return set(RegularExpressionSet(property)) }
    switch Unicode.Scalar(scalar) {
    case "A": return assertion(.textStart)
    case "z": return assertion(.textEnd)
    case "Z": return assertion(.lastLineEnd)
    case "b": return assertion(.wordBoundary)
    case "B": return assertion(.noWordBoundary)
    case "Q":
      position += 1
      isQuoting = true
      return nil
    case "E":
      position += 1
      return nil
    default: return literal(try escapedScalar(from: start))
    }
  }

  private mutating func assertion(
    _ assertion: RegularExpressionAssertion
  ) -> RegularExpressionTree {
    position += 1
    return .assertion(assertion)
  }

  /// Parses a property after a backslash, such as the `d` of `\d`; nil if there is none.
  mutating func property() throws(RegularExpressionError) -> RegularExpressionSet.Member? {
    let start = position - 1
    guard let scalar = next else { return nil }
    let plain: ScalarProperty
    switch Unicode.Scalar(scalar | 0x20) {
    case "d": plain = .digit
    case "w": plain = .word
    case "s": plain = .space
    case "h": plain = .horizontalSpace
    case "v": plain = .verticalSpace
    case "p":
      guard scalar == 0x50 || scalar == 0x70 else { return nil }
      position += 1
      let isNegated = scalar == 0x50
      guard take("{") else { throw error("{ was expected, as in \\p{L}") }
      let name = position
      while let scalar = next, scalar != 0x7D { position += 1 }
      let text = text(name..<position)
      guard take("}") else { throw error("this name is never closed", at: start) }
      return try named(text, isNegated: isNegated, at: name)
    default: return nil
    }
    // `scalar | 0x20` has turned a few other characters into letters too.
    guard 0x41...0x7A ~= scalar else { return nil }
    position += 1
    return .property(plain, isNegated: scalar & 0x20 == 0, ignoresCase: false)
  }

  private func text(_ range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    for scalar in scalars[range] { UTF8Reader.append(scalar, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The property with a name, which may be preceded by the kind of property: `gc=Lu`.
  private func named(
    _ text: String, isNegated: Bool, at start: Int
  ) throws(RegularExpressionError) -> RegularExpressionSet.Member {
    let bytes = text.utf8
    var name = text
    if let sign = bytes.firstIndex(where: { $0 == 0x3D || $0 == 0x3A }) {
      let before = String(decoding: bytes[..<sign].map { $0 | 0x20 }, as: UTF8.self)
      if before == "gc" || before == "general_category" {
        name = String(decoding: bytes[bytes.index(after: sign)...], as: UTF8.self)
      }
    }
    guard let property = ScalarProperty(name: name) else {
      throw unsupported("the property \(text)", at: start)
    }
    return .property(
      property, isNegated: isNegated, ignoresCase: flags.contains(.ignoresCase))
  }

  /// Whether a POSIX-style set begins at a position, such as `[:alpha:]`.
  func isPosix(at position: Int) -> Bool {
    guard position + 1 < scalars.count, scalars[position] == 0x5B, scalars[position + 1] == 0x3A
    else {
      return false
    }
    let rest = scalars[(position + 2)...]
    guard let end = rest.firstIndex(where: { $0 == 0x3A || $0 == 0x5D }) else { return false }
    return scalars[end] == 0x3A && end + 1 < scalars.count && scalars[end + 1] == 0x5D
  }

  /// Parses a POSIX-style set after `[:` or `[:^`, up to `:]`; nil if there is none.
  mutating func posixProperty() throws(RegularExpressionError) -> RegularExpressionSet.Member? {
    guard isPosix(at: position) else { return nil }
    position += 2
    let isNegated = take("^")
    let name = position
    while let scalar = next, scalar != 0x3A, scalar != 0x5D { position += 1 }
    let text = text(name..<position)
    position += 2
    return try named(text, isNegated: isNegated, at: name)
  }

  /// Parses an escape sequence for a single scalar, after its backslash.
  mutating func escapedScalar(from start: Int) throws(RegularExpressionError) -> UInt32 {
    guard let scalar = next else { throw error("nothing follows the last backslash", at: start) }
    position += 1
    switch Unicode.Scalar(scalar) {
    case "t": return 0x09
    case "n": return 0x0A
    case "f": return 0x0C
    case "r": return 0x0D
    case "a": return 0x07
    case "e": return 0x1B
    case "c":
      guard let control = next, control < 0x80 else { throw error("a letter was expected") }
      position += 1
      return control & 0x1F
    case "0": return try octal()
    case "x":
      if take("{") {
        let value = try hex(1...6, from: start)
        guard take("}") else { throw error("} was expected") }
        return value
      }
      return try hex(1...2, from: start)
    case "u": return try hex(4...4, from: start)
    case "U": return try hex(8...8, from: start)
    case "1", "2", "3", "4", "5", "6", "7", "8", "9", "k":
      throw unsupported("a back reference", at: start)
    case "G", "X", "R", "N":
      // A scalar of the pattern, so it is valid.
      throw unsupported("\\\(Unicode.Scalar(scalar)!)", at: start)
    default:
      let isLetter = (scalar | 0x20) &- 0x61 < 26 && scalar < 0x80
      if isLetter { throw error("this letter means nothing after a backslash", at: start) }
      return scalar
    }
  }

  private mutating func octal() throws(RegularExpressionError) -> UInt32 {
    var value: UInt32 = 0
    let start = position
    while position - start < 3, let scalar = next, 0x30...0x37 ~= scalar,
      value * 8 + scalar - 0x30 < 256
    {
      value = value * 8 + scalar - 0x30
      position += 1
    }
    if position == start { throw error("an octal digit was expected") }
    return value
  }

  private mutating func hex(
    _ digits: ClosedRange<Int>, from start: Int
  ) throws(RegularExpressionError) -> UInt32 {
    var value: UInt32 = 0
    let first = position
    while position - first < digits.upperBound, let scalar = next, let digit = hexDigit(scalar) {
      value = value << 4 | digit
      position += 1
    }
    guard position - first >= digits.lowerBound else {
      throw error("a hexadecimal digit was expected")
    }
    guard Unicode.Scalar(value) != nil else { throw error("there is no such scalar", at: start) }
    return value
  }

  private func hexDigit(_ scalar: UInt32) -> UInt32? {
    switch scalar {
    case 0x30...0x39: scalar - 0x30
    case 0x41...0x46: scalar - 0x41 + 10
    case 0x61...0x66: scalar - 0x61 + 10
    default: nil
    }
  }
}

/// A parser of regular expressions: alternatives of sequences of repeated parts.
struct RegularExpressionParser {
  /// The maximum nesting depth of groups and sets.
  static let mostDepth = 200

  let pattern: String
  let scalars: [UInt32]
  var position = 0
  var depth = 0
  var sets: [RegularExpressionSet] = []
  var flags: Flags
  /// Whether all characters are literal, between `\Q` and `\E`.
  var isQuoting = false

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let ignoresCase = Flags(rawValue: 1)
    static let hasLines = Flags(rawValue: 2)
    static let dotTakesAll = Flags(rawValue: 4)
  }

  init(pattern: String, utf8: [UInt8], ignoresCase: Bool) {
    self.pattern = pattern
    var scalars: [UInt32] = []
    utf8.withUnsafeBytes { bytes in
      var position = 0
      while position < bytes.count { scalars.append(UTF8Reader.scalar(in: bytes, at: &position)) }
    }
    self.scalars = scalars
    flags = ignoresCase ? .ignoresCase : []
  }

  mutating func parse() throws(RegularExpressionError) -> RegularExpressionTree {
    let tree = try alternatives()
    if next != nil { throw error("there is no group that this closes") }
    return tree
  }

  // MARK: Scalars

  /// The scalar at the position; nil at the end.
  var next: UInt32? { position < scalars.count ? scalars[position] : nil }

  /// Consumes the next scalars if they are a given text.
  mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= scalars.count else { return false }
    for offset in 0..<count where scalars[position + offset] != UInt32(text.utf8Start[offset]) {
      return false
    }
    position += count
    return true
  }

  func error(_ reason: String, at offset: Int? = nil) -> RegularExpressionError {
    RegularExpressionError(pattern: pattern, offset: offset ?? position, reason: reason)
  }

  func unsupported(_ what: String, at offset: Int) -> RegularExpressionError {
    RegularExpressionError(
      pattern: pattern, offset: offset, reason: what + " is not supported", isUnsupported: true)
  }

  // MARK: Structure

  mutating func alternatives() throws(RegularExpressionError) -> RegularExpressionTree {
    var parts = [try sequence()]
    while take("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .alternatives(parts)
  }

  private mutating func sequence() throws(RegularExpressionError) -> RegularExpressionTree {
    var parts: [RegularExpressionTree] = []
    while let scalar = next, isQuoting || scalar != bar && scalar != closing {
      let start = position
      guard let part = try atom() else { continue }
      parts.append(try repeated(part, from: start))
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private var bar: UInt32 { 0x7C }
  private var closing: UInt32 { 0x29 }

  /// Parses the quantifiers after a part.
  private mutating func repeated(
    _ part: RegularExpressionTree, from start: Int
  ) throws(RegularExpressionError) -> RegularExpressionTree {
    if isQuoting {
      guard take("\\E") else { return part }
      isQuoting = false
    }
    while true {
      if take("\\Q\\E") { continue }
      guard try skipComment() else { break }
    }
    let quantifier = position
    let least: Int
    let most: Int?
    if take("*") {
      (least, most) = (0, nil)
    } else if take("+") {
      (least, most) = (1, nil)
    } else if take("?") {
      (least, most) = (0, 1)
    } else if take("{") {
      (least, most) = try interval()
    } else {
      return part
    }
    if take("+") { throw unsupported("a possessive quantifier", at: quantifier) }
    // A lazy quantifier prefers another path through the text, but matches the same whole texts.
    _ = take("?")
    if let scalar = next, [0x2A, 0x2B, 0x3F, 0x7B].contains(scalar) {
      throw error("there is nothing to repeat before this")
    }
    if let most, most < least { throw error("the bounds are the wrong way round", at: quantifier) }
    return .repeated(part, least: least, most: most)
  }

  private mutating func interval() throws(RegularExpressionError) -> (Int, Int?) {
    let least = try number()
    guard take(",") else {
      guard take("}") else { throw error("a number, a comma or } was expected") }
      return (least, least)
    }
    if take("}") { return (least, nil) }
    let most = try number()
    guard take("}") else { throw error("} was expected") }
    return (least, most)
  }

  private mutating func number() throws(RegularExpressionError) -> Int {
    let start = position
    var number = 0
    while let scalar = next, 0x30...0x39 ~= scalar {
      number = number * 10 + Int(scalar - 0x30)
      if number > 1_000_000 { throw error("the number is too large", at: start) }
      position += 1
    }
    if position == start { throw error("a number was expected") }
    return number
  }

  /// Parses a part that can be repeated; nil for one that matches nothing, like a comment or a
  /// flag.
  private mutating func atom() throws(RegularExpressionError) -> RegularExpressionTree? {
    let start = position
    if isQuoting, take("\\E") {
      isQuoting = false
      return nil
    }
    if try skipComment() { return nil }
    // Never nil here, as the position has not changed.
    guard let scalar = next else { return nil }
    position += 1
    if isQuoting { return literal(scalar) }
    switch Unicode.Scalar(scalar) {
    case "(": return try group(from: start)
    case "[": return set(try bracketed(from: start))
    case ".": return .any(endsOfLines: flags.contains(.dotTakesAll))
    case "^": return .assertion(flags.contains(.hasLines) ? .lineStart : .textStart)
    case "$": return .assertion(flags.contains(.hasLines) ? .lineEnd : .lastLineEnd)
    case "\\": return try escape(from: start)
    case "*", "+", "?": throw error("there is nothing to repeat before this", at: start)
    case "{": throw error("a literal { has to be written \\{", at: start)
    default: return literal(scalar)
    }
  }

  func literal(_ scalar: UInt32) -> RegularExpressionTree {
    .scalar(scalar, ignoresCase: flags.contains(.ignoresCase))
  }

  mutating func set(_ set: RegularExpressionSet) -> RegularExpressionTree {
    sets.append(set)
    return .set(sets.count - 1)
  }

  // MARK: Groups

  private mutating func group(
    from start: Int
  ) throws(RegularExpressionError) -> RegularExpressionTree? {
    guard take("?") else { return try body(of: start, flags: flags) }
    if take(":") { return try body(of: start, flags: flags) }
    for (sign, what) in [
      ("=", "look-ahead"), ("!", "look-ahead"), (">", "an atomic group"),
    ] as [(StaticString, String)] where take(sign) {
      throw unsupported(what, at: start)
    }
    if take("<") {
      if next == 0x3D || next == 0x21 { throw unsupported("look-behind", at: start) }
      let name = position
      while let scalar = next, isLetterOrDigit(scalar) { position += 1 }
      guard position > name, take(">") else { throw error("a group's name and > were expected") }
      return try body(of: start, flags: flags)
    }
    var flags = flags
    try readFlags(into: &flags)
    if take(")") {
      self.flags = flags
      return nil
    }
    guard take(":") else { throw error("a flag, : or ) was expected") }
    return try body(of: start, flags: flags)
  }

  /// Skips a comment, `(?#…)`; returns false if there is none.
  private mutating func skipComment() throws(RegularExpressionError) -> Bool {
    let start = position
    guard !isQuoting, take("(?#") else { return false }
    while let scalar = next, scalar != closing { position += 1 }
    guard take(")") else { throw error("this comment is never closed", at: start) }
    return true
  }

  private func isLetterOrDigit(_ scalar: UInt32) -> Bool {
    (scalar | 0x20) &- 0x61 < 26 || 0x30...0x39 ~= scalar
  }

  private mutating func readFlags(into flags: inout Flags) throws(RegularExpressionError) {
    var isOn = true
    while let scalar = next {
      let flag: Flags
      switch Unicode.Scalar(scalar) {
      case "-":
        isOn = false
        position += 1
        continue
      case "i": flag = .ignoresCase
      case "m": flag = .hasLines
      case "s": flag = .dotTakesAll
      case "x", "u", "w", "d":
        // A scalar of the pattern, so it is valid.
        throw unsupported("the flag \(Unicode.Scalar(scalar)!)", at: position)
      default: return
      }
      position += 1
      if isOn { flags.insert(flag) } else { flags.remove(flag) }
    }
  }

  /// Parses up to the group's end; flags set inside the group end with it.
  private mutating func body(
    of start: Int, flags inside: Flags
  ) throws(RegularExpressionError) -> RegularExpressionTree {
    let outside = flags
    flags = inside
    depth += 1
    guard depth <= Self.mostDepth else {
      throw error("more than \(Self.mostDepth) groups lie in one another", at: start)
    }
    let tree = try alternatives()
    guard take(")") else { throw error("this group is never closed", at: start) }
    depth -= 1
    flags = outside
    return tree
  }
}

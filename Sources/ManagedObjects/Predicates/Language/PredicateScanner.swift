/// A scanner that splits a predicate's text into tokens in one pass.
struct PredicateScanner {
  let format: String
  let bytes: [UInt8]
  private var index = 0

  init(_ format: String) {
    self.format = format
    bytes = Array(format.utf8)
  }

  func error(_ reason: String, at position: Int) -> PredicateFormatError {
    PredicateFormatError(format: format, position: position, reason: reason)
  }

  mutating func next() throws(PredicateFormatError) -> PredicateToken {
    while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
    let start = index
    guard start < bytes.count else { return token(.end, from: start) }
    let byte = bytes[start]
    if Self.startsName(byte) || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "@") {
      return try name()
    }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "."):
      if Self.isDigit(peek(1)) { return try number() }
      index += 1
      return token(.sign(.dot), from: start)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return token(.text(try text()), from: start)
    case UInt8(ascii: "$"):
      index += 1
      try skipName("the variable's name")
      return token(.variable, from: start)
    case UInt8(ascii: "%"): return try placeholder()
    default:
      guard let (sign, length) = Self.sign(byte, peek(1)) else {
        throw error("this character is not expected here", at: start)
      }
      index += length
      return token(.sign(sign), from: start)
    }
  }

  /// The text of a token.
  func spelling(_ token: PredicateToken) -> String {
    String(decoding: bytes[token.start..<token.end], as: UTF8.self)
  }

  /// The name of a variable without the `$`; a combining mark directly after the `$` belongs to the
  /// name.
  func variableName(_ token: PredicateToken) -> String {
    String(decoding: bytes[(token.start + 1)..<token.end], as: UTF8.self)
  }

  private func token(_ kind: PredicateToken.Kind, from start: Int) -> PredicateToken {
    PredicateToken(kind: kind, keyword: nil, start: start, end: index)
  }

  private func peek(_ distance: Int) -> UInt8 {
    index + distance < bytes.count ? bytes[index + distance] : 0
  }

  // MARK: Names

  /// Scans `dog.name`, `walks.@count`, `#in.#size` or `lowercase:`.
  private mutating func name() throws(PredicateFormatError) -> PredicateToken {
    let start = index
    var isSingle = true
    while true {
      if peek(0) == UInt8(ascii: "#") || peek(0) == UInt8(ascii: "@") { index += 1 }
      try skipName("a property's name")
      guard peek(0) == UInt8(ascii: ".") else { break }
      let following = peek(1)
      guard
        Self.startsName(following) || following == UInt8(ascii: "#")
          || following == UInt8(ascii: "@")
      else { break }
      isSingle = false
      index += 1
    }
    if peek(0) == UInt8(ascii: ":"), peek(1) != UInt8(ascii: "=") {
      while index < bytes.count, peek(0) == UInt8(ascii: ":") || Self.continuesName(peek(0)) {
        index += 1
      }
      return token(.selector, from: start)
    }
    var token = token(.name, from: start)
    if isSingle { token.keyword = PredicateToken.Keyword(bytes[start..<index]) }
    return token
  }

  private mutating func skipName(_ what: String) throws(PredicateFormatError) {
    guard Self.startsName(peek(0)) else { throw error("expected \(what)", at: index) }
    while index < bytes.count, Self.continuesName(bytes[index]) { index += 1 }
  }

  // MARK: Literals

  private mutating func number() throws(PredicateFormatError) -> PredicateToken {
    let start = index
    if peek(0) == UInt8(ascii: "0"), let radix = Self.radix(peek(1)) {
      index += 2
      return token(.integer(try digits(radix: radix)), from: start)
    }
    var isReal = false
    skipDigits()
    if peek(0) == UInt8(ascii: "."), Self.isDigit(peek(1)) || !Self.startsName(peek(1)) {
      isReal = true
      index += 1
      skipDigits()
    }
    if peek(0) | 0x20 == UInt8(ascii: "e") {
      let hasSign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
      if Self.isDigit(peek(hasSign ? 2 : 1)) {
        isReal = true
        index += hasSign ? 2 : 1
        skipDigits()
      }
    }
    guard !Self.startsName(peek(0)) else { throw error("a letter follows this number", at: index) }
    let spelling = String(decoding: bytes[start..<index], as: UTF8.self)
    if !isReal, let whole = UInt64(spelling) { return token(.integer(whole), from: start) }
    guard let real = Double(spelling) else { throw error("this is not a number", at: start) }
    return token(.real(real), from: start)
  }

  private mutating func digits(radix: UInt64) throws(PredicateFormatError) -> UInt64 {
    let start = index
    var number: UInt64 = 0
    while Self.continuesName(peek(0)) {
      guard let digit = Self.digit(peek(0)), digit < radix else {
        throw error("this is not a digit of the number", at: index)
      }
      let (product, overflows) = number.multipliedReportingOverflow(by: radix)
      guard !overflows else { throw error("this number is too large", at: start) }
      number = product | digit
      index += 1
    }
    guard index > start else { throw error("expected the number's digits", at: index) }
    return number
  }

  private mutating func skipDigits() {
    while Self.isDigit(peek(0)) { index += 1 }
  }

  private mutating func text() throws(PredicateFormatError) -> String {
    let start = index
    let quote = bytes[index]
    index += 1
    let inner = index
    var unescaped: [UInt8]?
    while true {
      guard index < bytes.count else { throw error("this string is not closed", at: start) }
      let byte = bytes[index]
      index += 1
      if byte == quote { break }
      guard byte == UInt8(ascii: "\\") else {
        unescaped?.append(byte)
        continue
      }
      if unescaped == nil { unescaped = Array(bytes[inner..<(index - 1)]) }
      unescaped?.append(contentsOf: try escape())
    }
    return String(decoding: unescaped ?? Array(bytes[inner..<(index - 1)]), as: UTF8.self)
  }

  /// Scans the rest of an escape sequence after the backslash.
  private mutating func escape() throws(PredicateFormatError) -> [UInt8] {
    let byte = peek(0)
    guard index < bytes.count else { return [] }
    index += 1
    switch byte {
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): return [byte]
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let count = byte == UInt8(ascii: "u") ? 4 : 8
      var number: UInt32 = 0
      for _ in 0..<count {
        guard let digit = Self.digit(peek(0)) else {
          throw error("expected \(count) hexadecimal digits", at: index)
        }
        number = number << 4 | UInt32(digit)
        index += 1
      }
      guard let scalar = Unicode.Scalar(number) else {
        throw error("this is not a character", at: index - count)
      }
      return Array(String(Character(scalar)).utf8)
    // LIKE and MATCHES interpret it.
    default: return [UInt8(ascii: "\\"), byte]
    }
  }

  // MARK: Placeholders

  /// Scans `%@`, `%K`, `%%`, and C's formats for numbers and texts.
  private mutating func placeholder() throws(PredicateFormatError) -> PredicateToken {
    let start = index
    index += 1
    while "hlqzt".utf8.contains(peek(0)) { index += 1 }
    let letter = peek(0)
    index += 1
    switch letter {
    case UInt8(ascii: "@"), UInt8(ascii: "K"), UInt8(ascii: "%"):
      return token(.placeholder(letter), from: start)
    case UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "x"),
      UInt8(ascii: "X"), UInt8(ascii: "o"), UInt8(ascii: "c"), UInt8(ascii: "D"),
      UInt8(ascii: "U"):
      return token(.placeholder(UInt8(ascii: "d")), from: start)
    case UInt8(ascii: "f"), UInt8(ascii: "g"), UInt8(ascii: "e"), UInt8(ascii: "a"),
      UInt8(ascii: "F"), UInt8(ascii: "G"), UInt8(ascii: "E"):
      return token(.placeholder(UInt8(ascii: "f")), from: start)
    case UInt8(ascii: "s"), UInt8(ascii: "S"):
      return token(.placeholder(UInt8(ascii: "s")), from: start)
    default:
      index = start
      throw error("expected %@, %K, %d, %f or the like", at: start)
    }
  }
}

// MARK: Letters

extension PredicateScanner {
  /// Whether a text consists only of names separated by dots.
  static func isKeyPath(_ text: String) -> Bool {
    var scanner = PredicateScanner(text)
    guard let token = try? scanner.next() else { return false }
    return token.kind == .name && token.start == 0 && token.end == scanner.bytes.count
      && !scanner.bytes.contains(UInt8(ascii: "#"))
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
  private static func startsName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte < 0x80
      || byte == UInt8(ascii: "_") || byte >= 0x80
  }
  private static func continuesName(_ byte: UInt8) -> Bool { startsName(byte) || isDigit(byte) }

  private static func radix(_ letter: UInt8) -> UInt64? {
    switch letter | 0x20 {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// The sign that starts with two bytes, and its length.
  private static func sign(_ first: UInt8, _ second: UInt8) -> (PredicateToken.Sign, Int)? {
    switch (first, second) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")): (.equal, 2)
    case (UInt8(ascii: "="), UInt8(ascii: "<")): (.lessOrEqual, 2)
    case (UInt8(ascii: "="), UInt8(ascii: ">")): (.greaterOrEqual, 2)
    case (UInt8(ascii: "="), _): (.equal, 1)
    case (UInt8(ascii: "!"), UInt8(ascii: "=")): (.notEqual, 2)
    case (UInt8(ascii: "!"), _): (.not, 1)
    case (UInt8(ascii: "<"), UInt8(ascii: "=")): (.lessOrEqual, 2)
    case (UInt8(ascii: "<"), UInt8(ascii: ">")): (.notEqual, 2)
    case (UInt8(ascii: "<"), UInt8(ascii: "<")): (.shiftLeft, 2)
    case (UInt8(ascii: "<"), _): (.less, 1)
    case (UInt8(ascii: ">"), UInt8(ascii: "=")): (.greaterOrEqual, 2)
    case (UInt8(ascii: ">"), UInt8(ascii: ">")): (.shiftRight, 2)
    case (UInt8(ascii: ">"), _): (.greater, 1)
    case (UInt8(ascii: "&"), UInt8(ascii: "&")): (.logicalAnd, 2)
    case (UInt8(ascii: "&"), _): (.and, 1)
    case (UInt8(ascii: "|"), UInt8(ascii: "|")): (.logicalOr, 2)
    case (UInt8(ascii: "|"), _): (.or, 1)
    case (UInt8(ascii: "*"), UInt8(ascii: "*")): (.power, 2)
    case (UInt8(ascii: "*"), _): (.times, 1)
    case (UInt8(ascii: "("), _): (.openParenthesis, 1)
    case (UInt8(ascii: ")"), _): (.closeParenthesis, 1)
    case (UInt8(ascii: "{"), _): (.openBrace, 1)
    case (UInt8(ascii: "}"), _): (.closeBrace, 1)
    case (UInt8(ascii: "["), _): (.openBracket, 1)
    case (UInt8(ascii: "]"), _): (.closeBracket, 1)
    case (UInt8(ascii: ","), _): (.comma, 1)
    case (UInt8(ascii: "+"), _): (.plus, 1)
    case (UInt8(ascii: "-"), _): (.minus, 1)
    case (UInt8(ascii: "/"), _): (.divide, 1)
    case (UInt8(ascii: "^"), _): (.xor, 1)
    case (UInt8(ascii: "~"), _): (.complement, 1)
    default: nil
    }
  }
}

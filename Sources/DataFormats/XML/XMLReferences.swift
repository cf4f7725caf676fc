extension XMLCursor {
  /// Parses a reference and appends the character that it stands for.
  ///
  /// - Throws: `DataError` if it is malformed, if the entity is not one of XML's five, or if XML
  ///   does not allow the character.
  mutating func takeReference(into text: inout [UInt8]) throws(DataError) {
    let start = self
    _ = take("&")
    if take("#") {
      let scalar = try characterReference(from: start)
      text.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
      return
    }
    guard let name = takeName(), take(";") else {
      throw start.error("an & does not begin a reference")
    }
    switch name {
    case "lt": text.append(UInt8(ascii: "<"))
    case "gt": text.append(UInt8(ascii: ">"))
    case "amp": text.append(UInt8(ascii: "&"))
    case "quot": text.append(UInt8(ascii: "\""))
    case "apos": text.append(UInt8(ascii: "'"))
    default: throw start.error("unknown entity &\(name);")
    }
  }

  /// Parses the character of `&#65;` or `&#x41;` after the `#`.
  private mutating func characterReference(
    from start: XMLCursor
  ) throws(DataError) -> Unicode.Scalar {
    let radix: UInt32 = take("x") ? 16 : 10
    let first = index
    var number: UInt32 = 0
    while let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix {
      // A number beyond Unicode stays beyond it.
      if number <= 0x10FFFF { number = number * radix + UInt32(digit) }
      advance()
    }
    guard index > first, take(";") else { throw start.error("a character reference is malformed") }
    let reference = String(decoding: bytes[start.index..<index].prefix(20), as: UTF8.self)
    if (0xD800...0xDFFF).contains(number) {
      throw start.error("unpaired surrogate \(reference)")
    }
    guard let scalar = Unicode.Scalar(number), scalar.isXMLCharacter else {
      throw start.error("\(reference) is not a character that XML allows")
    }
    return scalar
  }
}

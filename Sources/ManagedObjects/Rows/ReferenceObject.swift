public import SystemLibraries

/// The identifier of an object in a custom store: a number, a text or bytes.
///
///     let number: ReferenceObject = 42        // x-coredata://…/Dog/p42
///     let path: ReferenceObject = "a/b c"     // x-coredata://…/File/pa/b%20c
///
/// Only its text counts: the number 42 and the text "42" are the same reference, since an object's
/// URI contains the text, from which the ID is restored in another run. Follows the reference
/// objects of Core Data's `NSIncrementalStore` and `NSAtomicStore`.
public struct ReferenceObject: Sendable, Hashable, CustomStringConvertible {
  /// A text in the canonical form of a number is stored as that number.
  private enum Content: Sendable, Hashable {
    case number(Int64)
    case text(String)
  }

  private let content: Content

  /// The reference as text.
  public var description: String {
    switch content {
    case .number(let number): String(number)
    case .text(let text): text
    }
  }

  /// Creates a reference from a text.
  public init(_ text: String) {
    // A text such as "007" or "+7" is a different reference from 7.
    if let number = Int64(text), String(number) == text {
      content = .number(number)
    } else {
      content = .text(text)
    }
  }

  /// Creates a reference from an integer.
  public init(_ number: some BinaryInteger) {
    content = Int64(exactly: number).map { .number($0) } ?? .text(String(number))
  }

  /// Creates a reference from the text of a UUID.
  public init(_ uuid: UUID) { content = .text(uuid.uuidString) }

  /// Creates a reference from bytes, written as hexadecimal digits in angle brackets.
  ///
  ///     ReferenceObject(Data([0x68, 0x69])).description   // "<6869>"
  public init(_ data: Data) {
    let digits = Array("0123456789abcdef".unicodeScalars)
    var text = "<"
    for byte in data {
      text.unicodeScalars.append(digits[Int(byte >> 4)])
      text.unicodeScalars.append(digits[Int(byte & 15)])
    }
    content = .text(text + ">")
  }

  /// The number, if the reference is one; nil for any other text.
  public var number: Int64? {
    if case .number(let number) = content { number } else { nil }
  }

  /// The bytes, if the reference was created from bytes; nil for any other text.
  public var data: Data? {
    let text = Array(description.utf8)
    guard text.count % 2 == 0, text.first == UInt8(ascii: "<"), text.last == UInt8(ascii: ">")
    else { return nil }
    var bytes = Data()
    for index in stride(from: 1, to: text.count - 1, by: 2) {
      let digits = String(decoding: text[index...index + 1], as: UTF8.self)
      guard digits.first?.isHexDigit == true, let byte = UInt8(digits, radix: 16) else {
        return nil
      }
      bytes.append(byte)
    }
    return bytes
  }
}

extension ReferenceObject: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Creates a reference from a text literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// Creates a reference from an integer literal.
  public init(integerLiteral number: Int64) { self.init(number) }
}

// MARK: In URIs

extension ReferenceObject {
  /// The text percent-encoded for the path of a URL; slashes are kept.
  var escaped: String {
    var text = ""
    for byte in description.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "/")...UInt8(ascii: ":"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      case _ where "-._~!$&'()*+,=@".utf8.contains(byte):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += byte < 16 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return text
  }

  /// Decodes a percent-encoded text from a URL's path; nil if it is not valid.
  init?(escaped text: some Sequence<UInt8>) {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard rest.count >= 2, digits.first?.isHexDigit == true,
        let escaped = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(escaped)
      rest = rest.dropFirst(2)
    }
    guard let description = String(validating: bytes, as: UTF8.self) else { return nil }
    self.init(description)
  }
}

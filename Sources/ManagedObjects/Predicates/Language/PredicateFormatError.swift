/// A syntax error in a predicate's text: what was expected, and where.
///
///     do { _ = try FetchPredicate(format: "duration > AND note == nil") } catch { print(error) }
///     // duration > AND note == nil
///     //            ^ expected a value or a key path
///
/// Thrown by `FetchPredicate.init(format:_:)`.
public struct PredicateFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The whole text.
  public let format: String
  /// The position of the error, as a UTF-8 offset; the text's length if it ends too early.
  public let position: Int
  /// The error message: `expected a value or a key path`.
  public let reason: String

  /// The line with the error, split at its position.
  public var line: (before: String, after: String) {
    let bytes = Array(format.utf8)
    let start = bytes[..<position].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    return (
      String(decoding: bytes[start..<position], as: UTF8.self),
      String(decoding: bytes[position..<end], as: UTF8.self)
    )
  }

  /// The line with the error, and below it a caret and the reason.
  public var description: String {
    let (before, after) = line
    let indent = String(before.map { $0 == "\t" ? "\t" : " " })
    return "\(before)\(after)\n\(indent)^ \(reason)"
  }
}

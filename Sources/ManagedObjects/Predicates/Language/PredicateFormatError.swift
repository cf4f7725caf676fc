/// Why a text is no predicate: what was expected, and where.
///
///     do { _ = try FetchPredicate(format: "duration > AND note == nil") } catch { print(error) }
///     // duration > AND note == nil
///     //            ^ expected a value or a key path
///
/// Thrown by `FetchPredicate.init(format:_:)`.
public struct PredicateFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The whole text.
  public let format: String
  /// Where the reading stopped, in bytes of UTF-8 from the start; its length where it ends too
  /// soon.
  public let position: Int
  /// What is wrong there: `expected a value or a key path`.
  public let reason: String

  /// The text from the line's start to the mistake, and the rest of that line.
  public var line: (before: String, after: String) {
    let bytes = Array(format.utf8)
    let start = bytes[..<position].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    return (
      String(decoding: bytes[start..<position], as: UTF8.self),
      String(decoding: bytes[position..<end], as: UTF8.self)
    )
  }

  /// The line with the mistake, and below it a caret and the reason.
  public var description: String {
    let (before, after) = line
    let indent = String(before.map { $0 == "\t" ? "\t" : " " })
    return "\(before)\(after)\n\(indent)^ \(reason)"
  }
}

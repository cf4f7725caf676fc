import DataFormats
import SystemLibraries

/// A log of the work that stores do: how detailed it is, and where it is written.
///
///     var options = PersistentStoreOptions()
///     options.sqlDebug = DebugOutput(level: 2)                         // to standard error
///     options.sqlDebug = DebugOutput(level: 1) { print($0) }           // to a handler of one's own
///
/// For all stores of a program, pass `-com.apple.CoreData.SQLDebug 2` among its arguments or set
/// `MANAGEDOBJECTS_SQLDEBUG=2` in its environment. Without any of these there is no overhead.
/// Follows Core Data's arguments of these names.
public final class DebugOutput: Sendable, Hashable {
  /// The level of detail: 0 for nothing; each level adds to the lower ones.
  public let level: Int
  private let write: @Sendable (String) -> Void

  /// Creates an output that writes to standard error.
  public convenience init(level: Int) {
    self.init(level: level) { Self.writeToStandardError($0) }
  }

  /// Creates an output that passes each line, without its line break, to a handler; control
  /// characters are escaped.
  ///
  /// The handler is called while the store works, on whichever thread that happens: it must not use
  /// the store.
  public init(level: Int, to write: @escaping @Sendable (String) -> Void) {
    self.level = level
    self.write = write
  }

  /// Outputs are equal only if they are the same object.
  public static func == (one: DebugOutput, other: DebugOutput) -> Bool { one === other }

  /// Hashes the identity that `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Writes a line if the level is high enough.
  func tell(from level: Int = 1, _ line: @autoclosure () -> String) {
    if level <= self.level { write(("CoreData: " + line()).visible()) }
  }

  // MARK: Arguments and environment

  private static let prefix = "-com.apple.CoreData."

  /// The SQL output that the process's arguments or environment ask for; nil for none.
  static let sql = DebugOutput(
    argument: prefix + "SQLDebug", variable: "MANAGEDOBJECTS_SQLDEBUG")
  /// The migration output that they ask for; nil for none.
  static let migration = DebugOutput(
    argument: prefix + "MigrationDebug", variable: "MANAGEDOBJECTS_MIGRATIONDEBUG")

  /// The words of a command line without those addressed to this library.
  ///
  /// An example is `-com.apple.CoreData.SQLDebug 1`. Programs that reject unknown arguments use it.
  package static func removingRequests(from words: [String]) -> [String] {
    guard words.contains(where: { $0.hasPrefix(prefix) }) else { return words }
    var remaining: [String] = []
    var words = words[...]
    while let word = words.popFirst() {
      if word.hasPrefix(prefix), words.first.flatMap({ Int($0) }) != nil {
        words.removeFirst()
      } else {
        remaining.append(word)
      }
    }
    return remaining
  }

  /// Creates an output from the process's arguments, else from its environment; nil if neither asks
  /// for one.
  private convenience init?(argument: String, variable: String) {
    let level =
      Self.level(behind: argument, in: CommandLine.unsafeArgv)
      ?? getenv(variable).flatMap { Int(String(cString: $0)) }
    guard let level, level > 0 else { return nil }
    self.init(level: level)
  }

  /// The number after an argument in a nil-terminated list of words; nil if there is none.
  ///
  /// Takes C strings, since an array of Swift strings would be created at every program start.
  static func level(
    behind argument: String, in words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) -> Int? {
    var index = 0
    while let word = words[index] {
      index += 1
      if strcmp(word, argument) == 0, let next = words[index],
        let level = Int(String(cString: next))
      {
        return level
      }
    }
    return nil
  }

  private static func writeToStandardError(_ line: String) {
    // A single call, so that lines from several threads are not interleaved.
    var line = line + "\n"
    line.withUTF8 { _ = SystemLibraries.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

extension Double {
  /// A duration in seconds, to a tenth of a millisecond: `0.0012s`.
  var inSeconds: String {
    // Clamped, so that no odd clock reading traps.
    let tenths = Int64(min(max((self * 10_000).rounded(), 0), 1e15))
    let digits = String(tenths % 10_000)
    return "\(tenths / 10_000).\(String(repeating: "0", count: 4 - digits.count))\(digits)s"
  }
}

extension String {
  /// The text with its control characters escaped, so that it is a single line and no value can
  /// control a terminal.
  fileprivate func visible() -> String {
    guard unicodeScalars.contains(where: { $0.escape != nil }) else { return self }
    return unicodeScalars.map { $0.escape ?? String($0) }.joined()
  }
}

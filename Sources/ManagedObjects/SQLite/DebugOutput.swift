import DataFormats
import SystemLibraries

/// What a program is told of the work that its stores do: how much of it, and to whom.
///
///     var options = PersistentStoreOptions()
///     options.sqlDebug = DebugOutput(level: 2)                         // to standard error
///     options.sqlDebug = DebugOutput(level: 1) { print($0) }           // to a handler of one's own
///
/// Whoever runs a program says the same for all of its stores with `-com.apple.CoreData.SQLDebug 2`
/// among its arguments, or `MANAGEDOBJECTS_SQLDEBUG=2` in its environment. Nothing is spent where
/// nobody has asked. Follows Core Data's arguments of these names.
public final class DebugOutput: Sendable, Hashable {
  /// How much is told: 0 for nothing, and each number tells what smaller ones do, and more.
  public let level: Int
  private let write: @Sendable (String) -> Void

  /// Tells standard error.
  public convenience init(level: Int) {
    self.init(level: level) { Self.writeToStandardError($0) }
  }

  /// Tells a handler, line by line and without their ends; control characters are made visible.
  ///
  /// It is called while the store works, by whichever thread it works in: it must not use the
  /// store.
  public init(level: Int, to write: @escaping @Sendable (String) -> Void) {
    self.level = level
    self.write = write
  }

  /// Outputs are equal that are the same one.
  public static func == (one: DebugOutput, other: DebugOutput) -> Bool { one === other }

  /// Mixes in what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Tells a line where the level has it.
  func tell(from level: Int = 1, _ line: @autoclosure () -> String) {
    if level <= self.level { write(("CoreData: " + line()).visible()) }
  }

  // MARK: What the process was asked for

  private static let prefix = "-com.apple.CoreData."

  /// What the process was asked to tell of SQL; nil for nothing.
  static let sql = DebugOutput(
    argument: prefix + "SQLDebug", variable: "MANAGEDOBJECTS_SQLDEBUG")
  /// What it was asked to tell of migrations.
  static let migration = DebugOutput(
    argument: prefix + "MigrationDebug", variable: "MANAGEDOBJECTS_MIGRATIONDEBUG")

  /// The words of a command line without those that ask this library for something, such as
  /// `-com.apple.CoreData.SQLDebug 1`: for programs that refuse what they don't know.
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

  /// Looks through the process's arguments, then its environment; nil where neither asks for
  /// anything.
  private convenience init?(argument: String, variable: String) {
    let level =
      Self.level(behind: argument, in: CommandLine.unsafeArgv)
      ?? getenv(variable).flatMap { Int(String(cString: $0)) }
    guard let level, level > 0 else { return nil }
    self.init(level: level)
  }

  /// The number behind an argument, among words that nil ends; nil where there is none.
  ///
  /// Of C's words, since an array of texts would be made whenever a program starts.
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
    // In one call, so that lines of several threads stay whole.
    var line = line + "\n"
    line.withUTF8 { _ = SystemLibraries.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

extension Double {
  /// A time in seconds, to the tenth of a millisecond: `0.0012s`.
  var inSeconds: String {
    // A time that no clock has counted is none.
    let tenths = Int64(min(max((self * 10_000).rounded(), 0), 1e15))
    let digits = String(tenths % 10_000)
    return "\(tenths / 10_000).\(String(repeating: "0", count: 4 - digits.count))\(digits)s"
  }
}

extension String {
  /// The text with its control characters made visible, so that it is one line, and no value
  /// can speak to a terminal.
  fileprivate func visible() -> String {
    guard unicodeScalars.contains(where: { $0.escape != nil }) else { return self }
    return unicodeScalars.map { $0.escape ?? String($0) }.joined()
  }
}

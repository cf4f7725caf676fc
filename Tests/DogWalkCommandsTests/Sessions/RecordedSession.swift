import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// A file in Tests/Sessions: one recorded terminal session.
///
///     # Deleting the only walk there is.
///     DOGWALK_NOW=2026-11-21T09:00:00Z
///     TZ=Europe/Berlin
///     LANG=C.UTF-8
///
///     $ dogwalk add Fido 35m
///     …
///
/// The lines above the first command are comments and the environment. `TERMINAL=80x24` is not a
/// variable: it makes standard output a terminal of that size. Neither is `NEEDS=sqlite3`: without
/// that program the session is not replayed.
struct RecordedSession {
  let url: URL
  /// The lines above the first command, unchanged.
  private let preamble: [String]
  var transcript: Transcript

  init(url: URL) throws {
    self.url = url
    let lines = try String(contentsOf: url, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
    let start = lines.firstIndex { $0.hasPrefix("$ ") } ?? lines.endIndex
    preamble = Array(lines[..<start])
    transcript = Transcript(lines: lines[start...])
  }

  /// What the preamble sets for the commands.
  var environment: [String: String] {
    settings.filter { $0.key != "TERMINAL" && $0.key != "NEEDS" }
  }

  /// Whether the program that the preamble needs is installed, and disk space can be limited.
  var isPossible: Bool {
    guard
      ProcessInfo.canRunOutOfRoom || !transcript.lines.contains(where: { $0.contains("ulimit -f") })
    else { return false }
    guard let program = settings["NEEDS"] else { return true }
    return ["/usr/local/bin", "/usr/bin", "/bin"].contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  /// The size of the terminal that the preamble requests.
  var terminalSize: String? { settings["TERMINAL"] }

  private var settings: [String: String] {
    let pairs = preamble.filter { !$0.hasPrefix("#") }.compactMap { line in
      line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
    }
    return Dictionary(pairs) { $1 }
  }

  /// Writes the file again.
  func write() throws {
    let text = (preamble + transcript.lines).joined(separator: "\n") + "\n"
    try text.write(to: url, atomically: true, encoding: .utf8)
  }

  /// Sessions that show what a file is, look into one with other programs, or use what no server
  /// supports: they are not replayed on a server.
  static let aboutFiles: Set<String> = {
    let others = all.map { $0.deletingPathExtension().lastPathComponent }
      .filter { $0.hasPrefix("storetool") }
    return Set(others).union([
      "clock-terminal", "config", "config-narrow-terminal", "doctor", "gone-ends", "help",
      "history-forget", "hostile-text", "hostile-values", "hostile-values-terminal", "older-store",
      "sharing", "store", "sync", "undo-skip", "version",
    ])
  }()

  /// Every session there is, by name.
  static let all: [URL] = {
    let folder = URL.projectFolder.appending(path: "Tests/Sessions")
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "session" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }()
}

import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// In the type's own scope these names are other functions'.
private let readFile = read

/// A terminal of its own, in which a program runs and a test types.
final class TerminalProcess {
  struct Failure: Error {}

  let prompt: Prompt
  private var master: Int32 = -1
  private var device: Int32 = -1
  private let process = Process()
  private(set) var output = ""

  /// A terminal in which nothing is running yet.
  init(columns: UInt16 = 60, rows: UInt16 = 12) throws {
    prompt = try Prompt()
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &device, nil, nil, &size) == 0 else { throw Failure() }
  }

  deinit {
    if process.isRunning { process.terminate() }
    close(master)
    close(device)
  }

  /// Runs a command of the program elsewhere, and waits for it.
  func dogwalk(_ words: String...) throws {
    guard try ProgramProcess(words, in: prompt).answer().code == 0 else { throw Failure() }
  }

  /// Starts a command of the program on the terminal.
  func start(_ words: [String]) throws {
    try start(URL.builtFolder.appending(path: "dogwalk").path, words)
  }

  /// Starts any program on the terminal; the tested ones come first in its PATH.
  ///
  /// - Parameter isSession: whether the terminal is the program's own, as shells require.
  func start(_ program: String, _ words: [String], isSession: Bool = false) throws {
    let session = "/usr/bin/setsid"
    let isSession = isSession && access(session, X_OK) == 0
    process.executableURL = URL(filePath: isSession ? session : program)
    process.arguments = (isSession ? ["--ctty", "--wait", program] : []) + words
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = prompt.variables.merging([
      "TZ": "UTC", "PATH": "\(URL.builtFolder.path):\(folders)", "TERM": "xterm",
    ]) { $1 }
    .merging(ProcessInfo.toolVariables) { $1 }
    process.currentDirectoryURL = prompt.home
    let terminal = FileHandle(fileDescriptor: device, closeOnDealloc: false)
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
  }

  /// Whether a text appears on the terminal soon.
  func shows(_ text: String) -> Bool {
    for _ in 0..<600 {
      read()
      if output.contains(text) { return true }
    }
    return false
  }

  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  func terminate() { process.terminate() }

  /// Waits for the end and returns the exit code.
  func end() -> Int32 {
    for _ in 0..<600 where process.isRunning { read() }
    process.waitUntilExit()
    read()
    return process.terminationStatus
  }

  /// Whether the terminal echoes input, as shells need it.
  var isEchoing: Bool {
    var modes = termios()
    tcgetattr(device, &modes)
    return modes.c_lflag & tcflag_t(ECHO) != 0 && modes.c_lflag & tcflag_t(ICANON) != 0
  }

  private func read() {
    var state = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, 50) > 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = readFile(master, &buffer, buffer.count)
    if count > 0 { output += String(decoding: buffer[..<count], as: UTF8.self) }
  }
}

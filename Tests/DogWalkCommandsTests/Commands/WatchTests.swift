import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `dogwalk watch` in a terminal of its own, as a process.
@Suite(.serialized) struct `Watching` {
  @Test func `shows what others write, and leaves the terminal as it was`() throws {
    let watched = try WatchedTerminal()
    try watched.dogwalk("add", "Fido", "35m", "yesterday", "18:00")
    try watched.start()
    #expect(watched.shows("Fido"))
    #expect(!watched.isEchoing)
    try watched.dogwalk("add", "Rex", "20m", "7:30")
    #expect(watched.shows("Rex"))
    watched.type("q")
    #expect(watched.end() == 0)
    #expect(watched.isEchoing)
    // The cursor and the screen of before.
    #expect(watched.output.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
  }

  @Test func `waits for the first walk, and ends with control-C`() throws {
    let watched = try WatchedTerminal()
    try watched.start()
    #expect(watched.shows("No walks yet."))
    try watched.dogwalk("add", "Fido", "35m", "yesterday", "18:00")
    #expect(watched.shows("Fido"))
    watched.type("\u{3}")
    #expect(watched.end() == 130)
    #expect(watched.isEchoing)
  }

  @Test func `gives the terminal back when it is told to end`() throws {
    let watched = try WatchedTerminal()
    try watched.start()
    #expect(watched.shows("No walks yet."))
    watched.terminate()
    #expect(watched.end() == 130)
    #expect(watched.isEchoing)
  }

  @Test func `needs a terminal`() throws {
    let answer = try Prompt().run("watch")
    #expect(answer.code == 69)
  }
}

// In the type's own scope these names are other functions'.
private let readFile = read

/// A terminal in which `dogwalk watch` runs.
private final class WatchedTerminal {
  struct Failure: Error {}

  private let prompt: Prompt
  private var master: Int32 = -1
  private var device: Int32 = -1
  private let process = Process()
  private(set) var output = ""

  init() throws {
    prompt = try Prompt()
    var size = winsize(ws_row: 12, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &device, nil, nil, &size) == 0 else { throw Failure() }
  }

  deinit {
    if process.isRunning { process.terminate() }
    close(master)
    close(device)
  }

  /// Runs a command in a process of its own.
  func dogwalk(_ words: String...) throws {
    let other = Process()
    configure(other, Array(words))
    other.standardOutput = FileHandle.nullDevice
    try other.run()
    other.waitUntilExit()
    guard other.terminationStatus == 0 else { throw Failure() }
  }

  func start() throws {
    configure(process, ["watch"])
    let terminal = FileHandle(fileDescriptor: device, closeOnDealloc: false)
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
  }

  private func configure(_ process: Process, _ words: [String]) {
    process.executableURL = URL.builtFolder.appending(path: "dogwalk")
    process.arguments = words
    process.environment = prompt.variables.merging(["TZ": "UTC"]) { $1 }
  }

  /// Whether a text is on the terminal before long.
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

  /// Waits for the end and gives the exit code.
  func end() -> Int32 {
    for _ in 0..<600 where process.isRunning { read() }
    process.waitUntilExit()
    read()
    return process.terminationStatus
  }

  /// Whether the terminal shows what is typed, as shells have it.
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

import SystemLibraries

/// A terminal taken over for a while: lines that are drawn anew, and keys that are heard at once.
///
///     let screen = Screen(on: output)
///     defer { screen.end() }
///     repeat { try screen.draw(lines) } while screen.wait(milliseconds: 250) == nil
///
/// What stood on the terminal is back when it ends, whichever way the program goes, but for a kill
/// that cannot be heard.
package final class Screen {
  /// What ends the wait.
  package enum Event: Sendable {
    /// The key `q`.
    case quit
    /// Control-C, or a signal that asks the program to end.
    case interrupt
  }

  private let output: OutputSink
  private var modes: termios?
  private var isEnded = false

  /// Takes the terminal over.
  package init(on output: OutputSink) {
    self.output = output
    var modes = termios()
    if tcgetattr(STDIN_FILENO, &modes) == 0 {
      self.modes = modes
      // No line editing, no echo; Control-C and Control-Z are keys as others.
      modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
      tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    }
    signalHeard = 0
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { signalHeard = $0 } }
    // A size that changes only ends the wait.
    signal(SIGWINCH) { _ in }
    // Whoever started the program may have left them blocked.
    var heard = sigset_t()
    sigemptyset(&heard)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] { sigaddset(&heard, number) }
    sigprocmask(SIG_UNBLOCK, &heard, nil)
    // Another screen, without the cursor.
    try? output.write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// Draws lines from the top; the rest of the screen is empty.
  package func draw(_ lines: [String]) throws(OutputError) {
    try output.write("\u{1B}[H")
    for (index, line) in lines.enumerated() {
      try output.write(index == 0 ? "" : "\r\n")
      try output.write("\(line)\u{1B}[K")
    }
    try output.write("\u{1B}[J")
    try output.flush()
  }

  /// Waits for a key; nil where none comes that means something.
  package func wait(milliseconds: Int32) -> Event? {
    var state = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let isReady = modes != nil && poll(&state, 1, milliseconds) > 0
    if modes == nil { usleep(UInt32(milliseconds) * 1000) }
    if signalHeard != 0 { return .interrupt }
    guard isReady else { return nil }
    var key: UInt8 = 0
    // A terminal that is gone is ready too, and gives nothing.
    guard read(STDIN_FILENO, &key, 1) == 1 else { return .interrupt }
    switch key {
    case UInt8(ascii: "q"), UInt8(ascii: "Q"): return .quit
    case 3: return .interrupt
    default: return nil
    }
  }

  /// Gives the terminal back as it was.
  package func end() {
    guard !isEnded else { return }
    isEnded = true
    try? output.write("\u{1B}[?25h\u{1B}[?1049l")
    try? output.flush()
    if var modes { tcsetattr(STDIN_FILENO, TCSANOW, &modes) }
    for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] { signal(number, SIG_DFL) }
  }

  deinit { end() }
}

@available(*, unavailable)
extension Screen: Sendable {}

/// The last signal that was caught; written by the handler alone, and a whole word at once.
nonisolated(unsafe) private var signalHeard: Int32 = 0

import SystemLibraries

/// A full-screen mode of the terminal: lines that are redrawn, and keys that are read immediately.
///
///     let screen = Screen(on: output)
///     defer { screen.end() }
///     repeat { try screen.draw(lines) } while screen.wait(milliseconds: -1, orFor: changes) == nil
///
/// The previous contents of the terminal are restored at the end, however the program exits, unless
/// it is killed by a signal that cannot be caught.
package final class Screen {
  /// The event that ends a wait.
  package enum Event: Sendable {
    /// The key `q`.
    case quit
    /// Control-C, or a signal that requests the program to exit.
    case interrupt
  }

  private let output: OutputSink
  private var modes: termios?
  private var isEnded = false
  /// The pipe that the signal handler writes to, so that no signal is missed just before a wait
  /// begins.
  private let signals = SelfPipe()

  /// Switches the terminal to full-screen mode.
  package init(on output: OutputSink) {
    self.output = output
    var modes = termios()
    if tcgetattr(STDIN_FILENO, &modes) == 0 {
      self.modes = modes
      // No line editing, no echo; Control-C and Control-Z are ordinary keys.
      modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
      tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    }
    signalHeard = 0
    // Without a pipe, a signal is noticed when the next wait ends.
    handlersEnd = signals.writeEnd
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) {
        signalHeard = $0
        SelfPipe.wake(handlersEnd)
      }
    }
    // A change of the window size only ends the wait.
    signal(SIGWINCH) { _ in SelfPipe.wake(handlersEnd) }
    // The parent process may have left them blocked.
    var heard = sigset_t()
    sigemptyset(&heard)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] { sigaddset(&heard, number) }
    sigprocmask(SIG_UNBLOCK, &heard, nil)
    // Switches to the alternate screen and hides the cursor.
    try? output.write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// Draws lines from the top; clears the rest of the screen.
  package func draw(_ lines: [String]) throws(OutputError) {
    try output.write("\u{1B}[H")
    for (index, line) in lines.enumerated() {
      try output.write(index == 0 ? "" : "\r\n")
      try output.write("\(line)\u{1B}[K")
    }
    try output.write("\u{1B}[J")
    try output.flush()
  }

  /// Waits for a key.
  ///
  /// Returns nil for a key without a meaning, after the timeout, when the other descriptor is
  /// readable, or when the window size changes.
  ///
  /// - Parameters:
  ///   - milliseconds: the timeout; -1 for none.
  ///   - descriptor: another descriptor to wait for; -1 for none.
  package func wait(milliseconds: Int32, orFor descriptor: Int32 = -1) -> Event? {
    // If standard input is not a terminal, there are no keys.
    var states = [modes == nil ? -1 : STDIN_FILENO, signals.readEnd, descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let count = signalHeard == 0 ? poll(&states, nfds_t(states.count), milliseconds) : 0
    if count > 0, states[1].revents != 0 { signals.drain() }
    if signalHeard != 0 { return .interrupt }
    guard count > 0, states[0].revents != 0 else { return nil }
    var key: UInt8 = 0
    // A closed terminal is readable too, but returns no bytes.
    guard read(STDIN_FILENO, &key, 1) == 1 else { return .interrupt }
    switch key {
    case UInt8(ascii: "q"), UInt8(ascii: "Q"): return .quit
    case 3: return .interrupt
    default: return nil
    }
  }

  /// Restores the terminal.
  package func end() {
    guard !isEnded else { return }
    isEnded = true
    try? output.write("\u{1B}[?25h\u{1B}[?1049l")
    try? output.flush()
    if var modes { tcsetattr(STDIN_FILENO, TCSANOW, &modes) }
    for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] { signal(number, SIG_DFL) }
    handlersEnd = -1
    signals.close()
  }

  deinit { end() }
}

@available(*, unavailable)
extension Screen: Sendable {}

/// The last signal caught; written only by the handler, in a single machine word.
nonisolated(unsafe) private var signalHeard: Int32 = 0

/// The descriptor that the handler writes to; set before the handler is installed.
nonisolated(unsafe) private var handlersEnd: Int32 = -1

import SystemLibraries

/// A terminal taken over for a while: lines that are drawn anew, and keys that are heard at once.
///
///     let screen = Screen(on: output)
///     defer { screen.end() }
///     repeat { try screen.draw(lines) } while screen.wait(milliseconds: -1, orFor: changes) == nil
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
  /// The pipe that the handler of signals writes into, so that none comes unheard just before a
  /// wait begins.
  private let signals = SelfPipe()

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
    // Where there is no pipe, a signal is heard when the next wait ends.
    handlersEnd = signals.writeEnd
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) {
        signalHeard = $0
        SelfPipe.wake(handlersEnd)
      }
    }
    // A size that changes only ends the wait.
    signal(SIGWINCH) { _ in SelfPipe.wake(handlersEnd) }
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

  /// Waits for a key; nil where none comes that means something, but time goes by, something else
  /// can be read, or the terminal gets another size.
  ///
  /// - Parameters:
  ///   - milliseconds: how long to wait, at most; -1 for ever.
  ///   - descriptor: what else is waited for; -1 for nothing.
  package func wait(milliseconds: Int32, orFor descriptor: Int32 = -1) -> Event? {
    // Where the keys come from somewhere else, there are none.
    var states = [modes == nil ? -1 : STDIN_FILENO, signals.readEnd, descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let count = signalHeard == 0 ? poll(&states, nfds_t(states.count), milliseconds) : 0
    if count > 0, states[1].revents != 0 { signals.drain() }
    if signalHeard != 0 { return .interrupt }
    guard count > 0, states[0].revents != 0 else { return nil }
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
    handlersEnd = -1
    signals.close()
  }

  deinit { end() }
}

@available(*, unavailable)
extension Screen: Sendable {}

/// The last signal that was caught; written by the handler alone, and a whole word at once.
nonisolated(unsafe) private var signalHeard: Int32 = 0

/// Where the handler writes; set while there is none.
nonisolated(unsafe) private var handlersEnd: Int32 = -1

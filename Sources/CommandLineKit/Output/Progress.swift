import SystemLibraries

/// A line that shows the progress of a long operation; without a terminal it does nothing.
///
///     let progress = Progress(on: errors, isSeen: isatty(STDERR_FILENO) == 1)
///     for count in 1...45_000 { progress.show("Reading… \(count) walks") }
///     progress.end()
///
/// Shows nothing in the first second, and then updates at most ten times a second.
package final class Progress {
  private let output: OutputSink
  private let isSeen: Bool
  private let now: () -> Double
  private var next: Double
  private var isShown = false

  /// Creates a line on an output, if that is a terminal.
  ///
  /// - Parameter now: the seconds of a monotonic clock.
  package init(
    on output: OutputSink, isSeen: Bool, now: @escaping () -> Double = monotonicSeconds
  ) {
    self.output = output
    self.isSeen = isSeen
    self.now = now
    next = isSeen ? now() + 1 : 0
  }

  /// Shows the progress.
  package func show(_ line: @autoclosure () -> String) {
    guard isSeen else { return }
    let now = now()
    guard now >= next else { return }
    next = now + 0.1
    isShown = true
    // A failure to show progress is ignored.
    try? output.write("\r\(line())\u{1B}[K")
    try? output.flush()
  }

  /// Shows the completed fraction, from 0 to 1, as a bar: `Migrating… [########------------] 42 %`.
  package func show(_ activity: String, part: Double) {
    // Fractions outside of that range are clamped.
    let percent = Int(exactly: (min(max(part, 0), 1) * 100).rounded()) ?? 0
    let full = percent / 5
    let bar = String(repeating: "#", count: full) + String(repeating: "-", count: 20 - full)
    show("\(activity) [\(bar)] \(percent) %")
  }

  /// Clears the line.
  package func end() {
    guard isShown else { return }
    isShown = false
    try? output.write("\r\u{1B}[K")
    try? output.flush()
  }
}

@available(*, unavailable)
extension Progress: Sendable {}

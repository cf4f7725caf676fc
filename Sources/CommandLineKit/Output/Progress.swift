import SystemLibraries

/// A line that tells a person how far something long has come; where nobody looks, nothing.
///
///     let progress = Progress(on: errors, isSeen: isatty(STDERR_FILENO) == 1)
///     for count in 1...45_000 { progress.show("Reading… \(count) walks") }
///     progress.end()
///
/// Says nothing within the first second, and then ten times a second at most.
package final class Progress {
  private let output: OutputSink
  private let isSeen: Bool
  private let now: () -> Double
  private var next: Double
  private var isShown = false

  /// A line on an output, if a person sees it.
  ///
  /// - Parameter now: the seconds of a clock that is never set back.
  package init(
    on output: OutputSink, isSeen: Bool, now: @escaping () -> Double = Progress.monotonicSeconds
  ) {
    self.output = output
    self.isSeen = isSeen
    self.now = now
    next = isSeen ? now() + 1 : 0
  }

  /// Shows how far it has come.
  package func show(_ line: @autoclosure () -> String) {
    guard isSeen else { return }
    let now = now()
    guard now >= next else { return }
    next = now + 0.1
    isShown = true
    // Whoever does not see it misses nothing.
    try? output.write("\r\(line())\u{1B}[K")
    try? output.flush()
  }

  /// Shows which part is done, from 0 to 1, as a bar: `Migrating… [########------------] 42 %`.
  package func show(_ activity: String, part: Double) {
    // Parts are between 0 and 1, whoever worked them out.
    let percent = Int(exactly: (min(max(part, 0), 1) * 100).rounded()) ?? 0
    let full = percent / 5
    let bar = String(repeating: "#", count: full) + String(repeating: "-", count: 20 - full)
    show("\(activity) [\(bar)] \(percent) %")
  }

  /// Takes the line away.
  package func end() {
    guard isShown else { return }
    isShown = false
    try? output.write("\r\u{1B}[K")
    try? output.flush()
  }

  /// The seconds of the system's monotonic clock.
  package static func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

@available(*, unavailable)
extension Progress: Sendable {}

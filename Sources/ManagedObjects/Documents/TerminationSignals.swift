import SystemLibraries

/// The signals that ask the process to end, SIGTERM and SIGINT, as an asynchronous sequence.
///
///     func serve() async throws {
///       for await signal in TerminationSignals() {
///         try document.close()
///         signal.end()
///       }
///     }
///
/// After its creation such a signal no longer ends the process: the reader does so, after saving. A
/// second signal of the same number ends it at once, so a hanging program can always be stopped. A
/// signal that is ignored when this is created (`nohup`) still is. The handler only writes a byte
/// into a pipe, which is async-signal-safe. For servers and tools; costs a sleeping thread.
public struct TerminationSignals: AsyncSequence, Sendable {
  /// A signal that asks the process to end.
  public enum Signal: UInt8, Sendable, Hashable {
    /// SIGINT: Control-C was pressed.
    case interrupt = 2
    /// SIGTERM: sent by a service manager, or `kill`.
    case terminate = 15

    /// Ends the process as the signal would have: its parent process sees which signal it was.
    public func end() -> Never {
      signal(Int32(rawValue), SIG_DFL)
      // Threads of the concurrency runtime have signals blocked.
      var own = sigset_t()
      sigemptyset(&own)
      sigaddset(&own, Int32(rawValue))
      pthread_sigmask(SIG_UNBLOCK, &own, nil)
      raise(Int32(rawValue))
      // If the signal is blocked, the exit code is that of a shell.
      exit(128 + Int32(rawValue))
    }
  }

  /// Iterates over the signals, waiting for each.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<Signal>.Iterator

    /// The next signal; nil if the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Signal? {
      await base.next(isolation: actor)
    }

    /// The next signal; nil if the task is cancelled.
    public mutating func next() async -> Signal? { await base.next(isolation: #isolation) }
  }

  private let stream: AsyncStream<Signal>

  /// Begins to handle the signals.
  public init() { stream = SignalPipe.shared.listen() }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: stream.makeAsyncIterator())
  }
}

@available(*, unavailable) extension TerminationSignals.AsyncIterator: Sendable {}

/// The end of the pipe that the handler writes to.
///
/// Set once, before there is a handler, so that the handler reads it without a lock.
private nonisolated(unsafe) var handlersEnd: Int32 = -1

/// The pipe from the handler to the sequences.
private final class SignalPipe: Sendable {
  static let shared = SignalPipe()

  private let lock = Lock()
  /// Read and written with the lock held.
  nonisolated(unsafe) private var listeners: [AsyncStream<TerminationSignals.Signal>.Continuation] =
    []

  private init() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { fatalError("The pipe for signals could not be created.") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler must not block.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    handlersEnd = ends[1]
    startReading(ends[0])
    for kind in [TerminationSignals.Signal.interrupt, .terminate] {
      let before = signal(Int32(kind.rawValue)) { number in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(handlersEnd, &byte, 1)
        // The second one ends the process.
        _ = signal(number, SIG_DFL)
        errno = code
      }
      // A signal that was ignored, as under nohup, stays so.
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        _ = signal(Int32(kind.rawValue), SIG_IGN)
      }
    }
  }

  func listen() -> AsyncStream<TerminationSignals.Signal> {
    let (stream, continuation) = AsyncStream.makeStream(of: TerminationSignals.Signal.self)
    lock.withLock { listeners.append(continuation) }
    return stream
  }

  /// Passes signals that the handler writes to all sequences, on a thread of its own.
  private func startReading(_ end: Int32) {
    startThread { [self] in
      var byte: UInt8 = 0
      while true {
        let count = read(end, &byte, 1)
        guard count == 1 else {
          if count < 0, errno == EINTR { continue }
          return
        }
        guard let signal = TerminationSignals.Signal(rawValue: byte) else { continue }
        for listener in lock.withLock({ listeners }) { listener.yield(signal) }
      }
    }
  }
}

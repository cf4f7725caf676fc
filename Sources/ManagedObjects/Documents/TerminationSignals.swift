import SystemLibraries

/// The system's requests to end, SIGTERM and SIGINT, as something to wait for.
///
///     func serve() async throws {
///       for await signal in TerminationSignals() {
///         try document.close()
///         signal.end()
///       }
///     }
///
/// From the moment it is made such a signal no longer ends the process: it is for the reader to do,
/// who saves first. A second signal of the kind ends it at once, so nothing that hangs keeps a
/// program from being stopped. A signal that is ignored when it is made (`nohup`) still is. The
/// handler does nothing but write a byte into a pipe, which is safe wherever a signal comes. For
/// servers and tools; costs a thread that sleeps.
public struct TerminationSignals: AsyncSequence, Sendable {
  /// A request to end.
  public enum Signal: UInt8, Sendable, Hashable {
    /// SIGINT: somebody has pressed Control-C.
    case interrupt = 2
    /// SIGTERM: a service manager, or `kill`.
    case terminate = 15

    /// Ends the process as the signal would have: whoever waits for it sees which it was.
    public func end() -> Never {
      signal(Int32(rawValue), SIG_DFL)
      // A thread of the concurrency runtime has signals blocked.
      var own = sigset_t()
      sigemptyset(&own)
      sigaddset(&own, Int32(rawValue))
      pthread_sigmask(SIG_UNBLOCK, &own, nil)
      raise(Int32(rawValue))
      // Where the signal is blocked, as a shell tells it.
      exit(128 + Int32(rawValue))
    }
  }

  /// One signal after the other, waiting for the next.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<Signal>.Iterator

    /// The next signal; nil where the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Signal? {
      await base.next(isolation: actor)
    }

    /// The next signal; nil where the task is cancelled.
    public mutating func next() async -> Signal? { await base.next(isolation: #isolation) }
  }

  private let stream: AsyncStream<Signal>

  /// Begins to listen.
  public init() { stream = SignalPipe.shared.listen() }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: stream.makeAsyncIterator())
  }
}

@available(*, unavailable) extension TerminationSignals.AsyncIterator: Sendable {}

/// Where the handler writes; set once, before there is a handler, so that reading it there takes no
/// lock.
private nonisolated(unsafe) var handlersEnd: Int32 = -1

/// The pipe from the handler to those who listen.
private final class SignalPipe: Sendable {
  static let shared = SignalPipe()

  private let lock = Lock()
  /// Read and written under the lock.
  nonisolated(unsafe) private var listeners: [AsyncStream<TerminationSignals.Signal>.Continuation] =
    []

  private init() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { fatalError("There is no pipe left for signals.") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler must not wait.
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
      // What was ignored, as under nohup, stays so.
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

  /// Hands what the handler writes to all who listen, on a thread of its own.
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

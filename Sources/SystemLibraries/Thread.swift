#if canImport(Darwin)
  private typealias ThreadHandle = pthread_t?
  private typealias ThreadArgument = UnsafeMutableRawPointer
#else
  private typealias ThreadHandle = pthread_t
  private typealias ThreadArgument = UnsafeMutableRawPointer?
#endif

/// What a thread does, on its way there.
private final class ThreadBody {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Starts a thread that nobody waits for; it ends with its body, or with the process.
///
/// For what sleeps in the system, which would hold up a thread of Swift's concurrency runtime.
/// Traps where the system has no thread left.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  func run(_ argument: ThreadArgument) -> UnsafeMutableRawPointer? {
    let argument: UnsafeMutableRawPointer? = argument
    // It was handed over by the one call below.
    Unmanaged<ThreadBody>.fromOpaque(argument!).takeRetainedValue().run()
    return nil
  }
  #if canImport(Darwin)
    var thread: ThreadHandle = nil
  #else
    var thread = ThreadHandle()
  #endif
  let argument = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
  let code = pthread_create(&thread, nil, run, argument)
  guard code == 0 else { fatalError("There is no thread left: \(String(cString: strerror(code)))") }
  #if canImport(Darwin)
    if let thread { pthread_detach(thread) }
  #else
    pthread_detach(thread)
  #endif
}

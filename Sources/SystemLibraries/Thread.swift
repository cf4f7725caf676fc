#if canImport(Darwin)
  private typealias ThreadHandle = pthread_t?
  private typealias ThreadArgument = UnsafeMutableRawPointer
#else
  private typealias ThreadHandle = pthread_t
  private typealias ThreadArgument = UnsafeMutableRawPointer?
#endif

/// A thread's closure, while it is passed to the thread.
private final class ThreadBody {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Starts a detached thread, which ends with its body or with the process.
///
/// For bodies that block in the system, which would occupy a thread of Swift's concurrency runtime.
/// Traps if the system cannot create a thread.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  func run(_ argument: ThreadArgument) -> UnsafeMutableRawPointer? {
    let argument: UnsafeMutableRawPointer? = argument
    // The single call below passes it.
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

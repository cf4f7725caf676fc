import Foundation

/// The system's request to end, SIGTERM, as something to wait for.
struct TerminationSignal {
  private var signals = sigset_t()

  init() {
    // From now on the signal waits instead of ending the program.
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  func wait() {
    var (signals, arrived) = (signals, Int32(0))
    sigwait(&signals, &arrived)
  }
}

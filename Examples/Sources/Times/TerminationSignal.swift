import Foundation

/// The system's termination signal, SIGTERM, as something to wait for.
struct TerminationSignal {
  private var signals = sigset_t()

  init() {
    // The signal is now blocked instead of ending the program.
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  func wait() {
    var (signals, arrived) = (signals, Int32(0))
    sigwait(&signals, &arrived)
  }
}

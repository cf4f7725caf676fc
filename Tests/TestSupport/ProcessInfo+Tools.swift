package import Foundation

extension ProcessInfo {
  /// The variables that sanitizers and coverage look at, for the programs that a test starts in an
  /// environment of their own.
  package static var toolVariables: [String: String] {
    let names: Set = ["ASAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE"]
    return processInfo.environment.filter { names.contains($0.key) }
  }

  /// Whether a program can be tried without room for its files: Thread Sanitizer keeps its own
  /// memory in some, and dies of it (`make sanitize` sets SANITIZER).
  package static var canRunOutOfRoom: Bool { processInfo.environment["SANITIZER"] != "thread" }
}

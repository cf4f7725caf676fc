package import Foundation

extension ProcessInfo {
  /// The variables that sanitizers and coverage look at, for the programs that a test starts in an
  /// environment of their own.
  package static var toolVariables: [String: String] {
    let names: Set = ["ASAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE"]
    return processInfo.environment.filter { names.contains($0.key) }
  }
}

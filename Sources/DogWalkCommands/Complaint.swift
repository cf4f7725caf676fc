import CommandLineKit
import DogWalkModel
import ManagedObjects

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What the program says about errors of its own.
extension Complaint {
  /// The complaint about any error that a command can throw.
  init(about error: any Error) {
    if let complaint = Complaint(aboutCommandLine: error) {
      self = complaint
      return
    }
    switch error {
    case let error as StoreLocation.Failure: self.init(location: error)
    case let error as PersistentStoreError: self.init(store: error)
    case is ConflictError: self = .conflict
    default:
      self.init(
        .bug, "this should not have happened (\(error))",
        hint: "Nothing was changed. Please report it.")
    }
  }

  /// The complaint that another process was faster.
  static let conflict = Complaint(
    .busy, "another command changed the same thing at the same moment",
    hint: "Nothing was changed here. See dogwalk list, and try again.")

  /// The complaint that something was saved, but the answer could not be written.
  init(savedButUnsaid error: OutputError) {
    self.init(
      error.exitCode, error.reason.map { "the change is saved, but saying so failed: \($0)." })
  }

  private init(location failure: StoreLocation.Failure) {
    switch failure {
    case .noHome:
      self.init(
        .configuration, "there is no place to keep the walks: HOME is not set",
        hint: "Set it, or name a file with --store PATH.")
    case .folder(let path, let code):
      let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
      self.init(
        code == ENOSPC || code == EDQUOT ? .inputOutput : .cannotCreate,
        "cannot make the folder \(path.escapingControls): \(reason)",
        hint: "Name a file elsewhere with --store PATH.")
    }
  }
}

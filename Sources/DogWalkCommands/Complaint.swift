import CommandLineKit
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// The program's messages about its own errors.
extension Complaint {
  /// Creates the complaint about any error that a command can throw.
  ///
  /// - Parameter call: How the program is called in the commands that hints suggest.
  init(about error: any Error, call: String = "dogwalk") {
    if let complaint = Complaint(aboutCommandLine: error) {
      self = complaint
      return
    }
    switch error {
    case let error as StoreLocation.Failure: self.init(location: error)
    case let error as PersistentStoreError: self.init(store: error, call: call)
    case let error as ManagedObjects.ValidationError: self.init(incomplete: error, call: call)
    case let error as MigrationError:
      self.init(
        .badData, "the store has an older version, and cannot be upgraded: \(error)",
        hint: "It is unchanged.")
    case is ConflictError: self = .conflict(call: call)
    default:
      self.init(
        .bug, "this should not have happened (\(error))",
        hint: "Nothing was changed. Please report it.")
    }
  }

  /// Returns the complaint that another process changed the same object first.
  ///
  /// - Parameter call: How the program is called in the commands that hints suggest.
  static func conflict(call: String) -> Complaint {
    Complaint(
      .busy, "another command changed the same thing at the same moment",
      hint: "Nothing was changed here. See \(call) list, and try again.")
  }

  /// Creates the complaint that a walk or dog written by another program lacks a required value.
  ///
  /// Such an object cannot be saved.
  ///
  /// - Parameter call: How the program is called in the commands that hints suggest.
  init(incomplete error: ManagedObjects.ValidationError, call: String) {
    let missing = error.failures.first { $0.property == "date" || $0.property == "dog" }
    guard let failure = missing ?? error.failures.first, failure.objectID.entity.name == "Walk",
      let number = failure.objectID.primaryKey
    else {
      self.init(
        .badData, "a dog has no name and cannot be saved",
        hint: "Nothing was changed. Name it first: \(call) dogs rename \"\" NAME")
      return
    }
    let (what, words) =
      switch failure.property {
      case "dog": ("has no dog", "--dog NAME")
      case "date": ("has no date", "yesterday 18:00")
      // Giving its length ends it.
      default: ("does not say whether it has ended", "35m")
      }
    self.init(
      .badData, "walk \(number) \(what) and cannot be saved",
      hint: "Nothing was changed. Set it: \(call) edit \(number) \(words)")
  }

  /// Creates the complaint that a change was saved, but its result could not be read or printed.
  ///
  /// Without this message, people would repeat the command and so make the change twice.
  ///
  /// - Parameter call: How the program is called in the commands that hints suggest.
  init(savedBut error: any Error, call: String) {
    if let error = error as? OutputError {
      self.init(printing: error, after: "the change is saved")
      return
    }
    let complaint = Complaint(about: error, call: call)
    guard let reason = complaint.reason else {
      self = complaint
      return
    }
    self.init(
      complaint.exitCode, "the change is saved, but the result cannot be shown: \(reason)",
      hint: "Look with \(call) list.")
  }

  /// Creates the complaint that something was done, but that printing it failed.
  init(printing error: OutputError, after done: String) {
    self.init(
      error.exitCode, error.reason.map { "\(done), but printing the result failed: \($0)." })
  }

  private init(location failure: StoreLocation.Failure) {
    switch failure {
    case .noHome:
      self.init(
        .configuration, "there is no folder for the walks: HOME is not set",
        hint: "Set it, or name a file with --store PATH.")
    case .notAURL(let text):
      self.init(
        .usage, "the store \(text.escapingControls) is not a URL that can be read",
        hint: "Write postgres://USER@HOST/DATABASE, or name a file with --store PATH.")
    case .otherURL(let text):
      self.init(
        .usage, "the store \(text.escapingControls) is neither a file nor on a PostgreSQL server",
        hint: "Write postgres://USER@HOST/DATABASE, or the path of a file.")
    case .folder(let path, let code):
      self.init(
        makingFolder: path, errno: code, hint: "Name a file elsewhere with --store PATH.")
    }
  }

  /// Creates the complaint that a folder cannot be made.
  init(makingFolder path: String, errno code: Int32, hint: String) {
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    self.init(
      code == ENOSPC || code == EDQUOT ? .inputOutput : .cannotCreate,
      "cannot make the folder \(path.escapingControls): \(reason)", hint: hint)
  }
}

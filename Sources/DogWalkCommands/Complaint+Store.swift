import CommandLineKit
import DogWalkModel
import ManagedObjects
import SystemLibraries

extension Complaint {
  /// Creates the complaint about a store that cannot be opened, read or written.
  ///
  /// SQLite's own message is left out, since it names tables and columns.
  ///
  /// - Parameter call: How the program is called in the commands that hints suggest.
  init(store error: PersistentStoreError, call: String) {
    switch error {
    case .fileNotFound(let url):
      self.init(
        .noInput, opening: url,
        url.isPostgreSQL ? "there is no such store" : "there is no such file")
    case .notAFile(let url):
      self.init(
        .badData,
        "cannot open the store \(Self.name(url)): it is \(StoreFile(url).isFolder ? "a folder" : "not a file")",
        hint: "Name a file with --store PATH.")
    case .corrupt(let url, let error):
      self.init(corrupt: url, error)
    case .notAStore(let url):
      self.init(
        .badData, opening: url,
        url.isPostgreSQL
          ? "another program's tables are there, or its metadata are damaged"
          : "it is the database of another program, or its metadata are damaged")
    case .orphanedLog(let url):
      self.init(
        .badData,
        "cannot open the store \(Self.name(url)): the file is missing or empty, and its log "
          + "\(Self.name(url))-wal holds walks that are nowhere else",
        hint: "Nothing was changed. Put the file back beside its log, or move the log away.")
    case .foreignLog(let url):
      self.init(
        .badData,
        "cannot open the store \(Self.name(url)): the log beside it, \(Self.name(url))-wal, is that of "
          + "another file",
        hint:
          "Both are unchanged. Put back the file that the log belongs to, or move the log away.")
    case .reservedName(let url):
      self.init(
        .cannotCreate, "cannot make the store \(Self.name(url)): the name belongs to another store",
        hint: "Name another file with --store PATH.")
    case .moved(let url):
      self.init(
        .busy, "the store \(Self.name(url)) was moved away or replaced in the meantime",
        hint: "Nothing was changed. See what is there now, and try again.")
    case .incompatibleModel(let url, let hashes, let identifiers):
      self.init(model: hashes, identifiers, of: url)
    case .cannotWrite(let url, .hardLinks):
      self.init(
        .badData,
        "cannot open the store \(Self.name(url)): it has several names (hard links), and walks "
          + "written under one would be lost under another",
        hint: "It is unchanged. Keep one name: find FOLDER -samefile \(Self.name(url)) lists them.")
    case .cannotWrite(let url, let obstacle):
      self.init(.badData, opening: url, Self.reason(obstacle))
    case .busy(let url):
      self.init(
        .busy, "the store \(Self.name(url)) is busy: another program keeps writing to it",
        hint: "Nothing was changed. Try again.")
    case .full(let url):
      self.init(
        .inputOutput, "cannot write the store \(Self.name(url)): there is no room left",
        hint: "Nothing was changed. Make room and try again.")
    case .noPermission(let url) where StoreFile(url).isOnReadOnlyDisk:
      self.init(
        .noPermission,
        "cannot write the store \(Self.name(url)): the file system is read-only",
        hint: "Name another file with --store PATH.")
    case .noPermission(let url) where StoreFile(url).isProtectedByStickyFolder:
      self.init(
        .noPermission,
        "cannot replace the store \(Self.name(url)): only its owner may, since its folder is sticky",
        hint: "Nothing was changed. Let its owner do it, or take the folder's t away: chmod -t")
    case .noPermission(let url):
      let companion = StoreFile(url).inaccessibleCompanion
      self.init(
        .noPermission,
        "cannot open the store \(Self.name(url)): you may not read and write "
          + (companion.map { "\($0.escapingControls), which belongs to it" } ?? "it, or its folder"),
        hint: "Change its permissions, or name another file with --store PATH.")
    case .noTemporaryCopy(let url, let folder, let reason):
      self.init(
        .cannotCreate,
        "cannot read the store \(Self.name(url)): it has to be read in a copy, which cannot be made in "
          + "\(Self.name(folder)): \(reason)",
        hint: "Set TMPDIR to a folder that you may write to.")
    case .failed(let url, let error):
      self.init(failed: url, error)
    case .uncertain(let url, let error):
      self.init(
        .inputOutput,
        "the disk failed while the change was written to the store \(Self.name(url)) "
          + "(\(Self.reason(error))): it may have been saved or not",
        hint: "Look before you repeat it: \(call) list")
    case .unreachable, .refused, .connectionLost, .outcomeUnknown, .serverFailed:
      self.init(server: error, call: call)
    case .unwritableValue(let url, let reason):
      self.init(
        .badData, "the store \(Self.name(url)) cannot store this value: \(reason)",
        hint: "Nothing was changed.")
    case .unsupportedOperation(.postgreSQL, let reason):
      self.init(
        .unavailable, "a store on a server cannot \(reason)", hint: "Nothing was changed.")
    case .uniquenessViolation, .objectNotFound:
      self = .conflict(call: call)
    case .unsupportedModel(let reason):
      self.init(bug: reason)
    case .readOnly(let url):
      self.init(
        .noPermission, "cannot write the store \(Self.name(url)): you may only read it",
        hint: url.isPostgreSQL
          ? "Name the primary server: this one is a read-only copy."
          : "Change its permissions and its folder's, or name another file with --store PATH.")
    case .missingExternalData, .alreadyAdded, .noPersistentStore, .noDefaultFolder, .removed,
      .otherStore, .refusedPragma, .malformedDocument, .unknownStoreType,
      .typeMismatch, .invalidStore, .unsupportedOperation:
      // These cannot happen: the model has no values in external files, and the program opens only
      // one store, first of all, which it neither moves nor sets pragmas for.
      self.init(bug: error.description)
    }
  }

  private init(_ exitCode: ExitCode, opening url: URL, _ reason: String) {
    self.init(
      exitCode, "cannot open the store \(Self.name(url)): \(reason)",
      hint: "It is unchanged. Name another file with --store PATH.")
  }

  /// Creates the complaint about an error that cannot happen.
  init(bug reason: String) {
    self.init(.bug, "this should not have happened (\(reason))", hint: "Please report it.")
  }

  private init(corrupt url: URL, _ error: SQLiteError) {
    // SQLITE_NOTADB: the file does not begin like a SQLite file.
    guard error.code != 26 else {
      self.init(.badData, opening: url, "it is another kind of file")
      return
    }
    self.init(
      .badData, "cannot read the store \(Self.name(url)): it is damaged",
      hint: StoreFile(url).logWithContents.map { log in
        "It is unchanged. If it is a copy that was put here, move \(log.escapingControls) away, "
          + "which belongs to the file before, and try again."
      } ?? "It is unchanged. Replace it with a good copy, or name another file with --store PATH.")
  }

  private init(model hashes: [String: VersionHash], _ identifiers: [String], of url: URL) {
    if hashes["Dog"] != nil, hashes["Walk"] != nil {
      let current = ModelVersion.current.number
      let version = identifiers.compactMap { Int($0) }.max().flatMap { $0 > current ? $0 : nil }
      let needed = version.map { ", as its version \($0) says (this one knows \(current))" } ?? ""
      self.init(
        .badData,
        "cannot open the store \(Self.name(url)): it was made by a newer version of dogwalk\(needed)",
        hint: "It is unchanged. Install that version, or name another file with --store PATH.")
    } else {
      self.init(.badData, opening: url, "it is the store of another app")
    }
  }

  private init(failed url: URL, _ error: SQLiteError) {
    if error.isRefusedChange {
      self.init(
        .badData,
        "the store \(Self.name(url)) refuses this change: \(error.message.escapingControls)",
        hint: "Nothing was changed. An app has put a rule, such as a trigger, into the file.")
      return
    }
    let isFolderMissing = [ENOENT, ENOTDIR].contains(error.systemErrno)
    self.init(
      isFolderMissing ? .cannotCreate : .inputOutput,
      "cannot \(isFolderMissing ? "make" : "read or write") the store \(Self.name(url)): \(Self.reason(error))",
      hint: isFolderMissing
        ? "Name a file elsewhere with --store PATH." : "Nothing was changed. Try again.")
  }

  private static func reason(_ obstacle: PersistentStoreError.WriteObstacle) -> String {
    switch obstacle {
    case .persistentHistory:
      "an app keeps a history of its changes, and would not see those made here"
    case .cloudKit: "an app keeps it in iCloud, and would not see changes made here"
    case .hardLinks: "it has several names (hard links)"
    case .derivedAttributes: "an app keeps values in it that only Apple's systems can compute"
    }
  }

  /// Returns the system's error message, if there is one.
  private static func reason(_ error: SQLiteError) -> String {
    guard error.systemErrno != 0, let reason = strerror(error.systemErrno) else {
      return "SQLite reports \(error.message.escapingControls)"
    }
    return String(cString: reason)
  }

  /// Returns the location of a store as shown in messages.
  static func name(_ url: URL) -> String { url.location.escapingControls }
}

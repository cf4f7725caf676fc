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
        "cannot open the store \(Self.name(url)): it is \(Self.isFolder(url) ? "a folder" : "not a file")",
        hint: "Name a file with --store PATH.")
    case .corrupt(let url, let error):
      self.init(corrupt: url, error)
    case .notAStore(let url):
      self.init(
        .badData, opening: url,
        url.isPostgreSQL
          ? "another program's tables are there" : "it is the database of another program")
    case .strayLog(let url):
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
        .busy, "the store \(Self.name(url)) was moved away or replaced meanwhile",
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
    case .noPermission(let url) where Self.isOnReadOnlyDisk(url):
      self.init(
        .noPermission,
        "cannot write the store \(Self.name(url)): the file system is read-only",
        hint: "Name another file with --store PATH.")
    case .noPermission(let url) where Self.isForOwnerToReplace(url):
      self.init(
        .noPermission,
        "cannot replace the store \(Self.name(url)): only its owner may, since its folder is sticky",
        hint: "Nothing was changed. Let its owner do it, or take the folder's t away: chmod -t")
    case .noPermission(let url):
      let log = Self.closedLog(of: url)
      self.init(
        .noPermission,
        "cannot open the store \(Self.name(url)): you may not read and write "
          + (log.map { "\($0.escapingControls), which belongs to it" } ?? "it, or its folder"),
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
    case .unreachable(_, let host, let reason):
      self.init(
        .unavailable,
        "cannot reach the store at \(host.escapingControls): \(Self.line(reason))",
        hint: "Nothing was changed. "
          + (reason.contains("SSL") || reason.contains("sslmode")
            ? "Connections to other machines must be encrypted: give the server a certificate, or add "
              + "?sslmode=disable to the URL in a trusted network."
            : "Try again when the server is running."))
    case .refused(let url, let refusal, let host, let user):
      self.init(refusal, url, host: host.escapingControls, user: user?.escapingControls)
    case .connectionLost(_, let reason):
      self.init(
        .busy,
        "the connection to the server broke before the change was saved: \(Self.line(reason))",
        hint: "Nothing was changed. Try again.")
    case .outcomeUnknown(_, let reason):
      self.init(
        .inputOutput,
        "the connection to the server broke while the change was saved (\(Self.line(reason))): it may have "
          + "been saved or not",
        hint: "Look before you repeat it: \(call) list")
    case .serverFailed(let url, "MOURL", let reason):
      self.init(
        .usage, "cannot use the store \(Self.name(url)): \(Self.line(reason))",
        hint: "Write postgres://USER@HOST/DATABASE, or name a file with --store PATH.")
    case .serverFailed(let url, "MOENC", let reason):
      self.init(
        .cannotCreate, "cannot make the store \(Self.name(url)): \(Self.line(reason))",
        hint: "Make a database for it: createdb -E UTF8 -T template0 --locale=C NAME")
    case .serverFailed(let url, let state, let reason)
    where state.hasPrefix("53") || state == "57P03":
      self.init(serverOf: url, lacks: state, reason)
    case .serverFailed(let url, let state, let reason):
      self.init(
        .inputOutput,
        "cannot read or write the store \(Self.name(url)): \(Self.line(reason)) (\(state))",
        hint: "Nothing was changed.")
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

  private init(
    _ refusal: PersistentStoreError.ServerRefusal, _ url: URL, host: String, user: String?
  ) {
    let name = user.map { "the user \($0)" } ?? "you"
    switch refusal {
    case .login:
      self.init(
        .noPermission,
        "\(host) does not let \(name) in: no such user, or a password that is wrong or missing",
        hint: "Passwords belong in ~/.pgpass.")
    case .database:
      let database = url.path.dropFirst()
      self.init(
        .noInput,
        "there is no database \(ValidationError.quoted(String(database))) on \(host)",
        hint: "Make it there: createdb \(String(database).escapingControls)")
    case .permission:
      self.init(
        .noPermission, "\(host) does not let \(name) do this in the store \(Self.name(url))",
        hint: "Nothing was changed. The owner of the database can grant it.")
    }
  }

  /// Creates the complaint that a server cannot accept more work for now.
  private init(serverOf url: URL, lacks state: String, _ reason: String) {
    let what =
      switch state {
      case "53300": "accepts no more connections now"
      case "57P03": "is starting or stopping"
      default: "has no resources left: \(Self.line(reason)) (\(state))"
      }
    self.init(
      .busy, "the server of the store \(Self.name(url)) \(what)",
      hint: "Nothing was changed. Try again later.")
  }

  /// Returns the first line of a message from a server or its library.
  private static func line(_ reason: String) -> String {
    let line = reason.split(whereSeparator: \.isNewline).first ?? ""
    return (line.last == "." ? line.dropLast() : line).description.escapingControls
  }

  private init(_ exitCode: ExitCode, opening url: URL, _ reason: String) {
    self.init(
      exitCode, "cannot open the store \(Self.name(url)): \(reason)",
      hint: "It is unchanged. Name another file with --store PATH.")
  }

  private init(bug reason: String) {
    self.init(.bug, "this should not have happened (\(reason))", hint: "Please report it.")
  }

  private init(corrupt url: URL, _ error: SQLiteError) {
    // SQLITE_NOTADB: the file does not begin like a SQLite file.
    guard error.code != 26 else {
      self.init(.badData, opening: url, "it is another kind of file")
      return
    }
    let log = URL(filePath: url.filePath.behindLinks + "-wal")
    var info = stat()
    let hasLog = stat(log.filePath, &info) == 0 && info.st_size > 0
    self.init(
      .badData, "cannot read the store \(Self.name(url)): it is damaged",
      hint: hasLog
        ? "It is unchanged. If it is a copy that was put here, move \(log.lastPathComponent.escapingControls) "
          + "away, which belongs to the file before, and try again."
        : "It is unchanged. Replace it with a good copy, or name another file with --store PATH.")
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
      return "the system failed"
    }
    return String(cString: reason)
  }

  private static func name(_ url: URL) -> String { url.location.escapingControls }

  /// Returns the name of SQLite's extra file that this user may not access; nil if there is none.
  ///
  /// Nil too if the user may not access the store itself.
  private static func closedLog(of url: URL) -> String? {
    let path = url.filePath.behindLinks
    guard access(path, R_OK | W_OK) == 0 else { return nil }
    let log = ["-wal", "-shm", "-journal"].map { path + $0 }
      .first { access($0, F_OK) == 0 && access($0, R_OK | W_OK) != 0 }
    return log.map { URL(filePath: $0).lastPathComponent }
  }

  /// Returns whether a readable file, or its folder, cannot be written because of how its disk is
  /// mounted.
  private static func isOnReadOnlyDisk(_ url: URL) -> Bool {
    let path = url.filePath.behindLinks
    guard access(path, F_OK) != 0 || access(path, R_OK) == 0 else { return false }
    let folder = URL(filePath: path).deletingLastPathComponent().filePath
    return [path, folder].contains { (file: String) in access(file, W_OK) != 0 && errno == EROFS }
  }

  /// Returns whether this user may write a file of another user, but not replace it: its folder has
  /// the sticky bit.
  private static func isForOwnerToReplace(_ url: URL) -> Bool {
    let path = url.filePath.behindLinks
    let folder = URL(filePath: path).deletingLastPathComponent().filePath
    var (info, parent) = (stat(), stat())
    guard access(path, R_OK | W_OK) == 0, access(folder, W_OK | X_OK) == 0,
      stat(path, &info) == 0, stat(folder, &parent) == 0
    else { return false }
    return parent.st_mode & S_ISVTX != 0 && ![info.st_uid, parent.st_uid].contains(geteuid())
      && geteuid() != 0
  }

  private static func isFolder(_ url: URL) -> Bool {
    var info = stat()
    return stat(url.path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }
}

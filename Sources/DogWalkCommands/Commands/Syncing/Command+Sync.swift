import CommandLineKit
import DataFormats
import DogWalkModel
import ManagedObjects
import SystemLibraries

extension Option {
  /// `--dry-run`: only show.
  fileprivate static let drySync = flag(
    "dry-run", help: "show what would go where, and change nothing")
  /// `-y`, `--yes`: ask nothing.
  fileprivate static let yesToMigration = flag(
    "yes", short: "y", help: "carry the other store to this version without asking")
}

extension Command {
  /// `dogwalk sync`: exchanges what has changed with another store.
  static let sync = Command(
    CommandSpecification(
      abstract: "Exchange what has changed with another store: both hold the same then.",
      examples: [
        .init(
          "dogwalk sync /media/stick/walks.sqlite",
          "with a file on a stick, made where it is missing"),
        .init("dogwalk sync ~/Shared/walks.sqlite", "with a file in a folder that others see"),
        .init("dogwalk sync --dry-run ~/Shared/walks.sqlite", "what would go where"),
      ],
      arguments: [
        Argument("OTHER", help: "the other store's file", completion: .files)
      ],
      options: [.drySync, .yesToMigration, .json],
      surplusHint: "One store at a time: dogwalk sync /media/stick/walks.sqlite",
      discussion: [
        "What was added, changed or deleted on one side since the two last met comes to the other one. "
          + "Where both changed a walk, each value counts by itself; where both changed the same value, "
          + "the other store's stays, and yours is shown with the command that brings it back. A walk that "
          + "one side deleted and the other one changed stays. No clock is compared.",
        "Dogs are known by their UUIDs, and two of one name become one; walkers and tags by their names. "
          + "Walks have numbers of their own in every store: walk 12 here may be walk 9 there.",
        "Any number of stores can be synced, in any order: two laptops by a file that both see, in a "
          + "shared folder or on a stick. The file is replaced as a whole, and only where nobody has it "
          + "open. dogwalk undo takes back what came here; at the next sync what it took away comes "
          + "again, and the values that it brought back go to the other store.",
      ])
  ) { run in
    let isDryRun = run.values.contains(.drySync)
    let path = run.values.operands[0]
    let file = try run.otherFile(path)
    defer { file.close() }
    var isWritten = false
    do {
      try file.look()
      try run.refuseNothing(file)
      guard try isDryRun || !file.isOlder || run.mayMigrate(file) else {
        try run.note("Nothing was changed.")
        throw ExitCode.no
      }
      let log = try isDryRun ? run.log() : run.logForAdding()
      let date = try run.environment.nonEmpty("DOGWALK_NOW") == nil ? nil : run.clock().now.date
      let other = try file.open(toRead: isDryRun)
      let own = try run.storeURL().path
      other.begin(WalkLog.syncCommand + own, at: date, by: try run.author())
      if !isDryRun {
        log.begin(WalkLog.syncCommand + path, at: date, by: try run.author())
      }
      var backup: URL?
      let report = try StoreSync.run(
        log, other, with: .init(log: own, other: file.url.path, at: try run.clock().now.date),
        isDryRun: isDryRun
      ) { isToWrite in
        if isToWrite {
          backup = try file.finish()
          isWritten = true
        }
      }
      if !report.here.isEmpty, !isDryRun { run.hasChanged = true }
      if let backup {
        try run.note(
          "Carried \(path.escapingControls) to version \(ModelVersion.current.number). A copy of the "
            + "old one lies at \(backup.path.escapingControls).")
      }
      try SyncAnswer(report, path: path, run: run).write()
    } catch let error as PersistentStoreError {
      let complaint = Complaint(
        aboutOther: Complaint(store: file.named(error)), path,
        instead: [file.copyPath, file.url.path])
      guard isWritten else { throw complaint }
      throw Complaint(
        complaint.exitCode,
        "\(path.escapingControls) has what is new here, but not the other way round: "
          + (complaint.reason ?? "this store could not be written"),
        hint: "Sync again: nothing is lost.")
    }
  }
}

extension CommandRun {
  /// The other store's file, locked and copied.
  fileprivate func otherFile(_ path: String) throws -> OtherFile {
    guard !path.isEmpty else {
      throw ValidationError("OTHER names no file", hint: "Write dogwalk sync FILE.")
    }
    guard !path.contains("://") else {
      throw Complaint(
        .unavailable, "cannot sync with \(path.escapingControls): this dogwalk knows files only",
        hint: "Name a file.")
    }
    try refuseServer("be synced", hint: "Exchange walks with dogwalk export and dogwalk import.")
    guard path.isUTF8 else {
      throw ValidationError(
        "the path \(ValidationError.quoted(path)) is not UTF-8", hint: "Name another file.")
    }
    if try storeFiles().contains(path) {
      throw Complaint(
        .usage, "\(path.escapingControls) is this store itself, or belongs to it",
        hint: "Name the file of another one.")
    }
    let url = URL(filePath: path)
    do {
      return try OtherFile(url)
    } catch PersistentStoreError.busy {
      throw Complaint(
        .busy,
        "a program has \(path.escapingControls) open",
        hint: "Nothing was changed. Close it there, and try again.")
    } catch PersistentStoreError.failed(_, let error)
      where [ENOENT, ENOTDIR].contains(error.systemErrno)
    {
      let folder = url.deletingLastPathComponent().path
      throw Complaint(
        .cannotCreate, "there is no folder \(folder.escapingControls)",
        hint: "Is the stick in, or the share connected? Else make it first.")
    } catch let error as PersistentStoreError {
      throw Complaint(aboutOther: Complaint(store: error), path, instead: [url.path])
    }
  }

  /// Refuses to sync where there is neither store.
  fileprivate func refuseNothing(_ file: OtherFile) throws {
    let own = try storeURL().path
    guard file.version == nil, !FileManager.default.fileExists(atPath: own) else { return }
    throw Complaint(
      .noInput, "there is neither a store here nor at \(file.url.path.escapingControls)",
      hint: "The first walk makes one: dogwalk add Fido 35m")
  }

  /// Whether the other store may be carried to this version.
  fileprivate func mayMigrate(_ file: OtherFile) throws -> Bool {
    guard !values.contains(.yesToMigration) else { return true }
    let name = file.url.path.escapingControls
    guard canAsk else {
      throw ValidationError(
        "\(name) is of an older version, and the program that made it could not open it any more",
        hint: "To carry it to this one, and keep a copy: dogwalk sync --yes …")
    }
    return try ask(
      "\(name) is of an older version, and the program that made it will not open it any more. "
        + "Carry it to this one, and keep a copy?")
  }
}

extension Complaint {
  /// A complaint about the other store.
  ///
  /// - Parameter paths: The paths that it may tell of: that of the copy, mostly.
  fileprivate init(aboutOther complaint: Complaint, _ path: String, instead paths: [String]) {
    guard let message = complaint.message,
      let told = paths.map(\.escapingControls).first(where: message.contains)
    else {
      self = complaint
      return
    }
    self.init(
      complaint.exitCode,
      message.replacing(told, with: path.escapingControls)
        .replacing(" with --store PATH", with: ""))
  }
}

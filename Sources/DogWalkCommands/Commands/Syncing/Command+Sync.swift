import CommandLineKit
import DataFormats
import DogWalkModel
import ManagedObjects
import SystemLibraries

extension Option {
  /// `--dry-run`: only shows what would be exchanged.
  fileprivate static let drySync = flag(
    "dry-run", help: "show what would go where, and change nothing")
  /// `-y`, `--yes`: migrates the other store without asking.
  fileprivate static let yesToMigration = flag(
    "yes", short: "y", help: "carry the other store to this version without asking")
}

extension Command {
  /// `dogwalk sync`: exchanges changes with another store.
  static let sync = Command(
    CommandSpecification(
      abstract: "Exchange what has changed with another store: both hold the same then.",
      examples: [
        .init(
          "dogwalk sync /media/stick/walks.sqlite",
          "with a file on a stick, made where it is missing"),
        .init("dogwalk sync ~/Shared/walks.sqlite", "with a file in a folder that others see"),
        .init("dogwalk sync postgres://ana@db.example/walks", "with a store on a server"),
        .init("dogwalk sync --dry-run ~/Shared/walks.sqlite", "what would go where"),
      ],
      arguments: [
        Argument(
          "OTHER", help: "the other store: its file, or its server's URL", completion: .files)
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
        "A copy of a store, made by cp or as a backup, remembers the same commands, so the two know at "
          + "their next sync who has changed or deleted what since; a backup that is synced is none any "
          + "more. Where these commands are forgotten nobody can tell: the other store's value stays, "
          + "yours is shown, and what was deleted on one side comes back.",
      ])
  ) { run in
    let isDryRun = run.values.contains(.drySync)
    let path = run.storePath(run.values.operands[0])
    try run.handOver(forOther: path)
    let name = StoreLocation.shown(path)
    let url = try run.otherURL(path)
    // Locked before anything is read, and until both stores are written.
    let folders = [try run.storeURL(), url]
    var turn = SyncTurn(inFoldersOf: folders)
    defer { turn.end() }
    var other = try run.otherStore(url, path)
    defer { other.close() }
    var isWritten = false
    do {
      try run.look(at: other, path)
      if !isDryRun, other.isOlder, !run.values.contains(.yesToMigration) {
        // Other processes may use both stores while the question is open, and may change them.
        other.close()
        turn.end()
        guard try run.mayMigrate(other) else {
          try run.note("Nothing was changed.")
          throw ExitCode.no
        }
        turn = SyncTurn(inFoldersOf: folders)
        other = try run.otherStore(url, path)
        try run.look(at: other, path)
        guard other.version != nil else {
          throw Complaint(
            .noInput, "\(name.escapingControls) is not there any more",
            hint: "Nothing was changed. Is the stick in, or the share connected?")
        }
      }
      let log = try isDryRun ? run.log() : run.logForAdding()
      let otherLog = try other.open(toRead: isDryRun)
      let own = try run.storeURL().location
      var backup: URL?
      let report = try StoreSync.run(
        log, otherLog,
        with: .init(
          log: own, other: other.url.location, at: try run.clock().now.date, typed: name,
          by: try run.author()),
        isDryRun: isDryRun
      ) { isToWrite in
        if isToWrite {
          backup = try other.finish()
          isWritten = true
        }
      }
      if isWritten || !report.here.isEmpty, !isDryRun { run.hasChanged = true }
      if let backup {
        try run.note(
          "Carried \(name.escapingControls) to version \(ModelVersion.current.number). A copy of the "
            + "old one lies at \(backup.path.escapingControls).")
      }
      try SyncAnswer(report, path: name, run: run).write()
    } catch let error as PersistentStoreError {
      let complaint = Complaint(
        aboutOther: Complaint(store: other.named(error), call: run.call), name,
        instead: other.locations)
      guard isWritten else { throw complaint }
      throw Complaint(
        complaint.exitCode,
        "\(name.escapingControls) has what is new here, but not the other way round: "
          + (complaint.reason ?? "this store could not be written"),
        hint: "Sync again: nothing is lost.")
    }
  }
}

extension CommandRun {
  /// Returns the location of the other store, which must not be this one.
  fileprivate func otherURL(_ path: String) throws -> URL {
    guard !path.isEmpty else {
      throw ValidationError("OTHER names no store", hint: "Write \(call) sync FILE.")
    }
    if StoreLocation.isServer(path) {
      let url = try StoreLocation.url(named: path) { _ in nil }
      guard try url.location != storeURL().location else {
        throw Complaint(syncingWithItself: path)
      }
      return url
    }
    guard !path.contains("://") else {
      throw Complaint(
        .unavailable, "cannot sync with \(path.escapingControls): stores are files, or on servers",
        hint: "Name a file, or write postgres://USER@HOST/DATABASE.")
    }
    guard path.isUTF8 else {
      throw ValidationError(
        "the path \(ValidationError.quoted(path)) is not UTF-8", hint: "Name another file.")
    }
    if try storeFiles().contains(path) {
      throw Complaint(syncingWithItself: path)
    }
    return URL(filePath: path)
  }

  /// Returns the other store; a file is locked and copied.
  fileprivate func otherStore(_ url: URL, _ path: String) throws -> any OtherStore {
    guard !url.isPostgreSQL else { return OtherServer(url, copyTo: dataFolder) }
    do {
      return try unlockedFile(url)
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
      throw Complaint(aboutOther: Complaint(store: error, call: call), path, instead: [url.path])
    }
  }

  /// Returns a store in a file, as soon as no other command has it open; most take only a moment.
  private func unlockedFile(_ url: URL) throws -> OtherFile {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(5)
    while true {
      do {
        return try OtherFile(url)
      } catch PersistentStoreError.busy where clock.now < end {
        // Random, so that processes that wait do not retry at the same time.
        usleep(.random(in: 20_000...100_000))
      }
    }
  }

  /// Reads the other store's version; throws if neither store exists, or if both are the same.
  fileprivate func look(at other: any OtherStore, _ path: String) throws {
    try other.look()
    try refuseNothing(other)
    // A store on a server has many URLs. Checked before either store is migrated.
    guard try !WalkLog.isSameStore(at: storeURL(), as: other.url) else {
      throw Complaint(syncingWithItself: path)
    }
  }

  /// Throws if neither store exists.
  private func refuseNothing(_ other: any OtherStore) throws {
    guard other.version == nil else { return }
    let own = try storeURL()
    let isThere =
      try own.isPostgreSQL ? log().hasStore : FileManager.default.fileExists(atPath: own.path)
    guard !isThere else { return }
    throw Complaint(
      .noInput, "there is neither a store here nor at \(other.url.location.escapingControls)",
      hint: "The first walk makes one: \(call) add Fido 35m")
  }

  /// Asks whether the other store may be migrated to this version.
  fileprivate func mayMigrate(_ other: any OtherStore) throws -> Bool {
    let name = other.url.location.escapingControls
    guard canAsk else {
      throw ValidationError(
        "\(name) is of an older version, and the program that made it could not open it any more",
        hint: "To carry it to this one, and keep a copy: \(call(adding: "--yes"))")
    }
    return try ask(
      "\(name) is of an older version, and the program that made it will not open it any more. "
        + "Carry it to this one, and keep a copy?")
  }
}

extension Complaint {
  fileprivate init(syncingWithItself path: String) {
    self.init(
      .usage,
      "\(StoreLocation.shown(path).escapingControls) is this store itself, or belongs to it",
      hint: "Name another one.")
  }

  /// Creates a complaint about the other store.
  ///
  /// - Parameter paths: The paths that its message may contain, usually the copy's, to be replaced.
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

import CommandLineKit
import DataFormats
import DogWalkModel
import ManagedObjects
import SystemLibraries

extension Option {
  /// `--dry-run`: only shows what would be exchanged.
  fileprivate static let drySync = flag(
    "dry-run", help: "show what would change in each store, and change nothing")
  /// `-y`, `--yes`: migrates the other store without asking.
  fileprivate static let yesToMigration = flag(
    "yes", short: "y", help: "upgrade the other store without asking")
}

extension Command {
  /// `dogwalk sync`: exchanges changes with another store.
  static let sync = Command(
    CommandSpecification(
      abstract: "Exchange changes with another store, so that both contain the same.",
      examples: [
        .init(
          "dogwalk sync /media/stick/walks.sqlite",
          "with a file on a USB stick, which is made if it is missing"),
        .init("dogwalk sync ~/Shared/walks.sqlite", "with a file in a folder that others see"),
        .init("dogwalk sync postgres://ana@db.example/walks", "with a store on a server"),
        .init("dogwalk sync --dry-run ~/Shared/walks.sqlite", "what would change in each store"),
      ],
      arguments: [
        Argument(
          "OTHER", help: "the other store: its file, or its server's URL", completion: .files)
      ],
      options: [.drySync, .yesToMigration, .json],
      surplusHint: "One store at a time: dogwalk sync /media/stick/walks.sqlite",
      discussion: [
        "What was added, changed or deleted in one store since the last sync is applied "
          + "to the other. If both changed a walk, each value is compared separately; if "
          + "both changed the same value, the other store's value stays, and yours is shown "
          + "with the command that restores it. A walk that was deleted in one store and "
          + "changed in the other stays. Clocks are not compared.",
        "Dogs are identified by their UUIDs, and two with the same name become one; "
          + "walkers and tags are identified by their names. Every store numbers its walks "
          + "itself: walk 12 here may be walk 9 there.",
        "Any number of stores can be synced, in any order: two laptops through a file "
          + "that both can reach, in a shared folder or on a USB stick. The file is "
          + "replaced as a whole, and only while nobody has it open. dogwalk undo reverts "
          + "what came here; the next sync brings it again, and sends the values that undo "
          + "restored to the other store.",
        "A copy of a store, made by cp or as a backup, contains the same history of "
          + "commands, so its next sync with the original knows what each has changed or "
          + "deleted since; a synced backup is no longer a backup. If this history was "
          + "forgotten, the other store's values stay, yours are shown, and what was "
          + "deleted in one store comes back.",
      ])
  ) { run in
    let isDryRun = run.values.contains(.drySync)
    let path = run.storePath(run.values.operands[0])
    try run.execServerProgram(forOther: path)
    let name = StoreLocation.shown(path)
    let url = try run.otherURL(path)
    // Locked before anything is read, and until both stores are written.
    let folders = [try run.storeURL(), url]
    var turn = SyncLock(inFoldersOf: folders)
    defer { turn.end() }
    var other = try run.otherStore(url, path)
    defer { other.close() }
    // Whether the other store has been written, and this one not yet.
    var isOtherAhead = false
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
        turn = SyncLock(inFoldersOf: folders)
        other = try run.otherStore(url, path)
        try run.look(at: other, path)
        guard other.version != nil else {
          throw Complaint(
            .noInput, "\(name.escapingControls) no longer exists",
            hint: "Nothing was changed. Is the USB stick plugged in, or the share connected?")
        }
      }
      let log = try isDryRun ? run.log() : run.logForAdding()
      let otherLog = try other.open(toRead: isDryRun)
      let own = try run.storeURL().location
      var backup: URL?
      var isWritten = false
      let report = try StoreSync.run(
        log, otherLog,
        with: .init(
          log: own, other: other.url.location, at: try run.clock().now.date, typed: name,
          by: try run.author()),
        isDryRun: isDryRun
      ) { isToWrite in
        if isToWrite {
          backup = try other.finish()
          (isWritten, isOtherAhead) = (true, true)
        }
      }
      isOtherAhead = false
      if isWritten || !report.here.isEmpty, !isDryRun { run.hasChanged = true }
      if let backup {
        try run.note(
          "Upgraded \(name.escapingControls) to version \(ModelVersion.current.number). A copy of the "
            + "old one is at \(backup.path.escapingControls).")
      }
      try SyncAnswer(report, path: name, run: run).write()
    } catch let error as PersistentStoreError {
      let complaint = Complaint(
        aboutOther: Complaint(store: other.named(error), call: run.call), name,
        instead: other.locations)
      throw isOtherAhead ? Complaint(complaint, behind: name) : complaint
    } catch  where isOtherAhead {
      throw Complaint(Complaint(about: error, call: run.call), behind: name)
    }
  }
}

extension CommandRun {
  /// Returns the location of the other store, which must not be this one.
  fileprivate func otherURL(_ path: String) throws -> URL {
    guard !path.isEmpty else {
      throw ValidationError("OTHER is empty", hint: "Write \(call) sync FILE.")
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
      // A link may lead to a folder that does not exist.
      let folder = URL(filePath: url.filePath.resolvingFinalSymlink).deletingLastPathComponent()
        .path
      throw Complaint(
        .cannotCreate, "there is no folder \(folder.escapingControls)",
        hint: "Is the USB stick plugged in, or the share connected? Else make it first.")
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
    let exists =
      try own.isPostgreSQL ? log().hasStore : FileManager.default.fileExists(atPath: own.path)
    guard !exists else { return }
    throw Complaint(
      .noInput, "there is neither a store here nor at \(other.url.location.escapingControls)",
      hint: "The first walk makes one: \(call) add Fido 35m")
  }

  /// Asks whether the other store may be migrated to this version.
  fileprivate func mayMigrate(_ other: any OtherStore) throws -> Bool {
    let name = other.url.location.escapingControls
    guard canAsk else {
      throw ValidationError(
        "\(name) has an older version, and the program that made it could not open it after an upgrade",
        hint: "To upgrade it, and keep a copy: \(call(adding: "--yes"))")
    }
    return try ask(
      "\(name) has an older version, and the program that made it cannot open it after an upgrade. "
        + "Upgrade it, and keep a copy?")
  }
}

extension Complaint {
  fileprivate init(syncingWithItself path: String) {
    self.init(
      .usage,
      "\(StoreLocation.shown(path).escapingControls) is this store itself, or belongs to it",
      hint: "Name another one.")
  }

  /// Creates a complaint that only the other store has been written.
  ///
  /// - Parameters:
  ///   - complaint: The reason why this one has not.
  ///   - name: The other store's name.
  fileprivate init(_ complaint: Complaint, behind name: String) {
    self.init(
      complaint.exitCode,
      "\(name.escapingControls) has the changes made here, but this store does not have its changes: "
        + (complaint.reason ?? "this store could not be written"),
      hint: "Sync again: nothing is lost.")
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

import CommandLineKit
import DataFormats
import DogWalkModel
import ManagedObjects
import SystemLibraries

extension Option {
  /// `--backup`: copies the store.
  fileprivate static let backup = Option(
    "backup", value: .required("PATH"), help: "copy the store into this new file, safely",
    completion: .files)
}

extension Option {
  /// `--no-history`: copies the store without its history, to be given to other people.
  fileprivate static let noHistory = flag(
    "no-history", help: "leave deleted and old values out of the copy, which then cannot undo")
}

extension Command {
  /// `dogwalk doctor`: describes the store, and checks its integrity.
  static let doctor = Command(
    CommandSpecification(
      abstract: "Show where the store is and what it holds, check it, and copy it safely.",
      examples: [
        .init("dogwalk doctor", "check the store"),
        .init("dogwalk doctor --backup walks-2026-11.sqlite", "copy it, while others may write"),
        .init(
          "dogwalk doctor --backup for-ana.sqlite --no-history",
          "copy it for somebody else, without deleted notes"),
      ],
      options: [.backup, .noHistory, .json],
      discussion: [
        "It checks the file, its tables and all rows, and exits with 65 if something is "
          + "wrong. A copy made with --backup is a complete store in one file, and was "
          + "checked; an existing file is never overwritten. On a server it checks tables "
          + "and rows as they are at one moment, while others may write; permission to read "
          + "is enough. The server reads each table several times for that.",
        "Deleted and old values are kept in the store so that they can be restored, and "
          + "are also in the copy. With --no-history they are not: a copy for others has "
          + "only the current walks, and its commands cannot be undone. Names of tags and "
          + "walkers stay in it, even if no walk has them any more.",
      ]),
    isReading: true
  ) { run in
    let summary = try StoreSummary(run)
    let leavesOut = run.values.contains(.noHistory)
    if leavesOut, run.values[.backup] == nil {
      throw ValidationError("--no-history goes with --backup", hint: "Leave it out.")
    }
    if let path = run.values[.backup] {
      let path = run.storePath(path)
      try summary.copy(to: path, withoutHistory: leavesOut)
      if run.values.contains(.json) { try summary.writeJSON(copiedTo: path) }
    } else {
      try run.values.contains(.json) ? summary.writeJSON() : summary.writeLines()
    }
    guard summary.problems.isEmpty else { throw ExitCode.badData }
  }
}

/// The facts about a store.
private struct StoreSummary {
  let run: CommandRun
  /// The open store; nil if it does not exist or cannot be opened.
  let log: WalkLog?
  let exists: Bool
  let path: String
  let isOnServer: Bool
  let problems: [StoreProblem]
  /// Whether a table or a column is missing, so that rows cannot be read.
  let lacksTables: Bool
  /// The version of the store's model; nil if there is no store.
  let version: ModelVersion?
  /// The copies of the store that were made before migrations.
  let copies: [String]

  init(_ run: CommandRun) throws {
    self.run = run
    let url = try run.storeURL()
    path = url.location
    isOnServer = url.isPostgreSQL
    do {
      problems = try WalkLog.problems(at: url)
      exists = true
    } catch PersistentStoreError.fileNotFound {
      problems = []
      exists = false
    }
    version = exists ? try ModelVersion(ofStoreAt: url) : nil
    copies = isOnServer ? [] : ModelVersion.backups(ofStoreAt: url).map(\.path)
    lacksTables = problems.contains { $0.kind == .missingTable }
    log = exists && !lacksTables ? try run.log() : nil
  }

  // MARK: Copying

  func copy(to path: String, withoutHistory: Bool) throws {
    guard exists else {
      throw Complaint(
        .noInput, "there is no store yet to copy at \(self.path.escapingControls)",
        hint: "The first walk makes one.")
    }
    guard !path.isEmpty else {
      throw ValidationError("--backup needs the name of a file", hint: "Write --backup PATH.")
    }
    guard path.isUTF8 else {
      throw ValidationError(
        "--backup \(ValidationError.quoted(path)) is not UTF-8", hint: "Name another file.")
    }
    try run.refuseStore(as: path)
    guard let log, problems.allSatisfy(\.isStoreUsable) else {
      for problem in problems { try run.note(StoreProblemText(problem, call: run.call).sentence) }
      throw Complaint(
        .badData, "cannot copy the store \(self.path.escapingControls): it is damaged",
        hint: "Nothing was written. \(run.call) doctor shows what can be saved.")
    }
    do {
      try log.copy(to: URL(filePath: path), withoutUndoLog: withoutHistory)
      run.writtenFile = path
    } catch PersistentStoreError.failed(_, let error) where error.systemErrno == EEXIST {
      throw Complaint(
        .cannotCreate, "cannot copy the store to \(path.escapingControls): there is a file already",
        hint: "Name a new one.")
    } catch PersistentStoreError.failed(_, let error) where error.systemErrno != 0 {
      throw Complaint(writing: path, errno: error.systemErrno)
    } catch PersistentStoreError.noPermission(_) {
      throw Complaint(writing: path, errno: EACCES)
    }
    if !run.values.contains(.json) {
      try run.say(
        "Copied the store to \(path.escapingControls)"
          + (withoutHistory || isOnServer ? ", without its history." : "."))
    }
    guard !problems.isEmpty else { return }
    try run.note("The store has errors, and so has the copy. See \(run.call) doctor.")
  }

  // MARK: For people

  func writeLines() throws {
    guard exists else {
      return try run.tell(
        "There is no store yet. The first walk makes one: \(path.escapingControls)")
    }
    // A path is not wrapped, so that it can be copied from the output.
    try write("Store", [path.escapingControls])
    if !isOnServer { try write("Size", Self.size(of: path) + Self.log(of: path)) }
    let number = version?.number ?? ModelVersion.current.number
    let kind = log?.server ?? (isOnServer ? "PostgreSQL" : "Core Data's SQLite store")
    try write("Kind", "\(kind), model DogWalk \(number)")
    if let (count, most) = log?.serverConnections() {
      try write("Connected", "\(Self.count(count, "connection")) of \(most) that the server takes")
    }
    if number < ModelVersion.current.number {
      try write(
        "Older",
        "the first change upgrades it to version \(ModelVersion.current.number), and keeps a copy")
    }
    for copy in copies {
      try write("Copy", [copy.escapingControls + ", from before an upgrade"])
    }
    if let counts = try counts() {
      try write("Holds", "\(Self.count(counts.dogs, "dog")), \(Self.count(counts.walks, "walk"))")
      try write("Undo", "\(Self.count(counts.commands, "command")) can be undone")
    }
    try writePeers()
    let engine = isOnServer ? "" : ", SQLite \(WalkLog.sqliteVersion)"
    try write("Versions", "dogwalk \(CommandLineTool.version)\(engine)")
    let isDamaged = !problems.allSatisfy(\.isStoreUsable)
    try write(
      "Integrity",
      problems.isEmpty ? "OK" : isDamaged ? "DAMAGED" : Self.count(problems.count, "fault"))
    for problem in problems { try run.note(StoreProblemText(problem, call: run.call).sentence) }
    guard !problems.isEmpty else { return }
    try run.note(
      StoreProblemText.remedy(
        for: problems, ofStoreAt: path, onServer: isOnServer, call: run.call,
        isReadable: { log?.canReadAllWalks ?? false }))
  }

  /// Prints the stores that this one was synced with.
  private func writePeers() throws {
    guard problems.isEmpty, let status = try log?.syncStatus() else { return }
    if status.hasDamagedRecords {
      try run.note(
        "What this store recorded about syncs is damaged. The next sync replaces it: as in a first "
          + "sync, what was deleted in one store comes back from the other.")
    }
    let now = try run.clock().now
    for peer in status.peers {
      let date = run.zone.moment(at: peer.date).fullReading(now: now)
      try write("Synced", [peer.name.escapingControls + ", " + date])
    }
    if let changes = status.changes, changes > 0 {
      try write("", "\(Self.count(changes, "change")) since, for the next sync")
    }
  }

  /// Returns the numbers of dogs, walks and commands; nil if problems prevent counting.
  private func counts() throws -> (dogs: Int, walks: Int, commands: Int)? {
    do {
      guard let log else { return nil }
      let (walks, dogs) = try log.counts()
      return (dogs, walks, try log.undoCount)
    } catch  where !problems.isEmpty {
      return nil
    }
  }

  private static let labelWidth = 11

  /// Writes a value after its label, wrapped if the terminal is narrow.
  private func write(_ label: String, _ fact: String) throws {
    let isNarrow = run.terminal.isTerminal && run.terminal.columns < 80
    try write(
      label, isNarrow ? fact.wrapped(to: max(20, run.terminal.columns - Self.labelWidth)) : [fact])
  }

  private func write(_ label: String, _ lines: [String]) throws {
    for (number, line) in lines.enumerated() {
      try run.output.writeLine((number == 0 ? label : "").padded(to: Self.labelWidth) + line)
    }
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func log(of path: String) -> String {
    bytes(of: path + "-wal") > 0 ? ", and \(size(of: path + "-wal")) in its log" : ""
  }

  private static func size(of path: String) -> String {
    let bytes = bytes(of: path)
    return bytes < 1 << 20 ? "\((bytes + 1023) / 1024) KiB" : "\(bytes >> 20) MiB"
  }

  private static func bytes(of path: String) -> Int {
    var info = stat()
    return stat(path, &info) == 0 ? Int(info.st_size) : 0
  }

  // MARK: For programs

  func writeJSON(copiedTo backup: String? = nil) throws {
    var json = JSONWriter()
    let counts = try counts() ?? (dogs: 0, walks: 0, commands: 0)
    let status = problems.isEmpty ? try log?.syncStatus() : nil
    json.object { json in
      json.member("schema", 1)
      json.member("path", path)
      json.member("exists", exists)
      if let backup { json.member("backup", backup) }
      json.member("bytes", Self.bytes(of: path))
      json.member("log_bytes", Self.bytes(of: path + "-wal"))
      json.member("identifier", log?.storeIdentifier)
      if isOnServer {
        json.member("server", log?.server)
        json.member("connections", log?.serverConnections()?.count)
        json.member("rows_checked", exists && !lacksTables)
      }
      json.member("version", version?.number)
      json.member("copies") { $0.array { json in for copy in copies { json.value(copy) } } }
      json.member("dogs", counts.dogs)
      json.member("walks", counts.walks)
      json.member("undo", counts.commands)
      json.member("peers") { json in
        json.array { json in
          for peer in status?.peers ?? [] {
            json.object { json in
              json.member("path", peer.name)
              json.member("at", run.zone.moment(at: peer.date).iso8601)
            }
          }
        }
      }
      json.member("unsynced", status?.changes)
      json.member("dogwalk", CommandLineTool.version)
      json.member("sqlite", WalkLog.sqliteVersion)
      json.member("faults") {
        $0.array { json in for problem in problems { json.value("\(problem)") } }
      }
    }
    json.endLine()
    try json.drain(into: run.output)
  }
}

@available(*, unavailable)
extension StoreSummary: Sendable {}

import CommandLineKit
import DataFormats
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// One run of a command: its words, and access to the store, the clock and the streams.
///
///     let walks = try run.log().walks(WalkQuery())
///     try run.say("Deleted walk 3.")
///
/// The clock, the terminal and the store are read on first access.
final class CommandRun {
  /// The typed values, and those of settings for options that were not given.
  private(set) var values: ArgumentValues
  /// Whether something was changed and committed.
  var hasChanged = false
  /// Whether something was saved to the store.
  var hasSaved: Bool { hasChanged || openedLog?.hasSaved ?? false }
  /// The path of the file that the command has written completely, such as an export.
  var writtenFile: String?
  /// Whether the command only reads the store.
  private let isReading: Bool

  /// All words after the program's name.
  let words: [String]
  /// The options that the command takes.
  let options: [Option]
  /// The names of these options.
  var optionNames: [String] { options.map(\.name) }
  private let surroundings: ProgramEnvironment
  private var openedLog: WalkLog?
  /// How many times the store was opened.
  private(set) var openingCount = 0

  /// Creates the run of a command from all words after the program's name and their parsed values.
  init(
    words: [String], values: ArgumentValues, options: [Option] = [], isReading: Bool,
    in surroundings: ProgramEnvironment
  ) {
    self.words = words
    self.options = options
    self.isReading = isReading || values.contains(.dryRun)
    self.values = values
    self.surroundings = surroundings
  }

  /// How to call the program for the same store, as hints begin the commands that they suggest.
  ///
  ///     try run.note("If that is a mistake: \(run.call) undo")   // dogwalk --store other.sqlite undo
  var call: String {
    guard words.contains(where: { $0 == "--store" || $0.hasPrefix("--store=") }),
      let path = values[.store]
    else { return "dogwalk" }
    return "dogwalk \(StoreLocation.shown(path).shellValue(of: "store"))"
  }

  /// Returns the command line for a person to type again, with another command or an added option.
  ///
  ///     // dogwalk --store other.sqlite import walks.json --dry-run
  ///     run.call(adding: "--overwrite", without: .dryRun)
  ///     // dogwalk --store other.sqlite import --overwrite walks.json
  ///
  /// - Parameters:
  ///   - command: The name of another command to call instead; `nil` for the same one.
  ///   - option: The option to add; `nil` for none.
  ///   - flag: The flag to leave out.
  func call(
    _ command: String? = nil, adding option: String? = nil, without flag: Option? = nil
  ) -> String {
    let search = try? CommandSearch(words: words, root: Command.dogwalk.specification)
    let end = words.firstIndex(of: "--") ?? words.endIndex
    var typed = ["dogwalk"]
    for (index, word) in words.enumerated() {
      guard index == search?.commandIndex else {
        let isLeftOut = index < end && flag.map { word == "--\($0.name)" } ?? false
        if !isLeftOut { typed.append(StoreLocation.shown(word).shellWord) }
        continue
      }
      typed.append(command ?? word)
      if let option { typed.append(option) }
    }
    return TypedWords.text(of: typed)
  }

  /// The environment variables.
  var environment: Environment { surroundings.environment }

  /// Whether the process ends with the command.
  var endsWithCommand: Bool { surroundings.endsWithCommand }

  /// The local zone.
  var zone: LocalZone { surroundings.zone }

  /// Sets options that were not given to the values of their settings.
  ///
  /// - Throws: the errors of `setting(_:)`.
  func takeSettings() throws {
    guard options.contains(.weekStart), !values.contains(.weekStart) else { return }
    if let day = try setting(.weekStart) { values.append(day.text, for: .weekStart) }
  }

  // MARK: Output

  /// Standard output, where data is written.
  var output: OutputSink { surroundings.output }

  /// Prints one line about what was done, unless `--quiet` is given.
  func say(_ line: String) throws {
    guard !values.contains(.quiet) else { return }
    try tell(line)
  }

  /// Prints one line even with `--quiet`, as the answer that the command was asked for.
  func tell(_ line: String) throws {
    try output.writeSentence(line, columns: terminal.isTerminal ? terminal.columns : nil)
  }

  /// Prints a note for a person on standard error.
  func note(_ line: String) throws {
    // The answer comes first if both go to the same terminal.
    try output.flush()
    // A note that cannot be written is not worth an error.
    try? surroundings.errors.writeSentence(line, columns: surroundings.errorColumns())
  }

  /// What standard output is connected to.
  private(set) lazy var terminal = surroundings.terminal(
    values[.color].flatMap(Terminal.ColorChoice.init) ?? .auto)

  /// Creates a progress line on standard error.
  func progress() -> Progress {
    Progress(on: surroundings.errors, isSeen: surroundings.errorColumns() != nil)
  }

  /// Returns what standard output is connected to, read again, since a terminal may change its
  /// size.
  func currentTerminal() -> Terminal {
    surroundings.terminal(values[.color].flatMap(Terminal.ColorChoice.init) ?? .auto)
  }

  // MARK: Questions

  /// Whether a person can be asked.
  var canAsk: Bool { surroundings.readAnswer != nil }

  /// Asks a yes-or-no question; any answer other than yes counts as no.
  func ask(_ question: String) throws -> Bool {
    try output.flush()
    let text = "\(question) [y/N]"
    // The answer is typed after the question, so a column is left for it.
    let columns = surroundings.errorColumns() ?? .max
    let lines = text.displayWidth < columns ? [text] : text.wrapped(to: max(1, columns - 2))
    try surroundings.errors.write(lines.joined(separator: "\n") + " ")
    try surroundings.errors.flush()
    let answer = surroundings.readAnswer?() ?? ""
    return ["y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace })
  }

  // MARK: Time

  /// Returns the current time, read once.
  ///
  /// - Throws: `ValidationError` if `DOGWALK_NOW` cannot be read.
  func clock() throws -> WallClock {
    if let readClock { return readClock }
    let clock = try WallClock(environment: environment, zone: zone)
    readClock = clock
    return clock
  }

  private var readClock: WallClock?

  /// Returns the settings file, read once; `nil` if no path for it is known.
  func configurationFile() throws -> ConfigurationFile? {
    if let readFile { return readFile }
    guard let path = ConfigurationFile.path(environment) else { return nil }
    let file = try ConfigurationFile(readingFrom: path)
    readFile = file
    return file
  }

  private var readFile: ConfigurationFile?

  /// Sets or removes a setting in the settings file.
  ///
  /// - Throws: `Complaint` if the file cannot be read or written.
  func keep(_ setting: Setting, _ value: String?, at path: String) throws {
    try ConfigurationFile.set(setting, to: value, at: path)
    hasChanged = true
    readFile = nil
  }

  /// Returns the current time, read again, for a command that keeps running.
  func currentClock() throws -> WallClock { try WallClock(environment: environment, zone: zone) }

  // MARK: The store

  /// Returns the walk log, opened once; without a store it is empty, and none is created.
  ///
  /// It may also be written to if `log.hasStore` and the command does not only read.
  func log() throws -> WalkLog {
    if let openedLog { return openedLog }
    return try open(for: isReading ? .reading : .changing)
  }

  /// Returns the walk log for a command that usually only reads, but will change something this
  /// time.
  func logForChanging() throws -> WalkLog {
    if let openedLog { return openedLog }
    return try open(for: .changing)
  }

  /// Returns the walk log, reopened if there was no store, or if the store was replaced.
  func currentLog() throws -> WalkLog {
    if let openedLog, openedLog.hasStore, !openedLog.isMoved { return openedLog }
    openedLog = nil
    return try log()
  }

  /// Returns the walk log, and creates the store if there is none.
  func logForAdding() throws -> WalkLog {
    if let openedLog, openedLog.hasStore { return openedLog }
    return try open(for: .writing)
  }

  /// Throws if something that was shown is incomplete.
  ///
  /// - Throws: `PersistentStoreError` if something in the store cannot be read.
  func checkEverythingRead() throws { try openedLog?.checkEverythingRead() }

  /// Closes the store in a process that is about to end.
  func closeAtExit() {
    do {
      try openedLog?.closeAtExit()
    } catch {
      guard let path = try? storeURL().location.escapingControls else { return }
      let isFull = if case PersistentStoreError.full = error { true } else { false }
      try? note(
        "Note: the last changes are saved, but only in \(path)-wal: "
          + (isFull
            ? "there is no room left. Make room; the next command that writes moves them."
            : "the disk failed. Keep that file together with the store."))
    }
  }

  private func open(for access: WalkLog.Access) throws -> WalkLog {
    if output.leads(to: try storeFiles()) { throw Complaint(ontoStore: "standard output") }
    let log = try openLog(for: access)
    // The changes of this run are one command of the undo log, named by the words typed.
    let date = environment.nonEmpty("DOGWALK_NOW") == nil ? nil : try clock().now.date
    openingCount += 1
    let shown = words.map(StoreLocation.shown)
    log.begin(TypedWords.commandText(of: shown), at: date, by: try author())
    openedLog = log
    if let migration = log.migration {
      try note(
        "Upgraded the store to version \(migration.version): the program that made it can no longer open it. "
          + (migration.losesUndo ? "Earlier commands can no longer be undone. " : "")
          + "A copy of the old one is at \(migration.backup.path.escapingControls).")
    }
    return log
  }

  /// Opens the store; shows the progress of migrating one of an older version.
  private func openLog(for access: WalkLog.Access) throws -> WalkLog {
    let progress = progress()
    defer { progress.end() }
    return try WalkLog(at: storeURL(), for: access, copyingServersTo: dataFolder) { part in
      progress.show("Upgrading the store…", part: part)
    }
  }

  /// The folder for programs' own files; nil if there is no home folder.
  var dataFolder: URL? {
    try? StoreLocation.dataFolder { environment.nonEmpty($0) }
  }

  /// Returns the location of the store, whether it exists or not.
  func storeURL() throws -> URL {
    if let path = values[.store], path.isEmpty {
      throw ValidationError("--store needs the name of a file", hint: "Write --store PATH.")
    }
    let url = try StoreLocation.url(
      named: values[.store] ?? setting(.store)?.text
    ) { environment[$0] }
    guard url.filePath.isUTF8 else {
      throw ValidationError(
        "the store's path \(ValidationError.quoted(url.filePath)) is not UTF-8",
        hint: "Name another.")
    }
    return url
  }
}

@available(*, unavailable)
extension CommandRun: Sendable {}

import CommandLineKit
import DataFormats
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// One run of a command: the words it was given, and the means to answer them.
///
///     let walks = try run.log().walks(WalkQuery())
///     try run.say("Deleted walk 3.")
///
/// The clock, the terminal and the store are looked at when they are first asked for.
final class CommandRun {
  /// What was typed; and for options that were not, what the settings say.
  private(set) var values: ArgumentValues
  /// Whether something has been changed and committed.
  var hasChanged = false
  /// Whether something is on the disk by now that was not before.
  var hasSaved: Bool { hasChanged || openedLog?.hasSaved ?? false }
  /// Whether the command only looks at the store.
  private let isReading: Bool

  /// All words behind the program's name.
  let words: [String]
  /// The options that the command takes.
  let options: [Option]
  /// Their names.
  var optionNames: [String] { options.map(\.name) }
  private let surroundings: Surroundings
  private var openedLog: WalkLog?
  /// How often the store was opened.
  private(set) var openingCount = 0

  /// The run of a command: all words behind the program's name, and how they were understood.
  init(
    words: [String], values: ArgumentValues, options: [Option] = [], isReading: Bool,
    in surroundings: Surroundings
  ) {
    self.words = words
    self.options = options
    self.isReading = isReading || values.contains(.dryRun)
    self.values = values
    self.surroundings = surroundings
  }

  /// How the program is called for the same store: what commands that are proposed begin with.
  ///
  ///     try run.note("If that is a slip: \(run.call) undo")   // dogwalk --store other.sqlite undo
  var call: String {
    guard words.contains(where: { $0 == "--store" || $0.hasPrefix("--store=") }),
      let path = values[.store]
    else { return "dogwalk" }
    return "dogwalk \(StoreLocation.shown(path).shellValue(of: "store"))"
  }

  /// The words as they were typed, with another command or with an option behind it, as a person
  /// types them again.
  ///
  ///     // dogwalk --store other.sqlite import walks.json --dry-run
  ///     run.call(adding: "--overwrite", without: .dryRun)
  ///     // dogwalk --store other.sqlite import --overwrite walks.json
  ///
  /// - Parameters:
  ///   - command: The name of another command to call instead; `nil` for the same one.
  ///   - option: What is added; `nil` for nothing.
  ///   - flag: What is left out.
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

  /// Takes settings for options that were not given.
  ///
  /// - Throws: what `setting(_:)` throws.
  func takeSettings() throws {
    guard options.contains(.weekStart), !values.contains(.weekStart) else { return }
    if let day = try setting(.weekStart) { values.append(day.text, for: .weekStart) }
  }

  // MARK: Output

  /// Where data goes: standard output.
  var output: OutputSink { surroundings.output }

  /// Says in one line what was done, unless `--quiet` forbids it.
  func say(_ line: String) throws {
    guard !values.contains(.quiet) else { return }
    try tell(line)
  }

  /// Says in one line what is or would be, whatever `--quiet` says: it is what was asked for.
  func tell(_ line: String) throws {
    try output.writeSentence(line, columns: terminal.isTerminal ? terminal.columns : nil)
  }

  /// Tells a person what is worth knowing beside the answer, on standard error.
  func note(_ line: String) throws {
    // First what it is beside, where both go to one terminal.
    try output.flush()
    // Where it cannot be written, nobody misses it.
    try? surroundings.errors.writeSentence(line, columns: surroundings.errorColumns())
  }

  /// What standard output leads to.
  private(set) lazy var terminal = surroundings.terminal(
    values[.color].flatMap(Terminal.ColorChoice.init) ?? .auto)

  /// A line for a person who waits, on standard error.
  func progress() -> Progress {
    Progress(on: surroundings.errors, isSeen: surroundings.errorColumns() != nil)
  }

  /// What standard output leads to by now: a terminal may change its size.
  func currentTerminal() -> Terminal {
    surroundings.terminal(values[.color].flatMap(Terminal.ColorChoice.init) ?? .auto)
  }

  // MARK: Questions

  /// Whether there is a person to be asked.
  var canAsk: Bool { surroundings.readAnswer != nil }

  /// Asks a question that is answered with yes or no; anything but yes is no.
  func ask(_ question: String) throws -> Bool {
    try output.flush()
    try surroundings.errors.write("\(question) [y/N] ")
    try surroundings.errors.flush()
    let answer = surroundings.readAnswer?() ?? ""
    return ["y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace })
  }

  // MARK: Time

  /// What time it is.
  ///
  /// - Throws: `ValidationError` where `DOGWALK_NOW` cannot be read.
  func clock() throws -> WallClock {
    if let readClock { return readClock }
    let clock = try WallClock(environment: environment, zone: zone)
    readClock = clock
    return clock
  }

  private var readClock: WallClock?

  /// The file of settings, read once; `nil` where there is no place for one.
  func configurationFile() throws -> ConfigurationFile? {
    if let readFile { return readFile }
    guard let path = ConfigurationFile.path(environment) else { return nil }
    let file = try ConfigurationFile(readingFrom: path)
    readFile = file
    return file
  }

  private var readFile: ConfigurationFile?

  /// Gives a setting a value in the file of settings, or takes it out.
  ///
  /// - Throws: `Complaint` where the file cannot be read or written.
  func keep(_ setting: Setting, _ value: String?, at path: String) throws {
    try ConfigurationFile.set(setting, to: value, at: path)
    readFile = nil
  }

  /// What time it is by now, for a command that goes on.
  func currentClock() throws -> WallClock { try WallClock(environment: environment, zone: zone) }

  // MARK: The store

  /// The walks and dogs there are; where there is no store yet, there are none, and none is made.
  ///
  /// What it gives may also be written to, where `log.hasStore` and the command is no reading one.
  func log() throws -> WalkLog {
    if let openedLog { return openedLog }
    return try open(for: isReading ? .reading : .changing)
  }

  /// The same, for a command that mostly looks and is to change something this time.
  func logForChanging() throws -> WalkLog {
    if let openedLog { return openedLog }
    return try open(for: .changing)
  }

  /// The same, looked for again where there was no store, or another one is there by now.
  func currentLog() throws -> WalkLog {
    if let openedLog, openedLog.hasStore, !openedLog.isMoved { return openedLog }
    openedLog = nil
    return try log()
  }

  /// The same, in a store that is made where there is none.
  func logForAdding() throws -> WalkLog {
    if let openedLog, openedLog.hasStore { return openedLog }
    return try open(for: .writing)
  }

  /// Makes sure that what was shown is all there is.
  ///
  /// - Throws: `PersistentStoreError` where something in the store cannot be read.
  func checkEverythingRead() throws { try openedLog?.checkEverythingRead() }

  /// Closes the store in a process that is about to end.
  func closeAtExit() {
    do {
      try openedLog?.closeAtExit()
    } catch {
      guard let path = try? storeURL().location.escapingControls else { return }
      try? note(
        "Note: the last changes are saved, but in \(path)-wal still: the disk failed. "
          + "Keep it together with the store.")
    }
  }

  private func open(for access: WalkLog.Access) throws -> WalkLog {
    if output.leads(to: try storeFiles()) { throw Complaint(ontoStore: "standard output") }
    let log = try openLog(for: access)
    // What is changed by this run is one command of the undo log, in the words that were typed.
    let date = environment.nonEmpty("DOGWALK_NOW") == nil ? nil : try clock().now.date
    openingCount += 1
    let shown = words.map(StoreLocation.shown)
    log.begin(TypedWords.commandText(of: shown), at: date, by: try author())
    openedLog = log
    if let migration = log.migration {
      try note(
        "Carried the store to version \(migration.version): the program that made it will not open it "
          + "any more. "
          + (migration.losesUndo ? "What was done before cannot be undone now. " : "")
          + "A copy of the old one lies at \(migration.backup.path.escapingControls).")
    }
    return log
  }

  /// Opens the store; tells a person who waits how far one of an older version has come.
  private func openLog(for access: WalkLog.Access) throws -> WalkLog {
    let progress = progress()
    defer { progress.end() }
    return try WalkLog(at: storeURL(), for: access, copyingServersTo: dataFolder) { part in
      progress.show("Carrying the store to a newer version…", part: part)
    }
  }

  /// Where a program's own files usually lie; nil where there is no home.
  var dataFolder: URL? {
    try? StoreLocation.dataFolder { environment.nonEmpty($0) }
  }

  /// Where the store is, or would be.
  func storeURL() throws -> URL {
    if let path = values[.store], path.isEmpty {
      throw ValidationError("--store names no file", hint: "Write --store PATH.")
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

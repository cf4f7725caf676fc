import CommandLineKit
import DogWalkModel
import ManagedObjects

extension Command {
  /// `dogwalk watch`: shows the list and keeps it up to date.
  static let watch = Command(
    CommandSpecification(
      abstract: "Show the list, and keep it up to date while others write; q ends it.",
      examples: [
        .init("dogwalk watch", "the newest walks, as they come"),
        .init("dogwalk watch Fido today", "Fido's walks of today"),
      ],
      arguments: [.filterWords],
      options: [.ofDog] + Option.period + [.byWalker, .inNote, .withTag],
      discussion: [
        "It needs a terminal, and fills it. Changes by other commands, programs and "
          + "people appear within a second."
      ]),
    isReading: true
  ) { run in
    guard run.terminal.isTerminal else {
      throw Complaint(
        .unavailable, "watch needs a terminal", hint: "For a pipe or a file: \(run.call) list")
    }
    // Errors about the words are reported before the terminal is taken over.
    _ = try run.clock()
    _ = try WalkFilter(run, clock: run.clock).dogs(run)
    let screen = Screen(on: run.output)
    defer { screen.end() }
    let watch = Watch(run: run, screen: screen, changes: StoreWatch(ofStoreAt: try run.storeURL()))
    let event = try watch.show()
    if event == .interrupt {
      screen.end()
      throw ExitCode.interrupted
    }
  }
}

/// The list on the screen.
private struct Watch {
  let run: CommandRun
  let screen: Screen
  /// Determines when to check the store for changes.
  let changes: StoreWatch

  /// What is drawn depends on these; it is redrawn if one of them differs.
  private struct State: Equatable {
    let store: Int
    let changes: Int64
    let terminal: Terminal
    let day: CivilDate
  }

  init(run: CommandRun, screen: Screen, changes: StoreWatch) {
    self.run = run
    self.screen = screen
    self.changes = changes
  }

  /// Redraws after every change until a key ends it.
  func show() throws -> Screen.Event {
    var drawn: State?
    while true {
      _ = changes.isPollDue()
      let now = try run.currentClock().now
      do {
        let log = try run.currentLog()
        // The number is read first, so that a concurrent change may cause one redraw too many, but
        // never too few.
        let state = State(
          store: log.hasStore ? run.openingCount : 0, changes: try log.changeCount(),
          terminal: run.currentTerminal(), day: now.day)
        if state != drawn {
          try draw(log, on: state.terminal)
          drawn = state
        }
      } catch PersistentStoreError.moved {
        // The store was replaced while it was read; the new one is opened.
        continue
      }
      let event = screen.wait(
        milliseconds: Self.sooner(
          changes.millisecondsToWait(), Self.millisecondsToNewDay(from: now)),
        orFor: changes.descriptor)
      if let event { return event }
      changes.takeEvents()
    }
  }

  /// Returns the shorter of two timeouts, of which the first may be infinite (negative).
  private static func sooner(_ one: Int32, _ other: Int32) -> Int32 {
    one < 0 ? other : min(one, other)
  }

  /// Returns the milliseconds until the next day begins.
  ///
  /// At most an hour, since clocks may be put forward, and computers sleep.
  private static func millisecondsToNewDay(from now: Moment) -> Int32 {
    Int32(min(86_400 - now.time.secondsSinceMidnight + 1, 3_600) * 1_000)
  }

  private func draw(_ log: WalkLog, on terminal: Terminal) throws {
    let clock = try run.currentClock()
    let height = max(3, terminal.rows ?? 24)
    let filter = try WalkFilter(run, clock: { clock })
    var query = filter.query(dogs: try filter.dogs(run), zone: run.zone)
    query.limit = height
    // Retained while the walks are written, so that the dogs are not fetched again for each walk.
    let dogs = try log.dogs()
    let tags = try log.tags()
    let walks = try log.walks(query)
    let text = OutputSink.memory()
    let page = PagedOutput(to: text, on: terminal, pager: nil)
    try withExtendedLifetime(dogs) {
      var columns = WalkColumns()
      for walk in walks { columns.take(walk) }
      columns.end()
      var table = WalkTable(
        columns, tags: tags, terminal: terminal, clock: clock, isCut: walks.count == height,
        to: page)
      for walk in walks { try table.write(walk) }
      try table.end()
    }
    try page.end()
    var lines = text.text.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix(height - 1).map(String.init)
    if walks.isEmpty {
      let text = ["No walks \(filter.reading.isEmpty ? "yet" : filter.reading)."]
      lines = try TypedWords.text(of: text + filter.hints(run)).wrapped(to: terminal.columns)
    }
    while lines.count < height - 1 { lines.append("") }
    let foot = "Kept up to date at \(clock.now.time.reading). q ends."
    lines.append(terminal.styled(foot.truncated(to: terminal.columns), .dim))
    try screen.draw(lines)
  }
}

@available(*, unavailable)
extension Watch: Sendable {}

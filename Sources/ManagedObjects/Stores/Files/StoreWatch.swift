package import SystemLibraries

/// When to look whether others have changed a store: as something happens to its files, or now and
/// then where the system does not tell of that.
///
///     let watch = StoreWatch(ofStoreAt: url)
///     while true {
///       var state = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
///       if poll(&state, 1, watch.millisecondsToWait()) > 0 { watch.takeEvents() }
///       if watch.isTimeToLook() { print(try coordinator.changeCount(of: store)) }
///     }
///
/// What a commit writes shows in the files before it counts: SQLite says that it does through
/// memory, of which no event tells, and once the disk has everything. So one looks at once, and
/// again at growing distances from the last event, then about once a second until two minutes have
/// gone by: a commit that counts later is seen late. Then nothing is done until something happens.
/// While others write all the time one looks twenty times a second at most. Not Sendable.
package final class StoreWatch {
  /// How far from the last event one looks first.
  static let distances: [Duration] = [
    .zero, .milliseconds(5), .milliseconds(25), .milliseconds(100), .milliseconds(400),
  ]
  /// How far from the last event one looks for the last time, at most.
  static let lastDistance = Duration.seconds(120)
  /// How long one waits between two looks, however much happens.
  static let pause = Duration.milliseconds(50)
  /// How long one waits between two looks where nobody tells what happens, or something may count
  /// by now that happened before.
  static let interval = Duration.milliseconds(900)

  private var events: FileEvents?
  /// Whether nobody else has the store.
  private let isAlone: Bool
  private let clock: () -> Duration
  private var lastEvent: Duration
  private var lastLook: Duration?
  /// When to look; nil where only an event says so.
  private var nextLook: Duration?
  /// Whether that is so near that nothing has to be known until then.
  private var isPausing = false

  /// Watches the files of a SQLite store, be it there or not, or a store on a server.
  package convenience init(ofStoreAt url: URL) {
    self.init(url.isPostgreSQL ? .store : StoreTraces(sqliteFile: url))
  }

  /// - Parameter clock: the time since some moment.
  init(_ traces: StoreTraces, clock: (() -> Duration)? = nil) {
    let start = ContinuousClock().now
    self.clock = clock ?? { ContinuousClock().now - start }
    isAlone = traces == .nowhere
    if case .files(let files) = traces { events = FileEvents(of: files) }
    // What was written before, and counts afterwards, is not told.
    lastEvent = self.clock()
    nextLook = isAlone ? nil : lastEvent
  }

  /// Whether the system tells what happens.
  package var hasEvents: Bool { events != nil }

  /// What becomes readable when something has happened; -1 where nothing does, or it can wait.
  package var descriptor: Int32 {
    guard let events, !isPausing else { return -1 }
    return events.descriptor
  }

  /// How long to wait for something to happen, at most, until it is time to look: as `poll` wants
  /// it, -1 for ever.
  package func millisecondsToWait() -> Int32 {
    guard let nextLook else { return -1 }
    let wait = max(.zero, nextLook - clock())
    // What is left of a millisecond is waited for, too.
    return Int32(clamping: Int64((wait / .milliseconds(1)).rounded(.up)))
  }

  /// Takes what has happened.
  package func takeEvents() {
    guard let events else { return }
    let hasChanged = events.take()
    if events.isLost { self.events = nil }
    guard hasChanged || events.isLost else { return }
    lastEvent = clock()
    nextLook = max(lastEvent, lastLook.map { $0 + Self.pause } ?? lastEvent)
    isPausing = nextLook != lastEvent
  }

  /// Whether it is time to look; then it is taken for done.
  package func isTimeToLook() -> Bool {
    let now = clock()
    guard let time = nextLook, time <= now else { return false }
    lastLook = now
    isPausing = false
    if isAlone {
      nextLook = nil
    } else if events == nil {
      nextLook = now + Self.interval
    } else {
      nextLook =
        Self.distances.lazy.map { self.lastEvent + $0 }.first { $0 > now }
        ?? (now - lastEvent < Self.lastDistance ? now + Self.interval : nil)
    }
    return true
  }
}

@available(*, unavailable) extension StoreWatch: Sendable {}

package import SystemLibraries

/// Decides when to check whether another process has changed a store: on file events, or at
/// intervals if the system reports none.
///
///     let watch = StoreWatch(ofStoreAt: url)
///     while true {
///       var state = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
///       if poll(&state, 1, watch.millisecondsToWait()) > 0 { watch.takeEvents() }
///       if watch.isPollDue() { print(try coordinator.changeCount(of: store)) }
///     }
///
/// A commit is visible in the files before it takes effect: SQLite publishes it through shared
/// memory, which causes no event, after syncing the disk. So the caller checks at once, then at
/// increasing intervals after the last event, then about once a second for up to two minutes: a
/// commit that takes effect later is noticed late. After that, nothing happens until the next
/// event. During continuous writes it checks at most twenty times a second. Not Sendable.
package final class StoreWatch {
  /// The first checks, by their time after the last event.
  static let distances: [Duration] = [
    .zero, .milliseconds(5), .milliseconds(25), .milliseconds(100), .milliseconds(400),
  ]
  /// The time after the last event at which checking stops.
  static let lastDistance = Duration.seconds(120)
  /// The minimum time between two checks, however many events arrive.
  static let pause = Duration.milliseconds(50)
  /// The time between two checks if there are no events, or if an earlier write may take effect by
  /// now.
  static let interval = Duration.milliseconds(900)

  private var events: FileEvents?
  /// Whether the store is not shared, so that nothing needs watching.
  private let isAlone: Bool
  private let clock: () -> Duration
  private var lastEvent: Duration
  private var lastPoll: Duration?
  /// The time of the next check; nil to wait for an event.
  private var nextPoll: Duration?
  /// Whether that is so soon that events need not be received until then.
  private var isPausing = false

  /// Watches the files of a SQLite store, which need not exist yet, or a store on a server.
  package convenience init(ofStoreAt url: URL) {
    self.init(url.isPostgreSQL ? .store : ChangeDetection(sqliteFile: url))
  }

  /// - Parameter clock: the time since a fixed moment.
  init(_ traces: ChangeDetection, clock: (() -> Duration)? = nil) {
    let start = ContinuousClock().now
    self.clock = clock ?? { ContinuousClock().now - start }
    isAlone = traces == .nowhere
    if case .files(let files) = traces { events = FileEvents(of: files) }
    // A write before this moment that takes effect later causes no event.
    lastEvent = self.clock()
    nextPoll = isAlone ? nil : lastEvent
  }

  /// Whether the system reports file events.
  package var hasEvents: Bool { events != nil }

  /// The file descriptor that becomes readable when an event arrives; -1 if there is none or events
  /// can wait.
  package var descriptor: Int32 {
    guard let events, !isPausing else { return -1 }
    return events.descriptor
  }

  /// How many milliseconds to wait for an event, at most, until the next check: a timeout for
  /// `poll`, -1 for ever.
  package func millisecondsToWait() -> Int32 {
    guard let nextPoll else { return -1 }
    let wait = max(.zero, nextPoll - clock())
    // Rounded up, so that the wait does not end before the check is due.
    return Int32(clamping: Int64((wait / .milliseconds(1)).rounded(.up)))
  }

  /// Receives the pending events.
  package func takeEvents() {
    guard let events else { return }
    let hasChanged = events.take()
    if events.isLost { self.events = nil }
    guard hasChanged || events.isLost else { return }
    lastEvent = clock()
    nextPoll = max(lastEvent, lastPoll.map { $0 + Self.pause } ?? lastEvent)
    isPausing = nextPoll != lastEvent
  }

  /// Whether a check is due; if so, it is assumed to be made now.
  package func isPollDue() -> Bool {
    let now = clock()
    guard let time = nextPoll, time <= now else { return false }
    lastPoll = now
    isPausing = false
    if isAlone {
      nextPoll = nil
    } else if events == nil {
      nextPoll = now + Self.interval
    } else {
      nextPoll =
        Self.distances.lazy.map { self.lastEvent + $0 }.first { $0 > now }
        ?? (now - lastEvent < Self.lastDistance ? now + Self.interval : nil)
    }
    return true
  }
}

@available(*, unavailable) extension StoreWatch: Sendable {}

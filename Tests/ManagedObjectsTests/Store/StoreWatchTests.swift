import Foundation
import Testing

@testable import ManagedObjects

/// When a watch checks whether others have changed a store.
@Suite struct StoreWatchTests {
  private let folder: StoreFolder

  init() throws {
    folder = try StoreFolder()
    try Data("old".utf8).write(to: folder.store)
  }

  /// A clock that runs as a test says.
  private final class TestClock {
    var now = Duration.zero
  }

  /// When a watch checks until it only waits for events, to within a quarter of an hour.
  private func looks(of watch: StoreWatch, _ clock: TestClock) -> [Duration] {
    var looks: [Duration] = []
    while clock.now < .seconds(1_000), watch.millisecondsToWait() >= 0 {
      clock.now += .milliseconds(Int(watch.millisecondsToWait()))
      if watch.isPollDue() { looks.append(clock.now) }
    }
    return looks
  }

  @Test func `after an event it checks every second for two minutes, and then not at all`()
    throws
  {
    let clock = TestClock()
    let watch = StoreWatch(ChangeDetection(sqliteFile: folder.store)) { clock.now }
    #expect(watch.hasEvents)
    let distances = [0, 5, 25, 100, 400] + stride(from: 1_300, through: 120_100, by: 900)
    #expect(looks(of: watch, clock) == distances.map { .milliseconds($0) })
    #expect(watch.millisecondsToWait() == -1 && !watch.isPollDue())
    clock.now = .seconds(200)
    watch.takeEvents()
    #expect(watch.millisecondsToWait() == -1)
    try write("new", to: "DogWalk.sqlite-wal")
    watch.takeEvents()
    #expect(
      looks(of: watch, clock) == distances.map { .milliseconds($0) + .seconds(200) })
    try write("newer", to: "DogWalk.sqlite-wal")
    clock.now = .seconds(400)
    watch.takeEvents()
    #expect(watch.millisecondsToWait() == 0)
  }

  @Test func `while others write constantly it checks now and then`() throws {
    let clock = TestClock()
    let watch = StoreWatch(ChangeDetection(sqliteFile: folder.store)) { clock.now }
    var looks: [Duration] = []
    while clock.now < .seconds(1) {
      try write("\(clock.now)", to: "DogWalk.sqlite-wal")
      if watch.descriptor >= 0 { watch.takeEvents() }
      if watch.isPollDue() { looks.append(clock.now) }
      clock.now += .milliseconds(1)
    }
    #expect((19...24).contains(looks.count), "\(looks)")
    #expect(zip(looks, looks.dropFirst()).allSatisfy { $1 - $0 <= .milliseconds(60) })
  }

  @Test func `without events it checks about once a second`() {
    let clock = TestClock()
    let watch = StoreWatch(.store) { clock.now }
    #expect(watch.descriptor == -1 && !watch.hasEvents)
    let looks = looks(of: watch, clock)
    #expect(looks.first == .zero && (1_000...1_200).contains(looks.count))
    #expect(zip(looks, looks.dropFirst()).allSatisfy { $1 - $0 < .seconds(1) })
    let server = StoreWatch(ofStoreAt: URL(string: "postgres://db.example/walks")!)
    #expect(!server.hasEvents)
    // The kernel's own files cause no events either.
    #expect(!StoreWatch(ofStoreAt: URL(filePath: "/proc/self/walks.sqlite")).hasEvents)
  }

  @Test func `a store that no other process can have is never checked`() {
    let clock = TestClock()
    #expect(looks(of: StoreWatch(.nowhere) { clock.now }, clock).isEmpty)
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }
}

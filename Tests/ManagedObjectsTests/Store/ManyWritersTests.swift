import DogWalkModel
import Foundation
import ManagedObjects
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Many processes and threads that write to one store concurrently.
@Suite(.serialized) struct ManyWritersTests {
  @Test(arguments: [1, 7])
  func `twenty threads, each with a connection, lose nothing`(dogs: Int) throws {
    let folder = try StoreFolder()
    try Self.inThreads(20) { number in
      for step in 0..<5 { try Self.add(number * 5 + step, dogs: dogs, to: folder.open()) }
    }
    try Self.check(folder, dogs: dogs, walks: 100)
  }

  @Test func `fifty threads create a single store`() throws {
    let folder = try StoreFolder()
    try Self.inThreads(50) { number in try Self.add(number, dogs: 7, to: folder.open()) }
    try Self.check(folder, dogs: 7, walks: 50)
  }

  @Test(arguments: [20, 200])
  func `processes that start at once without a store all write to the same one`(
    processes: Int
  ) async throws {
    let folder = try StoreFolder(at: SharedFolder.many(of: getpid()))
    await withTaskGroup { group in
      for _ in 0..<processes {
        group.addTask {
          let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
          ) {
            // Children don't know each other: their process numbers distinguish their walks.
            let folder = try StoreFolder(at: SharedFolder.many(of: getppid()))
            folder.isKept = true
            do {
              // Two hundred programs on a machine that has other work to do take their time.
              let container = try folder.open { $0.busyTimeout = 300 }
              try ManyWritersTests.add(Int(getpid()), dogs: 7, to: container)
            } catch {
              // Rethrown, it would trap in the child without telling the parent anything.
              FileHandle.standardError.write(Data("\(error)\n".utf8))
            }
          }
          let complaint = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
          #expect(complaint == "")
        }
      }
    }
    // Process numbers need not cover every dog: the walks tell which were asked for.
    let asked = try SQLiteFile(folder.store).number(
      "SELECT count(DISTINCT CAST(ZDURATION / 60 AS INTEGER) % 7) FROM ZWALK")
    try Self.check(folder, dogs: asked, walks: processes)
  }

  // MARK: One writer

  /// Seven dogs, in several spellings each.
  private static let spellings = [
    ["Fido", "fido", "FIDO", "fIDO"], ["Zo\u{EB}", "Zoe\u{308}", "ZO\u{CB}", "zo\u{EB}"],
    ["Straße", "STRASSE", "strasse"], ["Rex", "REX"], ["Ada", "ada"],
    ["\u{C5}sa", "A\u{30A}sa", "\u{212B}sa", "\u{E5}SA"], ["犬", "犬"],
  ]

  /// Adds a walk to one of the dogs, in one of its spellings.
  static func add(_ number: Int, dogs: Int, to container: PersistentContainer) throws {
    let names = spellings[number % dogs]
    let context = container.newBackgroundContext()
    let dog = try Dog.findOrCreate(named: names[number / dogs % names.count], in: context)
    dog.addToWalks(Walk(minutes: number, in: context))
    try context.save()
  }

  /// Runs a body in many threads at once, and throws the first error.
  ///
  /// Threads of their own: those of tasks are two here, and a waiting connection blocks its thread.
  private static func inThreads(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Void
  ) throws {
    let errors = Errors()
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      let thread = Thread {
        do { try body(number) } catch { errors.append(error) }
        group.leave()
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
    group.wait()
    if let error = errors.first { throw error }
  }

  private final class Errors: @unchecked Sendable {
    private let lock = NSLock()
    // Guarded by the lock.
    private var all: [any Error] = []

    func append(_ error: any Error) { lock.withLock { all.append(error) } }
    var first: (any Error)? { lock.withLock { all.first } }
  }

  // MARK: What has to hold afterwards

  private static func check(_ folder: StoreFolder, dogs: Int, walks: Int) throws {
    let file = try SQLiteFile(folder.store)
    #expect(try file.number("SELECT count(*) FROM ZDOG") == dogs)
    #expect(try file.number("SELECT count(*) FROM ZWALK") == walks)
    #expect(try file.number("SELECT count(DISTINCT ZDURATION) FROM ZWALK") == walks)
    #expect(
      try file.rows(
        "SELECT ZDOG, Z_FOK_DOG FROM ZWALK GROUP BY ZDOG, Z_FOK_DOG HAVING count(*) > 1"
      ).isEmpty)
    #expect(try file.number("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Walk'") == walks)
    #expect(try file.value("PRAGMA integrity_check") == "ok")
    guard StoreChecker.isAvailable else { return }
    #expect(try StoreChecker.check(folder.store) == "0 differences, 5 entities\n")
  }
}

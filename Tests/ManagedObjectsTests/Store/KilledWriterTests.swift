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

/// Processes that are killed while they write.
@Suite(.serialized) struct KilledWriterTests {
  @Test func `no walk is lost that was acknowledged before its writer was killed`() async throws {
    let folder = try StoreFolder(at: SharedFolder.killed(of: getpid()))
    let rounds = 30
    var acknowledged: Set<Int> = []
    for _ in 0..<rounds {
      let result = await #expect(
        processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
      ) {
        let folder = try StoreFolder(at: SharedFolder.killed(of: getppid()))
        folder.isKept = true
        // Long enough to recover the log that the one before has left.
        KilledWriterTests.killSoon(within: 150_000)
        for step in 0... {
          let number = Int(getpid()) * 10_000 + step
          try ManyWritersTests.add(number, dogs: 1, to: folder.open())
          let line = Array("\nwalk \(number)\n".utf8)
          _ = write(1, line, line.count)
        }
      }
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      for line in output.split(separator: "\n") where line.hasPrefix("walk ") {
        acknowledged.insert(try #require(Int(line.dropFirst(5))))
      }
      let file = try SQLiteFile(folder.store)
      #expect(try file.value("PRAGMA integrity_check") == "ok")
    }
    #expect(!acknowledged.isEmpty)
    let kept = Set(try folder.contents().values.joined())
    #expect(kept.isSuperset(of: acknowledged))
    // One walk may have been written without being acknowledged.
    #expect(kept.count <= acknowledged.count + rounds)
    guard StoreChecker.isAvailable else { return }
    #expect(try StoreChecker.check(folder.store) == "0 differences, 5 entities\n")
  }

  @Test func `a store whose creator was killed is created by the next one`() async throws {
    for _ in 0..<6 {
      let folder = try StoreFolder(at: SharedFolder.killed(of: getpid()))
      await #expect(processExitsWith: .signal(SIGKILL)) {
        KilledWriterTests.killSoon(within: 4_000)
        while true {
          let folder = try StoreFolder(at: SharedFolder.killed(of: getppid()))
          folder.isKept = true
          try? FileManager.default.removeItem(at: folder.url)
          try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: true)
          _ = try folder.open()
        }
      }
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      try folder.save("Fido", minutes: [5])
      #expect(try folder.contents() == ["Fido": [5]])
      #expect(try SQLiteFile(folder.store).value("PRAGMA integrity_check") == "ok")
    }
  }

  /// Kills this process at a random moment of the next few milliseconds; for children only.
  private static func killSoon(within microseconds: UInt32) {
    let thread = Thread {
      usleep(.random(in: 0..<microseconds))
      kill(getpid(), SIGKILL)
    }
    thread.start()
  }
}

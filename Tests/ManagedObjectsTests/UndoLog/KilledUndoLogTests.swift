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

/// Processes that are killed while they write, undo and redo.
@Suite struct KilledUndoLogTests {
  @Test func `a change and its log entry are both present or both missing`() async throws {
    let folder = try StoreFolder(at: SharedFolder.reverted(of: getpid()))
    try folder.save("Fido")
    for _ in 0..<20 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let folder = try StoreFolder(at: SharedFolder.reverted(of: getppid()))
        folder.isKept = true
        let thread = Thread {
          usleep(.random(in: 0..<40_000))
          kill(getpid(), SIGKILL)
        }
        thread.start()
        while true {
          let stack = UndoStack(try folder.open { $0.undoLogLimit = 1_000 })
          switch Int.random(in: 0..<4) {
          case 0: try stack.log.undo()
          case 1: try stack.log.redo()
          default: try stack.save("add") { _ = try $0.walk("Fido", minutes: 5) }
          }
        }
      }
      let file = try SQLiteFile(folder.store)
      #expect(try file.value("PRAGMA integrity_check") == "ok")
      // Each command is one walk.
      let hasLog = try file.value("SELECT name FROM sqlite_schema WHERE name = 'MO_UNDO'") != "NULL"
      let done = hasLog ? try file.number("SELECT count(*) FROM MO_UNDO WHERE UNDONE = 0") : 0
      #expect(try file.number("SELECT count(*) FROM ZWALK") == done)
    }
    let log = UndoStack(try folder.open { $0.undoLogLimit = 1_000 }).log
    while try log.undo() != nil {}
    #expect(try folder.contents() == ["Fido": []])
    guard StoreChecker.isAvailable else { return }
    #expect(try StoreChecker.check(folder.store) == "0 differences, 5 entities\n")
  }
}

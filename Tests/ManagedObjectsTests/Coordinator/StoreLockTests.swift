#if os(Linux)
  import DogWalkModel
  import Foundation
  import Testing

  @testable import ManagedObjects

  /// The locks that a process holds on its stores, as the system lists them.
  @Suite struct StoreLockTests {
    /// The process keeps its locks on a store that it has open, since without them another one
    /// believes to be the last, and removes the log.
    @Test func `a refused replacement keeps the locks of an open store`() throws {
      let (folder, backup) = (try StoreFolder(), try StoreFolder(named: "Backup.sqlite"))
      try backup.save("Fido", minutes: [1])
      let container = try folder.open()
      let context = container.newBackgroundContext()
      try Dog.findOrCreate(named: "Bella", in: context).addToWalks(Walk(minutes: 2, in: context))
      try context.save()
      let writer = try SQLiteFile(folder.store)
      try writer.execute("BEGIN IMMEDIATE")
      let before = try locks(on: folder.store)
      #expect(!before.isEmpty)
      for attempt in [{ try folder.replace(from: backup) }, { try folder.destroy() }] {
        let error = #expect(throws: PersistentStoreError.self, performing: attempt)
        guard case .busy = error else { throw try #require(error) }
        #expect(try locks(on: folder.store) == before)
      }
      try writer.execute("ROLLBACK")
    }

    /// This process's locks on a file: the types and ranges that the system lists.
    private func locks(on url: URL) throws -> [String] {
      var info = stat()
      try #require(stat(url.path, &info) == 0)
      return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
        .filter { $0.contains(":\(info.st_ino) ") && $0.contains(" \(getpid()) ") }
        .map { $0.split(separator: " ").dropFirst().joined(separator: " ") }.sorted()
    }
  }
#endif

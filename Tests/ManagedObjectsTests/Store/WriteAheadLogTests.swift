import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// The file beside the store that saves are written to first.
@Suite struct WriteAheadLogTests {
  private static let mebibyte = 1 << 20

  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private var logSize: Int { size(of: folder.store.path + "-wal") }

  private func size(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Adds a walk to Fido in a context of its own.
  private func add(_ minutes: Int, to container: PersistentContainer) throws {
    let context = container.newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    fido.addToWalks(Walk(minutes: minutes, in: context))
    try context.save()
  }

  /// The lengths of Fido's walks in the file alone, as in a copy of it.
  private func minutesInFile() throws -> [Int]? {
    let copy = try StoreFolder()
    try FileManager.default.copyItem(at: folder.store, to: copy.store)
    return try copy.contents()["Fido"]
  }

  // MARK: At rest

  @Test func `is removed when the store is closed, and everything is in the file`() throws {
    for minutes in 0..<12 { try add(minutes, to: folder.open()) }
    #expect(try folder.names() == ["DogWalk.sqlite"])
    #expect(try minutesInFile() == Array(0..<12))
  }

  @Test func `is copied into the file even while others have it open`() throws {
    try add(0, to: folder.open())
    let other = try folder.open()
    #expect(try other.newBackgroundContext().count(for: Walk.fetchRequest()) == 1)
    for minutes in 1..<12 {
      try add(minutes, to: folder.open())
      #expect(try minutesInFile() == Array(0...minutes))
    }
  }

  @Test func `has no contents at rest that another file of that name would get`() throws {
    try add(0, to: folder.open())
    let backup = folder.store.path + "-backup"
    try FileManager.default.copyItem(atPath: folder.store.path, toPath: backup)
    let other = try folder.open()
    #expect(try other.newBackgroundContext().count(for: Walk.fetchRequest()) == 1)
    try add(1, to: folder.open())
    #expect(logSize == 0)
    #expect(rename(backup, folder.store.path) == 0)
    try add(2, to: folder.open())
    #expect(try minutesInFile() == [0, 2])
    withExtendedLifetime(other) {}
  }

  @Test func `is emptied though the file was moved away before the store is closed`() throws {
    let container = try folder.open()
    try add(0, to: container)
    let moved = folder.store.path + "-moved"
    #expect(rename(folder.store.path, moved) == 0)
    let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
    try container.persistentStoreCoordinator.remove(store)
    #expect(logSize == 0)
    #expect(rename(moved, folder.store.path) == 0)
    #expect(try minutesInFile() == [0])
  }

  @Test func `keeps what a reader needs, until the next process closes the store`() throws {
    try add(0, to: folder.open())
    let reader = try SQLiteFile(folder.store)
    try reader.execute("BEGIN")
    #expect(try reader.value("SELECT count(*) FROM ZWALK") == "1")
    try add(1, to: folder.open())
    #expect(try minutesInFile() == [0])
    #expect(try folder.contents()["Fido"] == [0, 1])
    try reader.execute("COMMIT")
    try add(2, to: folder.open())
    #expect(try minutesInFile() == [0, 1, 2])
  }

  @Test func `is emptied by the last process that closes the store, though others wrote it`() throws
  {
    try add(0, to: folder.open())
    do {
      let last = try folder.open().newBackgroundContext()
      try last.performReading {
        #expect(try last.count(for: Walk.fetchRequest()) == 1)
        try add(1, to: folder.open())
      }
      #expect(logSize > 0)
    }
    #expect(try folder.names() == ["DogWalk.sqlite"])
    #expect(try minutesInFile() == [0, 1])
  }

  // MARK: Its length

  @Test func `is moved into the file by a save that leaves a long one`() throws {
    let container = try folder.open()
    try add(5, to: container)
    let context = container.newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    fido.walks[0].note = String(repeating: "rain ", count: 300_000)
    try context.save()
    #expect(logSize == 0)
    #expect(size(of: folder.store.path) > Self.mebibyte)
  }

  @Test func `stays under a mebibyte over 500 saves of one process`() throws {
    let container = try folder.open()
    var largest = 0
    for minutes in 0..<500 {
      try add(minutes, to: container)
      largest = max(largest, logSize)
    }
    #expect(largest > Self.mebibyte / 8)
    #expect(largest <= Self.mebibyte)
    #expect(try folder.contents()["Fido"] == Array(0..<500))
  }

  @Test func `has only one save where others always have the store open`() throws {
    try add(0, to: folder.open())
    let other = try folder.open()
    #expect(try other.newBackgroundContext().count(for: Walk.fetchRequest()) == 1)
    var largest = 0
    for minutes in 1..<500 {
      try add(minutes, to: folder.open())
      largest = max(largest, logSize)
    }
    #expect(largest <= Self.mebibyte / 8)
    #expect(try folder.contents()["Fido"] == Array(0..<500))
  }

  @Test func `grows while another process reads, and is moved afterwards`() throws {
    let container = try folder.open()
    try add(0, to: container)
    let reader = try SQLiteFile(folder.store)
    try reader.execute("BEGIN")
    #expect(try reader.value("SELECT count(*) FROM ZWALK") == "1")
    for minutes in 1..<200 { try add(minutes, to: container) }
    #expect(logSize > Self.mebibyte)
    #expect(try reader.value("SELECT count(*) FROM ZWALK") == "1")
    try reader.execute("COMMIT")
    try add(200, to: container)
    #expect(logSize == 0)
    #expect(try folder.contents()["Fido"] == Array(0...200))
  }

  // MARK: Foreign logs

  @Test(arguments: [nil, ""])
  func `beside a missing or empty file is refused and left in place`(file: String?) throws {
    try folder.leaveLog("Fido", minutes: [5])
    try FileManager.default.removeItem(at: folder.store)
    if let file { try Data(file.utf8).write(to: folder.store) }
    let before = try folder.allBytes()
    for isReadOnly in [true, false] {
      for createsFile in [true, false] {
        let error = #expect(throws: PersistentStoreError.self) {
          try folder.open {
            $0.isReadOnly = isReadOnly
            $0.createsFile = createsFile
          }
        }
        guard case .orphanedLog(folder.store) = error else { throw try #require(error) }
        #expect(try folder.allBytes() == before)
      }
    }
  }

  @Test func `is recovered when its file is restored`() throws {
    try folder.leaveLog("Fido", minutes: [5, 6])
    let elsewhere = folder.url.appending(path: "elsewhere.sqlite")
    try FileManager.default.moveItem(at: folder.store, to: elsewhere)
    #expect(throws: PersistentStoreError.self) { try folder.save("Rex") }
    try FileManager.default.moveItem(at: elsewhere, to: folder.store)
    try folder.save("Rex")
    #expect(try folder.contents() == ["Fido": [5, 6], "Rex": []])
    #expect(try folder.names() == ["DogWalk.sqlite"])
  }

  /// Expects that the store is refused for the log beside it, by readers and writers.
  private func expectForeignLog() throws {
    let before = try folder.allBytes()
    for isReadOnly in [true, false] {
      let error = #expect(throws: PersistentStoreError.self) {
        try folder.open { $0.isReadOnly = isReadOnly }
      }
      guard case .foreignLog(folder.store) = error else { throw try #require(error) }
      #expect(try folder.allBytes() == before)
    }
  }

  @Test(arguments: [true, false])
  func `of a file with pages of another size is refused`(hasIndex: Bool) throws {
    try folder.leaveLog("Fido", minutes: [5], withIndex: hasIndex)
    let other = try StoreFolder(named: "other.sqlite")
    let file = try SQLiteFile(other.store)
    try file.execute("PRAGMA page_size = 1024; CREATE TABLE a (b); VACUUM")
    try FileManager.default.removeItem(at: folder.store)
    try FileManager.default.copyItem(at: other.store, to: folder.store)
    try expectForeignLog()
  }

  @Test func `of a file with more pages is refused`() throws {
    try folder.save("Fido", minutes: Array(0..<2_000))
    try folder.leaveLog("Fido", minutes: [5])
    let other = try StoreFolder()
    try other.save("Rex")
    try FileManager.default.removeItem(at: folder.store)
    try FileManager.default.copyItem(at: other.store, to: folder.store)
    try expectForeignLog()
  }

  @Test func `of another app's store is unchanged, and so are the files beside it`() throws {
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Book", properties: [])])
    let other = try StoreFolder()
    let container = try other.open(model)
    let context = container.newBackgroundContext()
    _ = ManagedObject("Book", in: context)
    try context.save()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: other.store.path + suffix, toPath: folder.store.path + suffix)
    }
    let before = try folder.allBytes()
    #expect(throws: PersistentStoreError.self) { try folder.open() }
    #expect(try folder.allBytes() == before)
  }
}

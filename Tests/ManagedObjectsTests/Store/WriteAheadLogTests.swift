import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// The file beside the store where saves go first.
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

  @Test func `stays when the store is closed`() throws {
    try folder.save("Fido", minutes: [5])
    let before = logSize
    try folder.save("Fido", minutes: [6])
    #expect(before > 0)
    #expect(logSize > before)
  }

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

  @Test func `stays under a mebibyte over 500 saves of a process each`() throws {
    var largest = 0
    for minutes in 0..<500 {
      try add(minutes, to: folder.open())
      largest = max(largest, logSize)
    }
    #expect(largest <= Self.mebibyte)
    #expect(try folder.contents()["Fido"] == Array(0..<500))
  }

  @Test func `grows while another process reads, and is moved when that is done`() throws {
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
}

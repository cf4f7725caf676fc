import DogWalkModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Stores with flipped bits and missing ends: read, or refused with a clear error; never a crash.
@Suite struct DamagedStoreTests {
  /// What is done to the bytes of a file.
  enum Damage: CaseIterable {
    /// One bit anywhere is flipped.
    case bit
    /// One bit of the header, the schema or the metadata is flipped.
    case bitInTheSchema
    /// A byte becomes another one.
    case byte
    /// The end is missing.
    case cut
    /// A page is full of zeros.
    case emptyPage
    /// Two pages are swapped.
    case swappedPages

    func apply(to data: inout Data, _ random: inout SeededGenerator) {
      let page = 4096
      let pages = data.count / page
      switch self {
      case .bit:
        data[Int.random(in: 0..<data.count, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      case .bitInTheSchema:
        let places = [0..<120, (page - 2_500)..<page, (data.count - page)..<data.count]
        data[Int.random(in: places.randomElement(using: &random)!, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      case .byte:
        data[Int.random(in: 0..<data.count, using: &random)] = .random(in: 0...255, using: &random)
      case .cut:
        data = data.prefix(Int.random(in: 2..<data.count, using: &random))
      case .emptyPage:
        let start = Int.random(in: 0..<pages, using: &random) * page
        data.replaceSubrange(start..<start + page, with: Data(count: page))
      case .swappedPages:
        let one = Int.random(in: 1..<pages, using: &random) * page
        let other = Int.random(in: 1..<pages, using: &random) * page
        let kept = data.subdata(in: one..<one + page)
        data.replaceSubrange(one..<one + page, with: data.subdata(in: other..<other + page))
        data.replaceSubrange(other..<other + page, with: kept)
      }
    }
  }

  private let folder: StoreFolder
  private let whole: Data

  init() throws {
    folder = try StoreFolder()
    for name in ["Fido", "Rex", "Ada"] { try folder.save(name, minutes: Array(1...20)) }
    whole = try Data(contentsOf: folder.store)
  }

  /// Puts a file at the store's URL, with nothing beside it.
  private func put(_ data: Data) throws {
    for suffix in ["-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: folder.store.path + suffix)
    }
    try data.write(to: folder.store)
  }

  /// Runs a body on a damaged store; it may only throw errors that the library documents.
  private func survives(_ what: String, _ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch is PersistentStoreError {
    } catch is ConflictError {
    } catch is ValidationError {
    } catch {
      Issue.record("\(what): \(error)")
    }
    return false
  }

  @Test(arguments: Damage.allCases)
  func `is read or refused, and not written by a reader`(damage: Damage) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for step in 0..<100 {
      var data = whole
      damage.apply(to: &data, &random)
      try put(data)
      _ = survives("step \(step) of seed \(seed)") {
        try readEverything(folder.open { $0.isReadOnly = true })
      }
      try #require(Data(contentsOf: folder.store) == data, "step \(step) of seed \(seed)")
    }
  }

  @Test(arguments: Damage.allCases)
  func `is written or refused, and a store refused at opening is not written`(
    damage: Damage
  ) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for step in 0..<60 {
      var data = whole
      damage.apply(to: &data, &random)
      try put(data)
      var container: PersistentContainer?
      let isOpen = survives("step \(step) of seed \(seed)") {
        container = try folder.open { $0.busyTimeout = 0 }
      }
      if let container {
        _ = survives("step \(step) of seed \(seed)") { try write(container) }
      }
      container = nil
      guard !isOpen else { continue }
      try #require(Data(contentsOf: folder.store) == data, "step \(step) of seed \(seed)")
    }
  }

  @Test func `a damaged log is read as far as it is intact`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    try folder.leaveLog("Bo", minutes: [1])
    let log = try Data(contentsOf: URL(filePath: folder.store.path + "-wal"))
    for step in 0..<60 {
      try put(whole)
      var data = log
      [Damage.bit, .byte, .cut].randomElement(using: &random)!.apply(to: &data, &random)
      try data.write(to: URL(filePath: folder.store.path + "-wal"))
      let found = try folder.contents()
      #expect(found["Fido"] == Array(1...20), "step \(step) of seed \(seed)")
    }
  }

  private func readEverything(_ container: PersistentContainer) throws {
    let context = container.newBackgroundContext()
    let dogs = try context.fetch(Dog.fetchRequest())
    for object in dogs as [ManagedObject] + (try context.fetch(Walk.fetchRequest())) {
      let binding = object._entity.binding
      for case (let slot, .attribute(let attribute)) in binding.slots.enumerated() {
        _ = object.row.value(at: slot, type: attribute.type)
      }
    }
    for dog in dogs {
      var request = Walk.fetchRequest()
      request.predicate = .relationship("dog", isIn: [dog.objectID])
      request.sortDescriptors = [.init(key: "date", ascending: false)]
      _ = try context.fetch(request)
    }
    _ = try container.persistentStoreCoordinator.metadata(for: container.persistentStore)
  }

  private func write(_ container: PersistentContainer) throws {
    let context = container.newBackgroundContext()
    for name in ["Fido", "New"] {
      let dog = try Dog.findOrCreate(named: name, in: context)
      dog.targetMinutes = 30
      dog.addToWalks(Walk(minutes: 99, in: context))
    }
    for walk in try context.fetch(Walk.fetchRequest()).prefix(3) {
      walk.note = "changed"
    }
    try context.save()
    try container.persistentStoreCoordinator.setMetadata(
      .string("fido"), forKey: "currentDog", of: container.persistentStore)
    if let walk = try context.fetch(Walk.fetchRequest()).first { context.delete(walk) }
    try context.save()
  }
}

import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Stores whose files are moved away or replaced while they are open.
@Suite struct MovedStoreTests {
  /// What happens to the file.
  enum Fate: CaseIterable {
    case deleted, movedAway, replacedByAnother, replacedByItsCopy, linkLeadsElsewhere
  }

  private let folder: StoreFolder
  /// The file behind the store's URL, which is a link to it.
  private let file: URL

  init() throws {
    folder = try StoreFolder()
    file = folder.url.appending(path: "file.sqlite")
    try FileManager.default.createSymbolicLink(at: folder.store, withDestinationURL: file)
    try folder.save("Fido", minutes: [1])
  }

  private func meet(_ fate: Fate) throws {
    let files = FileManager.default
    let other = try StoreFolder()
    let elsewhere = folder.url.appending(path: "elsewhere.sqlite")
    switch fate {
    case .deleted: try files.removeItem(at: file)
    case .movedAway: try files.moveItem(at: file, to: elsewhere)
    case .replacedByAnother:
      try other.save("Rex")
      #expect(rename(other.store.path, file.path) == 0)
    case .replacedByItsCopy:
      try files.copyItem(at: file, to: elsewhere)
      #expect(rename(elsewhere.path, file.path) == 0)
    case .linkLeadsElsewhere:
      try files.copyItem(at: file, to: elsewhere)
      try files.removeItem(at: folder.store)
      try files.createSymbolicLink(at: folder.store, withDestinationURL: elsewhere)
    }
  }

  private func expectMoved(_ body: () throws -> Void) throws {
    let error = #expect(throws: PersistentStoreError.self, performing: body)
    guard case .moved(folder.store) = error else { throw try #require(error) }
  }

  @Test(arguments: [true, false])
  func `a store replaced while it is opened and read is found or missing`(
    isReadOnly: Bool
  ) throws {
    let (folder, file) = (folder, file)
    let bytes = try Data(contentsOf: file)
    let isEnough = Lock()
    nonisolated(unsafe) var isDone = false
    let moving = Thread {
      var number = 0
      while !isEnough.withLock({ isDone }) {
        number += 1
        // Kept, so that no new file is mistaken for it.
        rename(file.path, folder.url.appending(path: "old\(number)").path)
        usleep(5_000)
        try? bytes.write(to: folder.url.appending(path: "new"))
        rename(folder.url.appending(path: "new").path, file.path)
        usleep(30_000)
      }
    }
    moving.start()
    let deadline = ContinuousClock.now + .seconds(20)
    var counts = (found: 0, missing: 0, moved: 0)
    while ContinuousClock.now < deadline, counts.found < 20 || counts.missing < 3 {
      do {
        let container = try folder.open {
          $0.createsFile = false
          $0.isReadOnly = isReadOnly
        }
        counts.found += 1
        let context = container.newBackgroundContext()
        for _ in 0..<3 { #expect(try context.count(for: FetchRequest<Dog>()) == 1) }
      } catch PersistentStoreError.fileNotFound(folder.store) {
        counts.missing += 1
      } catch PersistentStoreError.moved(folder.store) {
        counts.moved += 1
      }
    }
    isEnough.withLock { isDone = true }
    while !moving.isFinished { usleep(1_000) }
    #expect(counts.found > 0 && counts.missing > 0, "\(counts)")
  }

  @Test(arguments: Fate.allCases)
  func `nothing is saved into them`(fate: Fate) throws {
    let container = try folder.open()
    let coordinator = container.persistentStoreCoordinator
    let context = container.newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    #expect(!coordinator.isMoved(container.persistentStore))
    try meet(fate)
    let before = try folder.allBytes()
    #expect(coordinator.isMoved(container.persistentStore))
    fido.addToWalks(Walk(minutes: 2, in: context))
    try expectMoved { try context.save() }
    #expect(context.hasChanges)
    try expectMoved {
      try coordinator.setMetadata(.string("x"), forKey: "x", of: container.persistentStore)
    }
    let found = try folder.allBytes().filter { !$0.key.hasSuffix("-shm") }
    #expect(found == before.filter { !$0.key.hasSuffix("-shm") })
  }

  @Test(arguments: Fate.allCases, [true, false])
  func `are not read as if nothing had happened`(fate: Fate, isReadOnly: Bool) throws {
    let container = try folder.open { $0.isReadOnly = isReadOnly }
    let coordinator = container.persistentStoreCoordinator
    let context = container.newBackgroundContext()
    #expect(try context.count(for: Walk.fetchRequest()) == 1)
    try meet(fate)
    try expectMoved { _ = try context.fetch(Walk.fetchRequest()) }
    try expectMoved { _ = try context.count(for: Walk.fetchRequest()) }
    try expectMoved { _ = try context.performReading { 1 } }
    try expectMoved { _ = try coordinator.changeCount(of: container.persistentStore) }
    try expectMoved { _ = try coordinator.metadata(for: container.persistentStore) }
  }

  @Test func `a save that began before is refused`() throws {
    let container = try folder.open()
    let context = container.newBackgroundContext()
    try expectMoved {
      try context.performWriting {
        let fido = try Dog.findOrCreate(named: "Fido", in: context)
        fido.addToWalks(Walk(minutes: 2, in: context))
        try meet(.movedAway)
        try context.save()
      }
    }
  }

  @Test func `are saved into again once they are back`() throws {
    do {
      let context = try folder.open().newBackgroundContext()
      let fido = try Dog.findOrCreate(named: "Fido", in: context)
      try meet(.movedAway)
      fido.addToWalks(Walk(minutes: 2, in: context))
      try expectMoved { try context.save() }
      let elsewhere = folder.url.appending(path: "elsewhere.sqlite")
      try FileManager.default.moveItem(at: elsewhere, to: file)
      try context.save()
    }
    #expect(try folder.contents() == ["Fido": [1, 2]])
  }

  @Test func `closing them does not touch the files at their URL`() throws {
    let other = try StoreFolder()
    do {
      let container = try folder.open()
      let context = container.newBackgroundContext()
      _ = try Dog.findOrCreate(named: "Rex", in: context)
      try context.save()
      try meet(.movedAway)
      // A store of another program's, with its log.
      try other.leaveLog("Bella", minutes: [7])
      for suffix in ["", "-wal"] {
        #expect(rename(other.store.path + suffix, file.path + suffix) == 0)
      }
    }
    #expect(try folder.contents() == ["Bella": [7]])
  }
}

import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// The undo log that a store keeps across processes.
@Suite struct UndoLogTests {
  /// A stack on a store that keeps an undo log, as a process of its own would have it.
  private func open(_ folder: StoreFolder, limit: Int = 1_000) throws -> UndoStack {
    UndoStack(try folder.open { $0.undoLogLimit = limit })
  }

  // MARK: One command

  @Test func `a new walk is removed, and restored under the same number`() throws {
    let folder = try StoreFolder()
    try open(folder).save("add Fido 35m") { _ = try $0.walk("Fido", minutes: 35) }
    let done = try StoreState(of: folder.store)
    let undone = try #require(try open(folder).log.undo())
    #expect(undone.name == "add Fido 35m")
    #expect(try folder.contents() == [:])
    let redone = try #require(try open(folder).log.redo())
    #expect(redone.name == "add Fido 35m")
    #expect(try StoreState(of: folder.store) == done)
  }

  @Test func `a deleted dog is restored with its walks, values and their order`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [5, 6, 7])
    try folder.save("Rex", minutes: [8])
    let before = try StoreState(of: folder.store)
    let counts = try lockCounts(folder)
    try open(folder).save("dogs delete Fido") { stack in
      stack.context.delete(try stack.dog("Fido"))
    }
    #expect(try folder.contents() == ["Rex": [8]])
    try open(folder).log.undo()
    let after = try StoreState(of: folder.store)
    #expect(after == before, "\(after.difference(from: before))")
    #expect(try folder.contents() == ["Fido": [5, 6, 7], "Rex": [8]])
    for (key, count) in try lockCounts(folder) {
      #expect(count >= counts[key] ?? 0, "lock counts only grow: \(key)")
    }
  }

  private func lockCounts(_ folder: StoreFolder) throws -> [String: Int] {
    let rows = try SQLiteFile(folder.store).rows("SELECT Z_PK, Z_OPT FROM ZWALK")
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], Int($0[1]) ?? 0) })
  }

  @Test func `a changed value and a changed order are restored`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [5, 6, 7])
    let before = try StoreState(of: folder.store)
    try open(folder).save("edit") { stack in
      let fido = try stack.dog("Fido")
      fido.walks[0].note = "rain"
      fido.walks[1].duration = nil
      var walks = fido.walks
      walks.move(fromOffset: 2, toOffset: 0)
      fido.walks = walks
    }
    let changed = try StoreState(of: folder.store)
    #expect(changed != before)
    try open(folder).log.undo()
    #expect(try StoreState(of: folder.store) == before)
    try open(folder).log.redo()
    #expect(try StoreState(of: folder.store) == changed)
  }

  @Test func `linked objects are reported as updated, also after an undo`() throws {
    let folder = try StoreFolder()
    let stack = try open(folder)
    try stack.save("add") { _ = try $0.walk("Fido", minutes: 35) }
    try stack.save("tag") { stack in
      let walk = try #require(try stack.context.fetch(Walk.fetchRequest()).first)
      let tag = Tag(context: stack.context)
      (tag.name, tag.nameKey) = ("park", "park")
      walk.tags = [tag]
    }
    func changed() throws -> [String] {
      let command = try #require(try stack.log.commands().first)
      return command.updated.map { "\($0.entity.name) \($0.primaryKey ?? 0)" }
    }
    #expect(try changed() == ["Walk 1"])
    try stack.log.undo()
    #expect(try changed() == ["Walk 1"])
    try stack.log.redo()
    #expect(try changed() == ["Walk 1"])
  }

  @Test func `metadata are restored`() throws {
    let folder = try StoreFolder()
    let stack = try open(folder)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = stack.container.persistentStore
    for name in ["fido", "rex"] {
      stack.log.begin("use \(name)")
      try coordinator.setMetadata(.string(name), forKey: "dog", of: store)
    }
    try stack.log.undo()
    #expect(try coordinator.metadata(for: store)["dog"] == .string("fido"))
    try stack.log.undo()
    #expect(try coordinator.metadata(for: store)["dog"] == nil)
    try stack.log.redo()
    try stack.log.redo()
    #expect(try coordinator.metadata(for: store)["dog"] == .string("rex"))
  }

  @Test func `a key is not reused after an undo`() throws {
    let folder = try StoreFolder()
    try open(folder).save("one") { _ = try $0.walk("Fido", minutes: 1) }
    try open(folder).log.undo()
    try open(folder).save("two") { _ = try $0.walk("Fido", minutes: 2) }
    #expect(try SQLiteFile(folder.store).column("SELECT Z_PK FROM ZWALK") == ["2"])
  }

  // MARK: Several commands

  @Test func `saves under one name form one command`() throws {
    let folder = try StoreFolder()
    let stack = try open(folder)
    stack.log.begin("two walks")
    for minutes in [1, 2] {
      _ = try stack.walk("Fido", minutes: minutes)
      try stack.context.save()
    }
    let command = try #require(try stack.log.commands().first)
    #expect(try stack.log.commands().count == 1)
    #expect(command.inserted.map(\.entity.name) == ["Dog", "Walk", "Walk"])
    try stack.log.undo()
    #expect(try folder.contents() == [:])
    try stack.log.redo()
    #expect(try folder.contents() == ["Fido": [1, 2]])
  }

  @Test func `a new command ends redoing`() throws {
    let folder = try StoreFolder()
    let stack = try open(folder)
    for minutes in 1...3 {
      try stack.save("walk \(minutes)") { _ = try $0.walk("Fido", minutes: minutes) }
    }
    try open(folder).log.undo()
    try open(folder).log.undo()
    #expect(try open(folder).log.nextToRedo()?.name == "walk 2")
    try open(folder).save("walk 4") { _ = try $0.walk("Fido", minutes: 4) }
    #expect(try open(folder).log.redo() == nil)
    #expect(try open(folder).log.commands().map(\.name) == ["walk 4", "walk 1"])
    #expect(try folder.contents() == ["Fido": [1, 4]])
  }

  @Test func `an empty or failed save is no command`() throws {
    let folder = try StoreFolder()
    let stack = try open(folder)
    try stack.save("one") { _ = try $0.walk("Fido", minutes: 1) }
    stack.log.begin("nothing")
    let walk = try #require(try stack.context.fetch(Walk.fetchRequest()).first)
    walk.duration = walk.duration
    try stack.context.save()
    _ = Walk(context: stack.context)
    #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(try stack.log.commands().map(\.name) == ["one"])
  }

  @Test func `the last commands are kept, and older ones deleted`() throws {
    let folder = try StoreFolder()
    let stack = try open(folder, limit: 100)
    for minutes in 1...400 {
      try stack.save("walk \(minutes)") { _ = try $0.walk("Fido", minutes: minutes) }
    }
    let names = try stack.log.commands().map(\.name)
    #expect((100..<200).contains(names.count))
    #expect(names.first == "walk 400")
    while try open(folder).log.undo() != nil {}
    #expect(try folder.contents()["Fido"]?.count == 400 - names.count)
  }

  @Test func `many objects inserted at once take a few bytes`() throws {
    let folder = try StoreFolder()
    try open(folder).save("import") { stack in
      let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
      for minutes in 1...2_000 { dog.addToWalks(Walk(minutes: minutes, in: stack.context)) }
    }
    #expect(try SQLiteFile(folder.store).number("SELECT length(CHANGES) FROM MO_UNDO") < 100)
    try open(folder).log.undo()
    #expect(try folder.contents() == [:])
    try open(folder).log.redo()
    #expect(try folder.contents() == ["Fido": Array(1...2_000)])
  }

  @Test func `without the option there is no log`() throws {
    let stack = try Stack()
    try stack.dog("Fido", minutes: [1])
    let coordinator = stack.container.persistentStoreCoordinator
    #expect(coordinator.undoLog(of: stack.container.persistentStore) == nil)
    #expect(try stack.sqlite("SELECT name FROM sqlite_schema WHERE name LIKE 'MO%'") == nil)
  }

  // MARK: Others' changes

  @Test func `a row that changed since is not overwritten`() throws {
    let folder = try StoreFolder()
    try open(folder).save("add") { _ = try $0.walk("Fido", minutes: 1) }
    try open(folder).save("edit") { try $0.dog("Fido").walks[0].note = "rain" }
    let other = try folder.open().newBackgroundContext()
    try #require(try other.fetch(Walk.fetchRequest()).first).note = "sun"
    try other.save()
    let before = try StoreState(of: folder.store)
    #expect(throws: StoreUndoError.self) { try open(folder).log.undo() }
    #expect(try StoreState(of: folder.store) == before)
    #expect(try open(folder).log.nextToUndo()?.name == "edit")
  }

  @Test func `a row that was deleted since is reported as deleted`() throws {
    let folder = try StoreFolder()
    try open(folder).save("add") { _ = try $0.walk("Fido", minutes: 1) }
    try open(folder).save("edit") { try $0.dog("Fido").walks[0].note = "rain" }
    let other = try folder.open().newBackgroundContext()
    let walk = try #require(try other.fetch(Walk.fetchRequest()).first)
    let key = walk.objectID.primaryKey
    other.delete(walk)
    try other.save()
    do {
      try open(folder).log.undo()
      Issue.record("it was undone")
    } catch StoreUndoError.deletedSince(let id) {
      #expect(id.primaryKey == key && id.entity.name == "Walk")
    }
  }

  @Test func `a change between two commands is kept though the later one was undone`() throws {
    let folder = try StoreFolder()
    try open(folder).save("add") { _ = try $0.walk("Fido", minutes: 1) }
    let other = try folder.open().newBackgroundContext()
    try #require(try other.fetch(Walk.fetchRequest()).first).note = "sun"
    try other.save()
    try open(folder).save("edit") { try $0.dog("Fido").walks[0].note = "rain" }
    try open(folder).log.undo()
    #expect(try SQLiteFile(folder.store).value("SELECT ZNOTE FROM ZWALK") == "sun")
    #expect(throws: StoreUndoError.self) { try open(folder).log.undo() }
    #expect(try SQLiteFile(folder.store).value("SELECT ZNOTE FROM ZWALK") == "sun")
  }

  @Test func `a dog that was given walks since is not removed`() throws {
    let folder = try StoreFolder()
    try open(folder).save("add") { _ = try $0.walk("Fido", minutes: 1) }
    try folder.save("Fido", minutes: [2])
    #expect(throws: StoreUndoError.self) { try open(folder).log.undo() }
    #expect(try folder.contents() == ["Fido": [1, 2]])
  }

  @Test func `a walk whose dog is gone is not restored`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [1])
    try open(folder).save("delete") { stack in
      stack.context.delete(try stack.dog("Fido").walks[0])
    }
    // Another program, which keeps no log, deletes the dog.
    try SQLiteFile(folder.store).execute("DELETE FROM ZDOG")
    #expect(throws: StoreUndoError.self) { try open(folder).log.undo() }
    #expect(try SQLiteFile(folder.store).value("SELECT count(*) FROM ZWALK") == "0")
  }

  @Test func `walks whose order keys were taken since are restored at the end of the list`()
    throws
  {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [1, 2, 3])
    try open(folder).save("delete") { stack in
      for walk in try stack.dog("Fido").walks.dropFirst() { stack.context.delete(walk) }
    }
    // Another program, which keeps no log, appends with the same order keys.
    try folder.save("Fido", minutes: [4, 5])
    try open(folder).log.undo()
    #expect(try folder.contents() == ["Fido": [1, 4, 5, 2, 3]])
    try open(folder).log.redo()
    #expect(try folder.contents() == ["Fido": [1, 4, 5]])
    try open(folder).log.undo()
    #expect(try folder.contents() == ["Fido": [1, 4, 5, 2, 3]])
  }

  @Test func `a walk returns to a dog that was given another one since, and leaves it again`()
    throws
  {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [1, 2])
    try folder.save("Rex", minutes: [3])
    try open(folder).save("edit") { stack in
      try stack.dog("Fido").walks[1].dog = try stack.dog("Rex")
    }
    try folder.save("Fido", minutes: [4])
    try open(folder).log.undo()
    #expect(try folder.contents() == ["Fido": [1, 4, 2], "Rex": [3]])
    try folder.save("Rex", minutes: [5])
    try open(folder).log.redo()
    #expect(try folder.contents() == ["Fido": [1, 4], "Rex": [3, 5, 2]])
  }

  @Test func `a command that is no longer the last one is left alone`() throws {
    let folder = try StoreFolder()
    try open(folder).save("one") { _ = try $0.walk("Fido", minutes: 1) }
    let stack = try open(folder)
    let seen = try #require(try stack.log.nextToUndo())
    try open(folder).save("two") { _ = try $0.walk("Fido", minutes: 2) }
    #expect(throws: StoreUndoError.superseded) { try stack.log.undo(seen) }
    #expect(try folder.contents() == ["Fido": [1, 2]])
  }

  @Test func `damaged entries are an error, never a wrong change`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [1, 2, 3])
    try open(folder).save("delete") { stack in
      stack.context.delete(try stack.dog("Fido"))
    }
    let file = try SQLiteFile(folder.store)
    let whole = try file.value("SELECT hex(CHANGES) FROM MO_UNDO")
    let before = try StoreState(of: folder.store)
    for length in stride(from: 0, to: whole.count - 2, by: 2) {
      try file.execute("UPDATE MO_UNDO SET CHANGES = x'\(whole.prefix(length))'")
      // Cut after a whole change it is a shorter command, all of whose changes can be reverted.
      do {
        guard try open(folder).log.undo() != nil else { continue }
        try open(folder).log.redo()
      } catch is StoreUndoError {
      } catch is PersistentStoreError {
      }
      let after = try StoreState(of: folder.store)
      #expect(after == before, "cut at \(length / 2): \(after.difference(from: before))")
      try file.execute("UPDATE MO_UNDO SET UNDONE = 0")
    }
  }

  // MARK: Other models

  @Test func `large values in files are restored`() throws {
    let folder = try StoreFolder()
    let container = try folder.open(ExternalDataTests.model) { $0.undoLogLimit = 10 }
    let log = try #require(
      container.persistentStoreCoordinator.undoLog(of: container.persistentStore))
    let place = PropertySlot(-1, "image")
    let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    let context = container.newBackgroundContext()
    let photo = ManagedObject("Photo", in: context)
    photo.setOptionalValue(large, at: place)
    try context.save()
    let id = photo.objectID
    func image() throws -> Data? {
      let context = container.newBackgroundContext()
      return try context.existingObject(with: id).optionalValue(at: place)
    }
    photo.setOptionalValue(Data("small".utf8), at: place)
    try context.save()
    context.delete(photo)
    try context.save()
    try log.undo()
    #expect(try image() == Data("small".utf8))
    try log.undo()
    #expect(try image() == large)
    try log.redo()
    #expect(try image() == Data("small".utf8))
    let files = folder.url.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).isEmpty)
  }
}

/// A stack on a store that keeps an undo log.
struct UndoStack {
  let container: PersistentContainer
  let context: ManagedObjectContext
  let log: StoreUndoLog

  init(_ container: PersistentContainer) {
    self.container = container
    context = container.newBackgroundContext()
    // The store was opened with one.
    log = container.persistentStoreCoordinator.undoLog(of: container.persistentStore)!
  }

  /// Does some work as one command.
  func save(_ name: String, _ work: (UndoStack) throws -> Void) throws {
    log.begin(name)
    try work(self)
    try context.save()
  }

  func dog(_ name: String) throws -> Dog { try Dog.findOrCreate(named: name, in: context) }

  func walk(_ name: String, minutes: Int) throws -> Walk {
    let walk = Walk(minutes: minutes, in: context)
    try dog(name).addToWalks(walk)
    return walk
  }
}

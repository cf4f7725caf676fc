import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// The undo log of a store on a server: the same log as in a file, with the engine's own
/// statements.
@Suite(.enabled(if: Stack.server != nil, "needs Scripts/with-postgres"))
struct ServerUndoLogTests {
  /// The test's own store, and its content.
  private struct Place {
    let url: URL

    init() throws {
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      url = try #require(PersistentStore.StoreType.postgreSQL.place(file))
    }

    /// A stack as a process of its own would have it.
    func open(undoLogLimit: Int = 1_000) throws -> UndoStack {
      var options = PersistentStoreOptions()
      options.undoLogLimit = undoLogLimit
      return UndoStack(
        try PersistentContainer(
          name: "Test", model: .dogWalk, storeURL: url, type: .postgreSQL, options: options))
    }

    /// Every dog and its walks, in order.
    func state() throws -> [String] {
      let context = try open().context
      let dogs = try context.fetch(Dog.fetchRequest())
      let lines = try dogs.map { dog in
        let key = try #require(dog.objectID.primaryKey)
        let walks = dog.walks.map { walk in
          "\(walk.objectID.primaryKey ?? 0) \(walk.duration ?? -1) \(walk.note ?? "-") "
            + "\(walk.distance ?? -1) \(walk.uuid?.uuidString ?? "-")"
        }
        return "\(key) \(dog.name) \(dog.targetMinutes ?? -1) \(walks)"
      }
      return lines.sorted()
    }
  }

  @Test func `commands, undo and redo in any order agree with a list of states`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let place = try Place()
    var states = [try place.state()]
    var index = 0
    for step in 1...300 {
      let stack = try place.open()
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        let command = try stack.log.undo()
        #expect((command != nil) == (index > 0), "step \(step), seed \(seed)")
        if command != nil { index -= 1 }
      case 3..<5:
        let command = try stack.log.redo()
        #expect((command != nil) == (index < states.count - 1), "step \(step), seed \(seed)")
        if command != nil { index += 1 }
      default:
        try RandomUndoLogTests.command("step \(step)", on: stack, step, &random)
        if try stack.log.nextToUndo()?.name == "step \(step)" {
          states = states.prefix(index + 1) + [try place.state()]
          index += 1
        }
      }
      try #require(try place.state() == states[index], "step \(step), seed \(seed)")
    }
    #expect(states.count > 20, "most commands must change something: seed \(seed)")
  }

  @Test func `rows changed by others are left alone, and can be passed over`() throws {
    let place = try Place()
    let stack = try place.open()
    try stack.save("add Fido 35m") { _ = try $0.walk("Fido", minutes: 35) }
    try stack.save("add Rex 20m") { _ = try $0.walk("Rex", minutes: 20) }
    let other = try place.open()
    other.log.begin("edit")
    try #require(try other.dog("Rex").walks.first).note = "rain"
    try other.context.save()
    let edit = try #require(try stack.log.nextToUndo())
    #expect(edit.name == "edit")
    // Without a log, as a program has it that is unaware of it.
    let id = try #require(try other.dog("Rex").walks.first).objectID
    let bare = try PersistentContainer(
      name: "Test", model: .dogWalk, storeURL: place.url, type: .postgreSQL)
    let context = bare.newBackgroundContext()
    try #require(try context.existingObject(with: id) as? Walk).note = "snow"
    try context.save()
    #expect(throws: StoreUndoError.changedSince(id)) { try stack.log.undo() }
    let (command, blocked) = try stack.log.nextRevertible()
    #expect(blocked.map(\.command.name) == ["edit", "add Rex 20m"])
    #expect(command?.name == "add Fido 35m")
    try stack.log.undo(command, skipping: blocked.map(\.command))
    #expect(try place.state().count == 1)
    #expect(try stack.log.nextToUndo() == nil)
  }

  @Test func `names exchanged in a circle are restored`() throws {
    let place = try Place()
    let stack = try place.open()
    try stack.save("add") { stack in
      for name in ["Fido", "Rex", "Ash"] { _ = try stack.dog(name) }
    }
    let before = try place.state()
    try stack.save("rename") { stack in
      let dogs = try ["Fido", "Rex", "Ash"].map { try stack.dog($0) }
      for (dog, name) in zip(dogs, ["Rex", "Ash", "Fido"]) { dog.name = name }
    }
    let after = try place.state()
    #expect(after != before)
    try stack.log.undo()
    #expect(try place.state() == before)
    try stack.log.redo()
    #expect(try place.state() == after)
  }

  @Test func `metadata and forgotten commands`() throws {
    let place = try Place()
    let stack = try place.open()
    let (coordinator, store) = (
      stack.container.persistentStoreCoordinator, stack.container.persistentStore
    )
    stack.log.begin("use Fido")
    try coordinator.setMetadata(.integer(7), forKey: "Current", of: store)
    try stack.log.undo()
    #expect(try coordinator.metadata(for: store)["Current"] == nil)
    try stack.log.redo()
    #expect(try coordinator.metadata(for: store)["Current"] == .integer(7))
    try stack.log.forget()
    #expect(try stack.log.commands().isEmpty)
    #expect(try stack.log.undo() == nil)
    #expect(try coordinator.metadata(for: store)["Current"] == .integer(7))
  }
}

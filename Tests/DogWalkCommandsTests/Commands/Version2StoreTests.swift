import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

@testable import DogWalkCommands

/// A store of version 2, which had the walker's name in each walk.
@Suite(.serialized) struct `A store of version 2` {
  private let prompt: Prompt
  private let store: URL

  /// Walks 1 to 6, of which the third is gone; Ana walked in two spellings.
  init() throws {
    prompt = try Prompt()
    store = prompt.file("walks.sqlite")
    try Self.make(at: store)
  }

  /// Makes the store.
  static func make(at store: URL) throws {
    let model = try #require(ManagedObjectModel.dogWalkVersions["DogWalk 2"])
    var options = PersistentStoreOptions()
    options.undoLogLimit = 10
    let container = try PersistentContainer(
      name: "Version 2", model: model, storeURL: store, options: options)
    let context = container.newBackgroundContext()
    func dog(_ name: String) -> ManagedObject {
      let dog = EntityDescription.insertNewObject(forEntityName: "Dog", into: context)
      dog.setValuesForKeys(["name": name, "nameKey": name.lowercased()])
      return dog
    }
    let dogs = [dog("Fido"), dog("Rex")]
    dogs[0].setValue(60, forKey: "targetMinutes")
    var walks: [ManagedObject] = []
    for (index, walker) in ["Ana", nil, "Bo", "ANA", "", "Bo"].enumerated() {
      let walk = EntityDescription.insertNewObject(forEntityName: "Walk", into: context)
      walk.setValuesForKeys([
        "date": Date(timeIntervalSinceReferenceDate: Double(index) * 86_400),
        "duration": 600.0, "utcOffset": 3600, "isOngoing": index == 5, "uuid": UUID(),
        "note": "walk \(index + 1)", "peeCount": index,
      ])
      walk.setValue(walker, forKey: "walker")
      walk.setValue(dogs[index % 2], forKey: "dog")
      walks.append(walk)
    }
    try context.save()
    context.delete(walks[2])
    try context.save()
  }

  @Test func `is read without being changed, and reads the same after its migration`() throws {
    let before = try Data(contentsOf: store)
    func answers() -> [Prompt.Answer] {
      let commands = [
        "list", "export", "dogs", "report --month=2001-01", "export --format=csv", "list --by=ana",
      ]
      return commands.map { prompt.run($0.split(separator: " ").map(String.init)) }
    }
    let read = answers()
    #expect(read.allSatisfy { $0.code == 0 }, "\(read)")
    #expect(try Data(contentsOf: store) == before)
    #expect(read[5].output.split(separator: "\n").count == 2)
    #expect(!read[1].output.contains("ANA"))
    // An object that was in a copy of the store is one dog in both.
    #expect(read[1].output.matches(of: /"dog_uuid": "[-0-9A-F]{36}"/).count == 5)
    let added = prompt.run("add", "Fido", "5m", "8:00", "--by", "ana")
    #expect(
      added.errors
        == "Upgraded the store to version 3: the program that made it can no longer open it. "
        + "Earlier commands can no longer be undone. A copy of the old one is at "
        + "\(prompt.file("walks-version-2.sqlite").path).\n")
    // Numbers are kept, and none is reused.
    #expect(added.output.hasPrefix("Added walk 7: "))
    #expect(prompt.run("undo").code == 0)
    let again = answers()
    #expect(again.map(\.output) == read.map(\.output))
    #expect(again.map(\.errors) == read.map(\.errors))
    #expect(prompt.run("doctor").output.contains("Integrity  OK"))
    try prompt.sql("SELECT 1 / (count(*) = 2) FROM ZWALKER")
  }

  @Test func `is migrated once by many commands at once, and no walk is lost`() throws {
    let answers = try (1...12).map {
      try ProgramProcess(["add", "--dog", "Rex", "\($0)m", "6:00", "--by", "Ana"], in: prompt)
    }.map { $0.answer() }
    #expect(answers.allSatisfy { $0.code == 0 }, "\(answers)")
    #expect(answers.filter { $0.errors.contains("Upgraded the store") }.count == 1)
    #expect(prompt.run("list", "--by", "Ana").output.split(separator: "\n").count == 14)
    #expect(prompt.run("doctor").code == 0)
  }

  @Test func `has its copy under another name where one was taken while a command waited`() throws {
    let model = try #require(ManagedObjectModel.dogWalkVersions["DogWalk 2"])
    let container = try PersistentContainer(
      name: "Version 2", model: model, storeURL: store, options: PersistentStoreOptions())
    let taken = prompt.file("walks-version-2.sqlite")
    let adding = try container.newBackgroundContext().performWriting {
      let adding = try ProgramProcess(["add", "Fido", "5m", "6:00"], in: prompt)
      // It has chosen the name by then, and waits until it may write.
      Thread.sleep(forTimeInterval: 1)
      try Data("somebody's".utf8).write(to: taken)
      return adding
    }
    let answer = adding.answer()
    #expect(answer.code == 0, "\(answer)")
    #expect(answer.errors.contains("walks-version-2-2.sqlite"), "\(answer)")
    #expect(try Data(contentsOf: taken) == Data("somebody's".utf8))
  }

  @Test(.enabled(if: Stranger.isPossible, "running as another user needs privileges"))
  func `is readable without write permission, which a change reports as missing`() throws {
    try expectOnlyRead(byStrangersIn: prompt, store)
  }

  @Test func `is intact whenever the command that migrates it is killed`() throws {
    try expectWhole(afterKillsIn: prompt, store, walks: 5)
  }

  @Test(.enabled(if: ProcessInfo.canRunOutOfRoom, "Thread Sanitizer needs room of its own"))
  func `is neither read nor changed without disk space for it, which is reported`() throws {
    try expectRefused(withoutRoomIn: prompt, store)
  }
}

import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

@testable import DogWalkCommands

/// A store of the tutorial's app, whose model has fewer properties than the current one.
@Suite(.serialized) struct `A store of the tutorial's app` {
  private let prompt: Prompt
  private let store: URL
  private let copy: URL

  /// Fido, whom the app has made twice, a dog without a name, and walks without dog or date.
  init() throws {
    prompt = try Prompt()
    store = prompt.file("walks.sqlite")
    copy = prompt.file("walks-version-1.sqlite")
    let model = try #require(ManagedObjectModel.dogWalkVersions["DogWalk"])
    let context = try PersistentContainer(name: "Tutorial", model: model, storeURL: store)
      .newBackgroundContext()
    func insert(_ entity: String, _ values: [String: Any]) -> ManagedObject {
      let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
      object.setValuesForKeys(values)
      return object
    }
    func walk(_ seconds: Double) -> ManagedObject {
      insert("Walk", ["date": Date(timeIntervalSinceReferenceDate: seconds)])
    }
    let second = walk(86_400)
    _ = insert("Dog", ["name": "Fido", "walks": [walk(2 * 86_400), second]])
    _ = insert("Dog", ["name": "FIDO", "walks": [walk(3 * 86_400)]])
    _ = insert("Dog", ["walks": [walk(4 * 86_400)]])
    _ = walk(5 * 86_400)
    _ = insert("Walk", [:])
    try context.save()
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: prompt.home.path).sorted()
  }

  @Test func `is read without being changed`() throws {
    let before = try Data(contentsOf: store)
    let dogs = prompt.run("dogs", "--json")
    #expect(dogs.code == 0 && dogs.errors.isEmpty)
    #expect(dogs.output.contains("Fido") && !dogs.output.contains("FIDO"))
    let walks = prompt.run("list")
    #expect(walks.code == 0 && walks.errors.isEmpty)
    #expect(walks.output.split(separator: "\n").count == 6)
    #expect(walks.output.contains("When this walk was is not known."))
    #expect(prompt.run("list", "--dog", "Fido").output.split(separator: "\n").count == 3)
    #expect(try Data(contentsOf: store) == before)
    #expect(try names() == ["walks.sqlite"])
  }

  @Test func `is migrated by the first change, which reports it once`() throws {
    let read = prompt.run("list").output
    let added = prompt.run("add", "Fido", "35m", "18:00")
    #expect(added.code == 0)
    #expect(
      added.errors.hasPrefix(
        "Upgraded the store to version 3: the program that made it can no longer open it. "
          + "A copy of the old one is at \(copy.path).\n"))
    #expect(!added.output.contains("Upgraded"))
    let again = prompt.run("add", "Fido", "5m", "8:00")
    #expect(again.code == 0 && !again.errors.contains("Upgraded"))
    #expect(prompt.run("delete", "-q", "-y", "7", "8").code == 0)
    #expect(prompt.run("list").output == read)
    #expect(prompt.run("doctor").output.contains("Integrity  OK"))
    #expect(try names() == ["walks-version-1.sqlite", "walks.sqlite"])
    // The copy has the former content.
    prompt.variables["DOGWALK_STORE"] = copy.path
    #expect(prompt.run("list").output == read)
    #expect(prompt.run("doctor").output.contains("model DogWalk 1"))
  }

  @Test func `is reported by doctor, before and after`() throws {
    let before = prompt.run("doctor")
    #expect(before.code == 0 && before.errors.isEmpty)
    #expect(before.output.contains("Kind       Core Data's SQLite store, model DogWalk 1\n"))
    #expect(before.output.contains("the first change upgrades it to version 3, and keeps a copy\n"))
    #expect(prompt.run("doctor", "--json").output.contains("\"version\": 1, \"copies\": []"))
    #expect(prompt.run("doctor", "--backup", prompt.file("saved").path).code == 0)
    prompt.variables["DOGWALK_STORE"] = prompt.file("saved").path
    #expect(prompt.run("doctor").output.contains("model DogWalk 1"))
    prompt.variables["DOGWALK_STORE"] = store.path
    #expect(prompt.run("dogs", "set", "Fido", "--target", "30m").code == 0)
    let after = prompt.run("doctor")
    #expect(after.output.contains("model DogWalk 3\n"))
    #expect(after.output.contains("Copy       \(copy.path), from before an upgrade\n"))
    #expect(
      prompt.run("doctor", "--json").output.contains(
        "\"version\": 3, \"copies\": [\"\(copy.path)\"]"))
  }

  @Test func `gives its copy an unused name`() throws {
    try Data("mine".utf8).write(to: copy)
    let other = prompt.file("walks-version-1-2.sqlite")
    #expect(prompt.run("add", "Fido", "5m").errors.contains(other.path))
    #expect(try Data(contentsOf: copy) == Data("mine".utf8))
    #expect(FileManager.default.fileExists(atPath: other.path))
  }

  @Test func `is migrated once by many commands at once, and no walk is lost`() throws {
    let answers = try (1...12).map {
      try ProgramProcess(["add", "--dog", "Rex", "\($0)m", "6:00"], in: prompt)
    }.map { $0.answer() }
    #expect(answers.allSatisfy { $0.code == 0 }, "\(answers)")
    #expect(answers.filter { $0.errors.contains("Upgraded the store") }.count == 1)
    #expect(prompt.run("list", "--dog", "Rex").output.split(separator: "\n").count == 12)
    #expect(prompt.run("list").output.split(separator: "\n").count == 18)
    #expect(prompt.run("doctor").code == 0)
    #expect(try names().filter { $0.hasPrefix("walks-version") } == ["walks-version-1.sqlite"])
  }

  @Test(.enabled(if: Stranger.isPossible, "running as another user needs privileges"))
  func `is readable without write permission, which a change reports as missing`() throws {
    try expectOnlyRead(byStrangersIn: prompt, store)
  }

  @Test func `is intact whenever the command that migrates it is killed`() throws {
    try expectWhole(afterKillsIn: prompt, store, walks: 6)
  }

  @Test(.enabled(if: ProcessInfo.canRunOutOfRoom, "Thread Sanitizer needs room of its own"))
  func `is neither read nor changed without disk space for it, which is reported`() throws {
    try expectRefused(withoutRoomIn: prompt, store)
  }
}

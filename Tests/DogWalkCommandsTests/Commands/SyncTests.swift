import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

@testable import DogWalkCommands

@Suite struct `Two synced stores` {
  /// A prompt with three stores to choose from; where there is a server, the third is there.
  private final class Household {
    let prompt: Prompt
    let paths: [String]

    init() throws {
      prompt = try Prompt()
      let third = TestServer.store(for: prompt.home.path) ?? prompt.file("three.sqlite").path
      paths = [prompt.file("one.sqlite").path, prompt.file("two.sqlite").path, third]
    }

    func path(_ index: Int) -> String { paths[index] }

    @discardableResult func run(_ index: Int, _ words: String...) -> Prompt.Answer {
      run(index, words)
    }

    @discardableResult func run(_ index: Int, _ words: [String]) -> Prompt.Answer {
      prompt.run(["--store", path(index)] + words)
    }

    @discardableResult func sync(_ index: Int, _ other: Int) -> Prompt.Answer {
      run(index, "sync", path(other))
    }

    /// All walks of a store except for their numbers.
    func walks(_ index: Int) throws -> [String: String] {
      let text = run(index, "export", "--format", "json").output
      let json = try #require(
        JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      var walks: [String: String] = [:]
      for var walk in try #require(json["walks"] as? [[String: Any]]) {
        let uuid = try #require(walk["uuid"] as? String)
        walk["id"] = nil
        walk["version"] = nil
        walk["tags"] = (walk["tags"] as? [String])?.sorted()
        let bytes = try JSONSerialization.data(withJSONObject: walk, options: .sortedKeys)
        walks[uuid] = String(decoding: bytes, as: UTF8.self)
      }
      return walks
    }

    /// All dogs of a store with their targets.
    func dogs(_ index: Int) throws -> [String: Int] {
      let text = run(index, "dogs", "--json").output
      let json = try #require(
        JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      let dogs = try #require(json["dogs"] as? [[String: Any]])
      return Dictionary(
        uniqueKeysWithValues: dogs.map {
          ($0["name"] as? String ?? "", $0["target_minutes"] as? Int ?? 0)
        })
    }

    /// The content of the folder.
    var files: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: prompt.home.path)) ?? []).sorted()
    }
  }

  @Test func `have the same content, and another sync finds nothing to do`() throws {
    let household = try Household()
    household.run(0, "add", "Fido", "35m", "yesterday", "18:00", "--note", "rain", "--tag", "park")
    household.run(1, "add", "Rex", "20m", "yesterday", "8:00", "--by", "Ana", "--pee=2")
    #expect(household.sync(0, 1).code == 0)
    #expect(try household.walks(0) == household.walks(1))
    #expect(try household.walks(0).count == 2)
    let bytes = try Data(contentsOf: household.prompt.file("two.sqlite"))
    #expect(household.sync(0, 1).output.hasPrefix("Nothing to do"))
    // Nor is the other one written.
    #expect(try Data(contentsOf: household.prompt.file("two.sqlite")) == bytes)
    #expect(household.files == ["one.sqlite", "two.sqlite"])
  }

  @Test func `exchange renamed and merged tags`() throws {
    let household = try Household()
    household.run(0, "add", "Fido", "35m", "yesterday", "18:00", "--tag", "prak")
    household.run(0, "add", "Fido", "20m", "yesterday", "8:00", "--tag", "rain")
    household.sync(0, 1)
    household.run(0, "tag", "rename", "prak", "park")
    household.run(0, "tag", "merge", "rain", "park")
    #expect(household.sync(0, 1).code == 0)
    #expect(household.run(1, "tag").output == "+park  2 walks\n")
    household.run(0, "undo")
    #expect(household.sync(0, 1).code == 0)
    #expect(household.run(1, "tag").output == "+park  1 walk\n+rain  1 walk\n")
  }

  @Test func `recognize each other's changes where a sync was cut between the two`() throws {
    struct Cut: Error {}
    let household = try Household()
    household.run(0, "add", "Fido", "35m", "yesterday", "18:00")
    household.run(0, "add", "Fido", "20m", "yesterday", "8:00")
    household.sync(0, 1)
    household.run(0, "edit", "1", "40m")
    household.run(0, "delete", "2")
    household.run(1, "add", "Fido", "10m", "yesterday", "12:00")
    do {
      let file = try OtherFile(URL(filePath: household.path(1)))
      defer { file.close() }
      let log = try WalkLog(at: URL(filePath: household.path(0)), for: .changing)
      let names = SyncNames(log: "one", other: "two", at: Date())
      #expect(throws: Cut.self) {
        _ = try StoreSync.run(log, file.open(toRead: false), with: names) { _ in
          try file.finish()
          throw Cut()
        }
      }
    }
    #expect(try household.walks(0).count == 1)
    // A change made meanwhile is newer than what the other one got.
    household.run(0, "edit", "1", "45m")
    let answer = household.sync(0, 1)
    #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer)")
    #expect(try household.walks(0) == household.walks(1))
    #expect(household.run(1, "list").output.contains("\t45\t"))
    #expect(try household.walks(1).count == 2)
  }

  @Test func `find the newer values in a store copied with cp`() throws {
    let household = try Household()
    household.run(0, "add", "Fido", "35m", "yesterday", "18:00")
    try FileManager.default.copyItem(atPath: household.path(0), toPath: household.path(1))
    let third = household.prompt.file("third.sqlite").path
    try FileManager.default.copyItem(atPath: household.path(0), toPath: third)
    let prompt = household.prompt
    household.sync(0, 1)
    #expect(prompt.run("--store", third, "sync", household.path(1)).code == 0)
    household.run(0, "edit", "1", "50m")
    #expect(household.sync(0, 1).errors.isEmpty)
    #expect(prompt.run("--store", third, "sync", household.path(1)).errors.isEmpty)
    #expect(prompt.run("--store", third, "list").output.contains("\t50\t"))
  }

  @Test(arguments: [0, 1])
  func `accept a dog with a name that another dog had`(side: Int) throws {
    let household = try Household()
    household.run(0, "add", "Max", "35m", "yesterday", "18:00")
    household.sync(0, 1)
    household.run(side, "dogs", "rename", "Max", "Moritz")
    household.run(side, "add", "--dog", "Max", "--new", "10m", "yesterday", "9:00")
    let answer = household.sync(0, 1)
    #expect(answer.code == 0, "\(answer)")
    for index in 0...1 { #expect(try household.dogs(index).keys.sorted() == ["Max", "Moritz"]) }
    #expect(try household.walks(0) == household.walks(1))
  }

  @Test func `report a dog that comes back with a new walk`() throws {
    let household = try Household()
    household.run(0, "add", "Fido", "35m", "yesterday", "18:00")
    household.sync(1, 0)
    household.run(0, "dogs", "delete", "--yes", "Fido")
    household.run(1, "add", "Fido", "10m", "yesterday", "8:00")
    let answer = household.sync(1, 0)
    #expect(answer.output.contains("\nThere: Fido is new.\n"), "\(answer)")
    #expect(try household.dogs(0).keys.sorted() == ["Fido"])
  }

  @Test func `do not suggest a name that another dog has by now`() throws {
    let household = try Household()
    household.run(0, "add", "Rex", "35m", "yesterday", "18:00")
    household.sync(1, 0)
    household.run(0, "dogs", "rename", "Rex", "Rex II")
    household.run(1, "dogs", "rename", "Rex", "Moritz")
    let free = household.sync(1, 0)
    #expect(free.errors.contains("yours was \"Moritz\". To restore yours: dogwalk --store "))
    #expect(free.errors.hasSuffix(" dogs rename 'Rex II' Moritz\n"), "\(free)")
    household.run(0, "dogs", "rename", "Rex II", "Bruno")
    household.run(0, "dogs", "add", "Max")
    household.run(1, "dogs", "rename", "Rex II", "Max")
    let taken = household.sync(1, 0)
    #expect(taken.errors.hasSuffix("\"Bruno\" stays, yours was \"Max\".\n"), "\(taken)")
    #expect(try household.dogs(1).keys.sorted() == ["Bruno", "Max"])
  }

  @Test(arguments: [false, true])
  func `do not restore a walk that was brought again under another number`(isMany: Bool) throws {
    let household = try Household()
    household.prompt.variables["DOGWALK_BY"] = "Ana"
    household.run(0, "add", "Max", "30m", "yesterday", "8:00")
    household.run(0, "add", "--dog", "Bella", "--new", "30m", "yesterday", "9:00")
    household.run(0, "add", "--dog", "Rex", "--new", "30m", "yesterday", "10:00")
    household.sync(1, 0)
    if isMany {
      household.run(0, "dogs", "delete", "Bella", "--yes")
    } else {
      household.run(0, "delete", "2")
    }
    // Whose sync is not undone by what follows.
    household.prompt.variables["DOGWALK_BY"] = "Ben"
    household.run(1, "edit", "2", "Max")
    household.sync(1, 0)
    household.prompt.variables["DOGWALK_BY"] = "Ana"
    let walks = try household.walks(0)
    #expect(walks.count == 3)
    let answer = household.run(0, "undo")
    #expect(answer.code == 1, "\(answer)")
    #expect(answer.errors.contains("walk 4 has been changed since"), "\(answer)")
    #expect(try household.walks(0) == walks)
    #expect(household.run(0, "undo", "--skip").code == 0)
    #expect(try household.walks(0).count == 2)
  }

  @Test func `agree on dogs with one name`() throws {
    // Which dog stays is chance.
    for _ in 0..<6 {
      let household = try Household()
      household.run(0, "add", "Fido", "35m", "yesterday", "18:00")
      household.sync(0, 1)
      household.run(2, "add", "fido", "15m", "yesterday", "7:00")
      household.sync(2, 1)
      household.run(0, "dogs", "set", "Fido", "--target", "60m")
      let answer = household.sync(0, 1)
      #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer)")
      #expect(household.sync(2, 1).errors.isEmpty)
      #expect(try household.dogs(2) == ["Fido": 60])
      #expect(try household.walks(2) == household.walks(0))
    }
  }

  @Test func `need --yes where the other one is of an older version`() throws {
    let household = try Household()
    household.run(0, "add", "Fido", "35m", "yesterday", "18:00")
    let model = try #require(ManagedObjectModel.dogWalkVersions["DogWalk"])
    do {
      let context = try PersistentContainer(
        name: "Tutorial", model: model, storeURL: household.prompt.file("two.sqlite")
      ).newBackgroundContext()
      let dog = EntityDescription.insertNewObject(forEntityName: "Dog", into: context)
      dog.setValue("Rex", forKey: "name")
      let walk = EntityDescription.insertNewObject(forEntityName: "Walk", into: context)
      walk.setValue(Date(timeIntervalSinceReferenceDate: 86_400), forKey: "date")
      walk.setValue(dog, forKey: "dog")
      try context.save()
    }
    let bytes = try Data(contentsOf: household.prompt.file("two.sqlite"))
    #expect(household.sync(0, 1).code == 64)
    #expect(try Data(contentsOf: household.prompt.file("two.sqlite")) == bytes)
    let answer = household.run(0, "sync", "--yes", household.path(1))
    #expect(answer.code == 0, "\(answer)")
    #expect(
      try Data(contentsOf: household.prompt.file("two-version-1.sqlite")) == bytes, "\(answer)")
    #expect(try household.walks(0) == household.walks(1))
  }

  @Test func `are equal at the end of random histories, and lose nothing undeleted`() throws {
    let seed = SeededGenerator.seed()
    let environment = ProcessInfo.processInfo.environment
    let runs = environment["SYNC_RUNS"].flatMap { Int($0) } ?? 12
    for run in 0..<runs { try history(seed &+ UInt64(run)) }
  }

  /// One random history of three stores.
  private func history(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func pick(_ words: [String]) -> String { words.randomElement(using: &generator) ?? "" }
    let household = try Household()
    for index in 0..<3 {
      household.run(
        index, "add", "--dog", pick(["Fido", "fido", "Rex"]), "30m", "--at", "2026-11-19T08:00")
    }
    var seen: Set<String> = []
    var deleted: Set<String> = []
    for _ in 0..<Int.random(in: 3...14, using: &generator) {
      let index = Int.random(in: 0..<3, using: &generator)
      if Int.random(in: 0..<3, using: &generator) == 0 {
        let answer = household.sync(index, (index + Int.random(in: 1...2, using: &generator)) % 3)
        #expect(answer.code == 0, "seed \(seed): \(answer)")
        continue
      }
      let before = Set(try household.walks(index).keys)
      let dog = pick(["Fido", "Rex", "Luna"])
      let walk = String(Int.random(in: 1...6, using: &generator))
      let length = "\(Int.random(in: 5...90, using: &generator))m"
      let words = [
        ["add", "--dog", dog, "--new", length, "--at", "2026-11-20T08:30", "--by", "Ana"],
        ["edit", walk, length], ["edit", walk, "--note", length], ["edit", walk, "--tag", "park"],
        ["tag", "rename", "park", pick(["wood", "Park"])], ["tag", "merge", "wood", "park"],
        ["edit", walk, "--note="], ["delete", walk],
        ["dogs", "rename", dog, pick(["Bella", "Luna", "Fido"])],
        ["dogs", "set", dog, "--target", length],
        ["dogs", "merge", "Rex", "Fido"], ["dogs", "delete", dog, "--yes"], ["undo"], ["redo"],
        ["walkers", "rename", "Ana", "Anna"],
      ].randomElement(using: &generator)
      let answer = household.run(index, words ?? [])
      #expect([0, 1, 64].contains(answer.code), "seed \(seed): \(answer)")
      let after = Set(try household.walks(index).keys)
      seen.formUnion(before.union(after))
      // What the undo of a sync removes is brought again.
      if !answer.output.contains("Undid: sync ") { deleted.formUnion(before.subtracting(after)) }
    }
    for _ in 0..<2 {
      for (one, other) in [(0, 1), (1, 2), (2, 0)].shuffled(using: &generator) {
        #expect(household.sync(one, other).code == 0, "seed \(seed)")
      }
    }
    let walks = try household.walks(0)
    let dogs = try household.dogs(0)
    for index in 1...2 {
      #expect(try household.walks(index) == walks, "seed \(seed)")
      #expect(try household.dogs(index) == dogs, "seed \(seed)")
    }
    #expect(seen.subtracting(walks.keys).subtracting(deleted).isEmpty, "seed \(seed)")
    #expect(household.sync(1, 0).output.hasPrefix("Nothing to do"), "seed \(seed)")
    let files = household.paths.filter { $0.hasPrefix("/") }.map {
      URL(filePath: $0).lastPathComponent
    }
    #expect(household.files == files.sorted(), "seed \(seed)")
  }
}

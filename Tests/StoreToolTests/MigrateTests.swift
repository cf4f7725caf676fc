import DataFormats
import Foundation
import TestSupport
import Testing

@Suite("A store migrated by storetool", .enabled(if: !Fixture.all.isEmpty, "no fixtures"))
struct MigrateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sample() throws -> (store: URL, model: URL) {
    let fixture = try #require(
      Fixture.all.first { $0.store.lastPathComponent == "SampleModel_V1.sqlite" })
    return (try fixture.copy(into: folder), fixture.model)
  }

  /// The number of all objects.
  private func count(of store: URL) throws -> Int {
    try StoreToolProgram.run("inspect", store.path).lines
      .compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(0, +)
  }

  @Test func `keeps its objects, in a new file or in place`() throws {
    let (store, model) = try sample()
    let before = try Data(contentsOf: store)
    let objects = try count(of: store)
    #expect(objects > 0)
    let new = folder.url.appending(path: "New.sqlite")

    let answer = try StoreToolProgram.run(
      "migrate", store.path, "--to", model.path, "--version", "SampleModel2", "--output",
      new.path)
    #expect(answer.exitCode == 0, "\(answer.errors)")
    #expect(
      answer.lines.contains { $0.hasPrefix("entity\tLuxuryCar\ttransform\tExpensiveSportCar") })
    #expect(try Data(contentsOf: store) == before)
    #expect(try count(of: new) == objects)

    let inPlace = try StoreToolProgram.run(
      "migrate", store.path, "--to", model.path, "--version", "SampleModel2", "--in-place")
    #expect(inPlace.exitCode == 0, "\(inPlace.errors)")
    #expect(
      try StoreToolProgram.run("inspect", store.path, "--json").output
        == StoreToolProgram.run("inspect", new.path, "--json").output)
  }

  @Test func `uses the named mapping, unless that needs an app's code`() throws {
    let moody = try #require(
      Fixture.all.first { $0.store.lastPathComponent == "Moody 2.moody" })
    let store = try moody.copy(into: folder)
    let objects = try count(of: store)
    let models = URL.fixtures.appending(path: "moody/Moody.xcdatamodeld").path
    let mappings = URL.fixtures.appending(path: "moody/Moody ")
    func migrate(_ version: Int, _ mapping: String) throws -> Answer {
      try StoreToolProgram.run(
        "migrate", store.path, "--to", models, "--version", "Moody \(version)", "--mapping",
        mapping, "--in-place")
    }
    let before = try Data(contentsOf: store)
    for (mapping, code, reason) in [
      (mappings.path + "3-Moody 4.xcmappingmodel", Int32(65), "is of another version of"),
      (store.path, 65, "is not a mapping model"),
      (folder.url.path + "/none.cdm", 66, "no such file"),
    ] {
      let answer = try migrate(3, mapping)
      #expect(answer.exitCode == code && answer.errors.contains(reason), "\(answer)")
    }
    #expect(try Data(contentsOf: store) == before)
    for version in 3...5 {
      let name = "\(version - 1)-Moody \(version).xcmappingmodel"
      let answer = try migrate(version, mappings.path + name)
      #expect(answer.exitCode == 0, "\(answer)")
    }
    let refused = try migrate(6, mappings.path + "5-Moody 6.xcmappingmodel")
    #expect(refused.exitCode == 69 && refused.errors.contains("Country5ToCountry6Policy"))
    #expect(objects > 0)
  }

  @Test func `passes through versions where mappings lead from one to the next`() throws {
    let moody = try #require(
      Fixture.all.first { $0.store.lastPathComponent == "Moody 2.moody" })
    let store = try moody.copy(into: folder)
    let single = folder.url.appending(path: "Single.moody")
    try FileManager.default.copyItem(at: store, to: single)
    let models = URL.fixtures.appending(path: "moody/Moody.xcdatamodeld").path
    func mapping(_ version: Int) -> [String] {
      let name = "moody/Moody \(version - 1)-Moody \(version).xcmappingmodel"
      return ["--mapping", URL.fixtures.appending(path: name).path]
    }
    for version in 3...5 {
      let answer = try StoreToolProgram.run(
        ["migrate", single.path, "--to", models, "--version", "Moody \(version)", "--in-place"]
          + mapping(version))
      #expect(answer.exitCode == 0, "\(answer)")
    }
    let before = try Data(contentsOf: store)
    let new = folder.url.appending(path: "New.moody")
    let arguments =
      ["migrate", store.path, "--to", models, "--version", "Moody 5"] + mapping(4) + mapping(3)
    let answer = try StoreToolProgram.run(arguments + mapping(5) + ["--output", new.path])
    #expect(answer.exitCode == 0, "\(answer)")
    #expect(
      answer.lines.filter { $0.hasPrefix("from") || $0.hasPrefix("to") }
        == [
          "from\tMoody 2", "to\tMoody 3", "from\tMoody 3", "to\tMoody 4", "from\tMoody 4",
          "to\tMoody 5",
        ])
    #expect(try Data(contentsOf: store) == before)
    #expect(
      try StoreToolProgram.run("inspect", new.path, "--json").output
        == StoreToolProgram.run("inspect", single.path, "--json").output)

    let alien = try StoreToolProgram.run(arguments + mapping(6) + ["--dry-run"])
    #expect(alien.exitCode == 65, "\(alien)")
    #expect(alien.errors.contains("Name a mapping between these two versions"), "\(alien)")
  }

  @Test func `is unchanged after a plan`() throws {
    let (store, model) = try sample()
    let before = try Data(contentsOf: store)
    _ = try StoreToolProgram.run(
      "migrate", store.path, "--to", model.path, "--version", "SampleModel2", "--dry-run")
    #expect(try Data(contentsOf: store) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        == [store.lastPathComponent])
  }

  @Test(.enabled(if: Python.isInstalled, "python3 is missing"))
  func `is left alone while another program writes to it, which is reported`() throws {
    let (store, model) = try sample()
    let before = try Data(contentsOf: store)
    let script = """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1], isolation_level=None)
      store.execute("BEGIN IMMEDIATE")
      print("writing", flush=True)
      sys.stdin.read()
      """
    let other = Process()
    other.executableURL = URL(filePath: "/usr/bin/env")
    other.arguments = ["python3", "-c", script, store.path]
    let (input, output) = (Pipe(), Pipe())
    (other.standardInput, other.standardOutput) = (input, output)
    try other.run()
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    let answer = try StoreToolProgram.run(
      "migrate", store.path, "--to", model.path, "--version", "SampleModel2", "--in-place", "-q")
    try input.fileHandleForWriting.close()
    other.waitUntilExit()
    #expect(answer.exitCode == 75 && answer.text.isEmpty, "\(answer)")
    #expect(answer.errors.contains("another program is using it"))
    #expect(try Data(contentsOf: store) == before)
  }

  @Test func `is migrated into a new file by the named mapping`() throws {
    let moody = try #require(
      Fixture.all.first { $0.store.lastPathComponent == "Moody 2.moody" })
    let store = try moody.copy(into: folder)
    let before = try Data(contentsOf: store)
    let new = folder.url.appending(path: "New.moody")
    let answer = try StoreToolProgram.run(
      "migrate", store.path, "--to", URL.fixtures.appending(path: "moody/Moody.xcdatamodeld").path,
      "--version", "Moody 3", "--mapping",
      URL.fixtures.appending(path: "moody/Moody 2-Moody 3.xcmappingmodel").path, "--output",
      new.path)
    #expect(answer.exitCode == 0, "\(answer)")
    #expect(try Data(contentsOf: store) == before)
    #expect(try count(of: new) == count(of: store))
    // Only the mapping gives continents their moods.
    let json = try StoreToolProgram.run("inspect", new.path, "--json")
    let document = try JSONSerialization.jsonObject(with: json.output) as? [String: Any]
    let entities = try #require(document?["entities"] as? [[String: Any]])
    let continents = try #require(
      entities.first { $0["name"] as? String == "Continent" }?["objects"] as? [[String: Any]])
    let moods = continents.compactMap {
      ($0["relationships"] as? [String: Any])?["moods"] as? [Any]
    }
    #expect(moods.contains { !$0.isEmpty })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        == ["Moody 2.moody", "New.moody"])
  }

  @Test func `is migrated by one of several processes, and the others find it done`() async throws {
    let (store, model) = try sample()
    let objects = try count(of: store)
    try await withThrowingTaskGroup { group in
      for _ in 0..<6 {
        group.addTask {
          try StoreToolProgram.run(
            "migrate", store.path, "--to", model.path, "--version", "SampleModel2",
            "--in-place", "-q")
        }
      }
      for try await answer in group { #expect(answer.exitCode == 0, "\(answer.errors)") }
    }
    #expect(try count(of: store) == objects)
    let diff = try StoreToolProgram.run(
      "diff", store.path, model.path, "--to-version", "SampleModel2")
    #expect(!diff.lines.contains { $0.hasSuffix("moved") })
  }

  @Test func `removes what a killed one has left`() throws {
    let (store, model) = try sample()
    let new = folder.url.appending(path: "New.sqlite")
    let left = try #require(
      AbandonedDrafts.makeFolder(of: folder.url.appending(path: ".New.sqlite").path))
    try Data([1]).write(to: URL(filePath: left.path).appending(path: "New.sqlite"))
    func migrate() throws -> Answer {
      try StoreToolProgram.run(
        "migrate", store.path, "--to", model.path, "--version", "SampleModel2", "-o", new.path)
    }
    #expect(try migrate().exitCode == 0)
    // It is held as long as its process runs.
    #expect(FileManager.default.fileExists(atPath: left.path))
    close(left.descriptor)
    try FileManager.default.removeItem(at: new)
    #expect(try migrate().exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: left.path))
  }
}

import Foundation
import TestSupport
import Testing

@Suite(
  .enabled(
    if: Python.hasTools, "../shared/fixtures, ../shared/tools or python3 is missing"))
struct `An inspected store` {
  @Test(arguments: Fixture.all)
  func `has the content that the reference reader finds`(fixture: Fixture) throws {
    let folder = try TemporaryFolder()
    let store = try fixture.copy(into: folder)
    let version = try version(of: store, fixture.model)

    let answer = try StoreToolProgram.run(
      "inspect", store.path, "--model", fixture.model.path, "--json")
    let reference = try Python.runTool("dump_store.py", [store.path, version.path])

    #expect(answer.exitCode == 0, "\(answer.errors)")
    #expect(reference.exitCode == 0, "\(reference.errors)")
    #expect(try json(answer) == json(reference))
  }

  @Test(arguments: Fixture.stores)
  func `is read with the model that Core Data left in it`(original: URL) throws {
    let folder = try TemporaryFolder()
    let store = try Fixture(store: original, model: original).copy(into: folder)

    let answer = try StoreToolProgram.run("inspect", store.path, "--json")
    let reference = try Python.runTool("dump_store.py", [store.path])

    // Stores from before iOS 9 contain none.
    guard reference.exitCode == 0 else {
      #expect(answer.exitCode == 64)
      return
    }
    #expect(answer.exitCode == 0, "\(answer.errors)")
    #expect(try json(answer) == json(reference))
  }

  @Test(arguments: Fixture.all)
  func `is unchanged, and so is its folder`(fixture: Fixture) throws {
    let folder = try TemporaryFolder()
    let store = try fixture.copy(into: folder)
    let before = try contents(of: folder)

    _ = try StoreToolProgram.run("inspect", store.path, "--model", fixture.model.path, "--json")

    #expect(try contents(of: folder) == before)
  }

  @Test(arguments: Fixture.all)
  func `has as many objects as are listed`(fixture: Fixture) throws {
    let folder = try TemporaryFolder()
    let store = try fixture.copy(into: folder)

    let lines = try StoreToolProgram.run("inspect", store.path, "--model", fixture.model.path)
    let dump = try StoreToolProgram.run(
      "inspect", store.path, "--model", fixture.model.path, "--json")

    let counts = lines.text.split(separator: "\n").map { $0.split(separator: "\t") }
      .filter { $0[0] == "entity" }.map { "\($0[1]) \($0[2])" }
    let document = try #require(try json(dump) as? [String: Any])
    let entities = try #require(document["entities"] as? [[String: Any]])
    let listed = entities.map { entity in
      "\(entity["name"] ?? "") \((entity["objects"] as? [Any])?.count ?? -1)"
    }
    #expect(counts == listed)
  }

  /// The folder of the version that the program names as the store's.
  private func version(of store: URL, _ model: URL) throws -> URL {
    let answer = try StoreToolProgram.run("inspect", store.path, "--model", model.path)
    let line = try #require(answer.text.split(separator: "\n").first, "\(answer.errors)")
    return model.appending(path: "\(line.dropFirst("version\t".count)).xcdatamodel")
  }

  private func json(_ answer: Answer) throws -> NSObject? {
    try JSONSerialization.jsonObject(with: answer.output) as? NSObject
  }

  private func contents(of folder: TemporaryFolder) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: folder.url.appending(path: $0)))
      })
  }
}

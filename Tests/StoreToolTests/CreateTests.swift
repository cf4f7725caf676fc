import Foundation
import TestSupport
import Testing

@Suite(
  .enabled(if: Python.hasTools, "../shared/tools or python3 is missing"))
struct `A created store` {
  @Test(arguments: Fixture.versions)
  func `is laid out as Core Data lays it out`(version: URL) throws {
    let folder = try TemporaryFolder()
    let store = folder.url.appending(path: "New.sqlite").path
    let model = version.deletingLastPathComponent().path
    let name = version.deletingPathExtension().lastPathComponent

    let answer = try StoreToolProgram.run(
      "create", store, "--model", model, "--version", name, "--quiet")
    let check = try Python.runTool("check_store.py", [store, version.path])

    #expect(answer.exitCode == 0, "\(answer.errors)")
    #expect(answer.text.isEmpty)
    #expect(check.text.hasPrefix("0 differences"), "\(check.text)")
    #expect(check.exitCode == 0)
  }

  @Test func `is one file, accessible only to its owner`() throws {
    let folder = try TemporaryFolder()
    let store = folder.url.appending(path: "New.sqlite").path

    _ = try StoreToolProgram.run(
      "create", store, "--model", URL.dogWalkModel.path)

    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["New.sqlite"])
    let mode = try FileManager.default.attributesOfItem(atPath: store)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `never replaces another file`() throws {
    let folder = try TemporaryFolder()
    let store = folder.url.appending(path: "Notes.txt")
    try Data("remember the leash".utf8).write(to: store)

    let answer = try StoreToolProgram.run(
      "create", store.path, "--model", URL.dogWalkModel.path)

    #expect(answer.exitCode == 73)
    #expect(try Data(contentsOf: store) == Data("remember the leash".utf8))
  }
}

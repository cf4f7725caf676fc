import Foundation
import TestSupport
import Testing

@Suite struct `A converted store` {
  /// SQLite would take it for the log or journal of the store, and remove it.
  @Test(arguments: ["xml", "json", "binary", "csv", "sqlite"], ["-journal", "-wal", "-shm"])
  func `does not get the name of a file that belongs to a store`(
    kind: String, suffix: String
  ) throws {
    let folder = try TemporaryFolder()
    let store = folder.url.appending(path: "Dogs.sqlite").path
    let model = URL.dogWalkModel.path
    _ = try StoreToolProgram.run("create", store, "--model", model, "--quiet")

    let answer = try StoreToolProgram.run(
      "convert", store, "--to", kind, "--output", store + suffix, "--model", model)

    #expect(answer.exitCode == 73 && answer.text.isEmpty, "\(answer.errors)")
    #expect(answer.errors.contains("the name belongs to another store"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Dogs.sqlite"])
  }
}

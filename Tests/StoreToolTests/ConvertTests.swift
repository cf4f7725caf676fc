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

  /// SQLite's columns take any number, also one beyond the attribute's type.
  @Test(
    .enabled(if: Python.isInstalled, "python3 is missing"), arguments: ["xml", "json", "binary"])
  func `is not made of values that could not be read again`(kind: String) throws {
    let folder = try TemporaryFolder()
    let store = folder.url.appending(path: "Dogs.sqlite").path
    let model = URL.dogWalkModel.path
    _ = try StoreToolProgram.run("create", store, "--model", model, "--quiet")
    _ = try Python.run(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as store:
        store.execute(
          "INSERT INTO ZWALK (Z_PK, Z_ENT, Z_OPT, ZDATE, ZUTCOFFSET) VALUES (1, 4, 1, 0, 2147483648)")
      """, [store])

    let answer = try StoreToolProgram.run(
      "convert", store, "--to", kind, "--output", store + ".new", "--model", model)

    #expect(answer.exitCode == 65 && answer.text.isEmpty, "\(answer)")
    #expect(answer.errors.contains("a value does not fit into it"), "\(answer.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Dogs.sqlite"])
  }
}

import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

@testable import DogWalkCommands

@Suite struct `A file that is not one of our stores` {
  let prompt: Prompt
  let file: URL

  init() throws {
    prompt = try Prompt()
    file = prompt.file("walks.sqlite")
  }

  /// Tries to read and to write it: both are refused alike, and it is unchanged byte for byte.
  private func expectRefusal(
    _ message: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let contents = try Data(contentsOf: file)
    let expected = "dogwalk: cannot \(message)\n".replacingOccurrences(of: "FILE", with: file.path)
    for answer in [prompt.run("add", "Fido", "5m"), prompt.run("list"), prompt.run("delete", "1")] {
      #expect(
        answer == Prompt.Answer(errors: expected, code: 65), sourceLocation: location)
    }
    #expect(try Data(contentsOf: file) == contents, sourceLocation: location)
  }

  /// Makes a store of another model, closed when this returns.
  private func makeStore(of model: ManagedObjectModel) throws {
    _ = try PersistentContainer(name: "Other", model: model, storeURL: file)
  }

  @Test func `is recognized as a text`() throws {
    try Data("dear diary".utf8).write(to: file)
    try expectRefusal(
      "open the store FILE: it is another kind of file. "
        + "It is unchanged. Name another file with --store PATH.")
  }

  @Test func `is recognized as another program's database`() throws {
    try Data(databaseWithTable: "CREATE TABLE t(a)").write(to: file)
    try expectRefusal(
      "open the store FILE: it is the database of another program, or its metadata are damaged. "
        + "It is unchanged. Name another file with --store PATH.")
  }

  @Test func `is recognized as another app's store`() throws {
    try makeStore(
      of: ManagedObjectModel(entities: [EntityDescription(name: "Book", properties: [])]))
    try expectRefusal(
      "open the store FILE: it is the store of another app. "
        + "It is unchanged. Name another file with --store PATH.")
  }

  @Test func `is recognized as made by a newer version`() throws {
    try makeStore(
      of: ManagedObjectModel(entities: [
        EntityDescription(name: "Dog", properties: []),
        EntityDescription(
          name: "Walk",
          properties: [
            .attribute(AttributeDescription(name: "weather", type: .string, isOptional: true))
          ]),
      ]))
    try expectRefusal(
      "open the store FILE: it was made by a newer version of dogwalk. "
        + "It is unchanged. Install that version, or name another file with --store PATH.")
  }

  @Test func `is reported with its version, where it has one`() throws {
    try makeStore(
      of: ManagedObjectModel(
        entities: ["Dog", "Walk"].map { EntityDescription(name: $0, properties: []) },
        versionIdentifiers: ["7"]))
    try expectRefusal(
      "open the store FILE: it was made by a newer version of dogwalk, as its version 7 says (this one "
        + "knows 3). It is unchanged. Install that version, or name another file with --store PATH."
    )
  }

  @Test func `is recognized as damaged`() throws {
    _ = prompt.run("add", "Fido", "5m")
    // Everything is still in the log; what remains of it is a file of zeros after a good header.
    let log = prompt.file("walks.sqlite-wal")
    try? FileManager.default.removeItem(at: log)
    try? FileManager.default.removeItem(at: prompt.file("walks.sqlite-shm"))
    var contents = try Data(contentsOf: file)
    try #require(contents.count >= 4096)
    contents.replaceSubrange(100..<contents.count, with: Data(count: contents.count - 100))
    try contents.write(to: file)
    try expectRefusal(
      "read the store FILE: it is damaged. It is unchanged. "
        + "Replace it with a good copy, or name another file with --store PATH.")
    // A log that a killed command left beside the file before.
    try Data(count: 40).write(to: log)
    try expectRefusal(
      "read the store FILE: it is damaged. It is unchanged. If it is a copy that was put here, move "
        + "walks.sqlite-wal away, which belongs to the file before, and try again.")
  }
}

extension Data {
  /// A SQLite file with one empty table `t`, after SQLite's "Database File Format".
  fileprivate init(databaseWithTable sql: String) {
    let record = Array("tablett".utf8) + [2] + Array(sql.utf8)
    let header: [UInt8] = [6, 13 + 2 * 5, 13 + 2, 13 + 2, 1, UInt8(13 + 2 * sql.utf8.count)]
    let cell = [UInt8(header.count + record.count), 1] + header + record
    let place = 4096 - cell.count
    // Page size, versions, payload fractions, change counter, two pages.
    self = Data("SQLite format 3\0".utf8)
    self += [0x10, 0x00, 1, 1, 0, 64, 32, 32, 0, 0, 0, 1, 0, 0, 0, 2]
    // The schema's format is 4, texts are UTF-8.
    self += Data(count: 12) + [0, 0, 0, 4] + Data(count: 8) + [0, 0, 0, 1] + Data(count: 40)
    // A leaf with one cell at the end of the page; after it an empty leaf.
    let pointer = [UInt8(place >> 8), UInt8(place & 0xFF)]
    self += [0x0D, 0, 0, 0, 1] + pointer + [0] + pointer
    self += Data(count: place - count) + cell
    self += [0x0D, 0, 0, 0, 0, 0x10, 0x00, 0] + Data(count: 4088)
  }
}

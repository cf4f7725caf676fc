import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

@Suite struct PersistentStoreErrorTests {
  private static let url = URL(filePath: "/walks/DogWalk.sqlite")
  private static let cause = SQLiteError(extendedCode: 10, message: "disk I/O error")

  private static let sentences: [(PersistentStoreError, String)] = [
    (.fileNotFound(url), "There is no file at /walks/DogWalk.sqlite."),
    (.notAFile(url), "/walks/DogWalk.sqlite is not a file."),
    (
      .corrupt(url, cause),
      "/walks/DogWalk.sqlite is damaged or not a SQLite file (disk I/O error)."
    ),
    (.notAStore(url), "/walks/DogWalk.sqlite is a SQLite file, but not a Core Data store."),
    (
      .incompatibleModel(url, storeHashes: [:], versionIdentifiers: []),
      "/walks/DogWalk.sqlite was made with another model."
    ),
    (
      .cannotWrite(url, .cloudKit), "/walks/DogWalk.sqlite cannot be written: it has cloudKit."
    ),
    (.unsupportedModel("Dog.friends has no inverse."), "Dog.friends has no inverse."),
    (.busy(url), "/walks/DogWalk.sqlite is in use."),
    (.full(url), "There is no space left for /walks/DogWalk.sqlite."),
    (.noPermission(url), "/walks/DogWalk.sqlite cannot be read or written: permission denied."),
    (.failed(url, cause), "/walks/DogWalk.sqlite: SQLite error 10: disk I/O error"),
    (
      .uniquenessViolation(entity: "Seat", properties: ["row", "number"]),
      "Another Seat has the same row and number."
    ),
  ]

  @Test func `every error is described by a sentence`() {
    for (error, sentence) in Self.sentences { #expect(error.description == sentence) }
  }

  @Test(arguments: [
    (5, "busy"), (261, "busy"), (6, "busy"), (13, "full"), (8, "noPermission"),
    (3, "noPermission"), (11, "corrupt"), (26, "corrupt"), (10, "failed"),
  ])
  func `SQLite's codes become store errors`(code: Int32, word: String) {
    let error = PersistentStoreError(
      SQLiteError(extendedCode: code, message: "message"), at: Self.url)
    #expect("\(Mirror(reflecting: error).children.first?.label ?? "\(error)")" == word)
  }
}

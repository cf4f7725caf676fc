import CommandLineKit
import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@testable import DogWalkCommands

@Suite struct `An error message` {
  private static let url = URL(filePath: "/w.sqlite")
  private static let server = URL(string: "postgres://db/walks")!

  @Test(arguments: [
    (PersistentStoreError.busy(url), 75, "the store /w.sqlite is busy: "),
    (.full(url), 74, "cannot write the store /w.sqlite: there is no room left. "),
    (.noPermission(url), 77, "cannot open the store /w.sqlite: you may not read and write it"),
    (.fileNotFound(url), 66, "cannot open the store /w.sqlite: there is no such file. "),
    (.notAFile(url), 65, "cannot open the store /w.sqlite: it is not a file. "),
    (.cannotWrite(url, .cloudKit), 65, "cannot open the store /w.sqlite: an app keeps it in "),
    (.cannotWrite(url, .persistentHistory), 65, "cannot open the store /w.sqlite: an app keeps a "),
    (.cannotWrite(url, .derivedAttributes), 65, "cannot open the store /w.sqlite: an app keeps va"),
    (.uniquenessViolation(entity: "Dog", properties: ["nameKey"]), 75, "another command changed "),
    (
      .unreachable(server, host: "db", reason: "no SSL\nat all"), 69,
      "cannot reach the store at db: no SSL. Nothing was changed. Connections to other machines"
    ),
    (
      .unreachable(server, host: "db", reason: "refused"), 69,
      "cannot reach the store at db: refused. Nothing was changed. Try again when the server is"
    ),
    (
      .readOnly(server), 77,
      "cannot write the store postgres://db/walks: you may only read it. Name the primary server"
    ),
    (
      .serverFailed(server, state: "53300", reason: "too many connections for role \"ana\""), 75,
      "the server of the store postgres://db/walks accepts no more connections now. Nothing was changed"
    ),
    (
      .serverFailed(server, state: "57P03", reason: "the database system is shutting down"), 75,
      "the server of the store postgres://db/walks is starting or stopping. Nothing was changed. Try"
    ),
    (
      .serverFailed(server, state: "53200", reason: "out of memory\nDETAIL: much"), 75,
      "the server of the store postgres://db/walks has no resources left: out of memory (53200)"
    ),
    (.unsupportedModel("Too odd."), 70, "this should not have happened (Too odd.)"),
  ])
  func `about a store has its exit code and says what to do`(
    error: PersistentStoreError, code: Int32, beginning: String
  ) throws {
    let complaint = Complaint(about: error)
    #expect(complaint.exitCode.rawValue == code)
    let message = try #require(complaint.message)
    #expect(message.hasPrefix(beginning))
    #expect(message.hasSuffix("."))
  }

  @Test func `about a database with another encoding says how to create one`() throws {
    let reason = "its database has the encoding LATIN1, not UTF8"
    let complaint = Complaint(
      about: PersistentStoreError.serverFailed(Self.server, state: "MOENC", reason: reason))
    #expect(complaint.exitCode.rawValue == 73)
    #expect(complaint.reason == "cannot make the store postgres://db/walks: \(reason)")
    #expect(complaint.message?.contains("createdb -E UTF8 ") == true)
  }

  @Test func `suggests commands with the named store`() {
    let error = PersistentStoreError.uniquenessViolation(entity: "Dog", properties: ["nameKey"])
    let complaint = Complaint(about: error, call: "dogwalk --store w.sqlite")
    #expect(complaint.message?.contains("See dogwalk --store w.sqlite list, and") == true)
    let saved = Complaint(savedBut: error, call: "dogwalk --store w.sqlite")
    #expect(saved.message?.hasSuffix("Look with dogwalk --store w.sqlite list.") == true)
  }

  // EACCES, EROFS, ENOTDIR and ENOSPC.
  @Test(arguments: [(13, 73), (30, 73), (20, 73), (28, 74)] as [(Int32, Int32)])
  func `about a folder has its exit code`(errno: Int32, code: Int32) {
    let failure = StoreLocation.Failure.folder(path: "/no", errno: errno)
    #expect(Complaint(about: failure).exitCode.rawValue == code)
  }

  @Test func `about something unknown calls it a bug`() {
    struct Surprise: Error {}
    let complaint = Complaint(about: Surprise())
    #expect(complaint.exitCode == .bug)
    #expect(complaint.message?.contains("Please report it.") == true)
  }
}

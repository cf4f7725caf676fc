import DogWalkModel
import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// Syncs with a store on a server; `SyncTests` has its random histories with one.
@Suite(.enabled(if: TestServer.url != nil, "needs Scripts/with-postgres"))
struct `A store on a server that is synced` {
  /// A prompt whose store is a file, and the URL of one on the server, with a password that is not
  /// needed.
  private func household() throws -> (prompt: Prompt, url: String) {
    let prompt = try Prompt()
    let url = try #require(TestServer.store(for: prompt.home.path))
    return (prompt, url.replacing("?", with: "?password=secret&"))
  }

  @Test func `is created by the first sync, and then has the same content`() throws {
    let (prompt, url) = try household()
    #expect(prompt.run("sync", url).code == 66)
    #expect(
      prompt.run("add", "--dog", "Fido", "35m", "yesterday", "18:00", "--tag", "park").code == 0)
    let dryRun = prompt.run("sync", "--dry-run", url)
    #expect(dryRun.code == 0 && dryRun.output.contains("There: Fido is new."), "\(dryRun)")
    #expect(prompt.run("--store", url, "list").output.isEmpty)
    let first = prompt.run("sync", url)
    #expect(first.code == 0 && first.output.contains("There: walk 1 is new"), "\(first)")
    #expect(prompt.run("--store", url, "list").output == prompt.run("list").output)
    #expect(prompt.run("sync", url).output.hasPrefix("Nothing to do"))
    #expect(prompt.run("--store", url, "add", "Fido", "20m", "--by", "Ana").code == 0)
    #expect(prompt.run("edit", "1", "40m").code == 0)
    // In the other direction it is the same.
    let back = prompt.run("--store", url, "sync", prompt.file("walks.sqlite").path)
    #expect(back.code == 0 && back.output.contains("There: walk 2 is new"), "\(back)")
    #expect(back.output.contains("Here: walk 1 is changed"))
    #expect(prompt.run("--store", url, "list").output == prompt.run("list").output)
    for store in [url, prompt.file("walks.sqlite").path] {
      let doctor = prompt.run("--store", store, "doctor")
      #expect(doctor.code == 0 && doctor.output.contains("\nSynced "), "\(doctor)")
      let history = prompt.run("--store", store, "history")
      #expect(history.output.contains("sync "))
      for answer in [first, back, doctor, history] {
        #expect(!(answer.output + answer.errors).contains("secret"))
      }
    }
  }

  @Test func `undoes a sync, and gets its walks again with the next one`() throws {
    let (prompt, url) = try household()
    #expect(prompt.run("add", "--dog", "Fido", "35m", "yesterday", "18:00").code == 0)
    #expect(prompt.run("sync", url).code == 0)
    #expect(prompt.run("--store", url, "undo").output.contains("Undid: sync "))
    #expect(prompt.run("--store", url, "list").output.isEmpty)
    let again = prompt.run("sync", url)
    #expect(again.code == 0 && again.output.contains("is new"), "\(again)")
    // Numbers are not reused.
    #expect(
      prompt.run("--store", url, "list").output == "2" + prompt.run("list").output.dropFirst())
  }

  @Test func `of an older version is migrated only with --yes`() throws {
    let (prompt, url) = try household()
    try `A store of version 2`.make(at: #require(URL(string: url)))
    #expect(prompt.run("add", "--dog", "Luna", "35m", "yesterday", "18:00").code == 0)
    let before = prompt.run("--store", url, "list").output
    #expect(prompt.run("sync", "--dry-run", url).code == 0)
    #expect(prompt.run("sync", url).code == 64)
    #expect(prompt.run("--store", url, "list").output == before)
    let answer = prompt.run("sync", "--yes", url)
    #expect(answer.code == 0, "\(answer)")
    #expect((answer.output + answer.errors).contains("server-version-2.sqlite"), "\(answer)")
    #expect(!(answer.output + answer.errors).contains("secret"))
    #expect(prompt.run("list").output.split(separator: "\n").count == 6)
    #expect(prompt.run("--store", url, "list").output.split(separator: "\n").count == 6)
  }

  @Test func `that was created before syncs supported servers is synced, too`() throws {
    let (prompt, url) = try household()
    #expect(prompt.run("--store", url, "add", "--dog", "Fido", "35m").code == 0)
    let schema = try #require(url.split(separator: "=").last)
    let dropped = try Answer(
      of: "psql", [try #require(TestServer.url), "-qc", "DROP TABLE \(schema).mo_kept"])
    #expect(dropped.exitCode == 0, "\(dropped.errors)")
    #expect(prompt.run("--store", url, "doctor").code == 0)
    let answer = prompt.run("--store", url, "sync", prompt.file("walks.sqlite").path)
    #expect(answer.code == 0 && answer.output.contains("There: walk 1 is new"), "\(answer)")
    #expect(prompt.run("--store", url, "undo").code == 0)
  }

  @Test func `is not synced with itself`() throws {
    let (prompt, url) = try household()
    #expect(prompt.run("--store", url, "add", "--dog", "Fido", "35m").code == 0)
    let answer = prompt.run("--store", url, "sync", url)
    #expect(answer.code == 64 && answer.errors.contains("this store itself"), "\(answer)")
    #expect(!answer.errors.contains("secret"))
  }

  @Test func `is not synced with itself under another of its URLs`() throws {
    let (prompt, url) = try household()
    #expect(prompt.run("--store", url, "add", "--dog", "Fido", "35m").code == 0)
    let history = prompt.run("--store", url, "history").output
    let name = try #require(url.split(separator: "=").last)
    let others: [String] = [
      url.replacing("postgres:", with: "PostgreSQL:"), url + "&application_name=other",
      url.replacing("store=\(name)", with: "store=%74\(name.dropFirst())"),
    ]
    for other in others {
      for words in [["sync", other], ["sync", "--dry-run", other]] {
        let answer = prompt.run(["--store", url] + words)
        #expect(answer.code == 64 && answer.errors.contains("this store itself"), "\(answer)")
        #expect(!answer.errors.contains("secret"))
      }
    }
    #expect(prompt.run("--store", url, "history").output == history)
  }

  @Test func `of an older version is not migrated to be synced with itself`() throws {
    let (prompt, url) = try household()
    try `A store of version 2`.make(at: #require(URL(string: url)))
    let before = try ModelVersion(ofStoreAt: #require(URL(string: url)))?.number
    let other = url + "&application_name=other"
    let answer = prompt.run("--store", url, "sync", "--yes", other)
    #expect(answer.code == 64 && answer.errors.contains("this store itself"), "\(answer)")
    #expect(try ModelVersion(ofStoreAt: #require(URL(string: url)))?.number == before)
    #expect(before == 2)
  }
}

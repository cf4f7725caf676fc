import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

@testable import DogWalkCommands

/// Stores in which another program, or an accident, has left what no sync expects.
@Suite(.serialized) struct `A sync of damaged stores` {
  private let prompt: Prompt
  private var other: URL { prompt.otherStore }

  init() throws { prompt = try Prompt.withWalkToSync() }

  // MARK: Rows

  @Test func `changes neither store if a walk here cannot be saved`() throws {
    prompt.makeOther()
    #expect(prompt.run("--store", other.path, "edit", "2", "--note", "rain").code == 0)
    try prompt.sql("UPDATE ZWALK SET ZISONGOING = NULL WHERE Z_PK = 1")
    let bytes = try Data(contentsOf: other)
    let answer = prompt.run("sync", other.path)
    #expect(answer.code == 65 && answer.errors.contains("Nothing was changed"), "\(answer)")
    #expect(try Data(contentsOf: other) == bytes)
    try prompt.sql("UPDATE ZWALK SET ZISONGOING = 0 WHERE Z_PK = 1")
    #expect(prompt.run("sync", other.path).code == 0)
    #expect(prompt.walkCount() == 3)
    #expect(prompt.walkCount(other) == 3)
  }

  @Test(arguments: ["ZDOG", "ZTAG", "ZWALKER"], ["NULL", "''"])
  func `leaves out what has no name, with its walks`(table: String, value: String) throws {
    #expect(prompt.run("edit", "1", "+park", "--by", "Ana").code == 0)
    prompt.makeOther()
    func setName(_ value: String) throws {
      try prompt.sql("UPDATE \(table) SET ZNAME = \(value) WHERE Z_PK = 1")
    }
    try setName(value)
    let answer = prompt.run("sync", other.path)
    #expect(answer.code == 0 && answer.errors.contains(" has no name, and was left out"))
    let words = ["list", "--dog", "Fido", "--tag", "park", "--by", "Ana"]
    let found = prompt.run(["--store", other.path] + words).output
    #expect(found.split(separator: "\n").count == 1, "\(answer)")
    try setName(["ZDOG": "'Fido'", "ZTAG": "'park'"][table] ?? "'Ana'")
    let next = prompt.run("sync", other.path)
    #expect(next.code == 0 && next.errors.isEmpty, "\(next)")
    #expect(prompt.walkCount() == 3)
    #expect(prompt.walkCount(other) == 3)
  }

  @Test func `takes what was changed while the dog here had no name`() throws {
    prompt.makeOther()
    try prompt.sql("UPDATE ZDOG SET ZNAME = NULL WHERE Z_PK = 1")
    let words = ["--store", other.path]
    #expect(prompt.run(words + ["dogs", "set", "Fido", "--target", "45m"]).code == 0)
    #expect(prompt.run(words + ["sync", prompt.file("walks.sqlite").path]).code == 0)
    try prompt.sql("UPDATE ZDOG SET ZNAME = 'Fido' WHERE Z_PK = 1")
    #expect(prompt.run("sync", other.path).errors.isEmpty)
    #expect(prompt.run("dogs", "--json").output.contains("\"target_minutes\": 45"))
  }

  @Test func `syncs walks to which another program has given one track`() throws {
    _ = prompt.run("add", "Fido", "5m", "yesterday", "20:00")
    let own = prompt.file("walks.sqlite")
    func track(_ latitude: Double) -> TrackPoints {
      TrackPoints(
        segments: [[TrackPoints.Point(latitude: latitude, longitude: 8)].compactMap { $0 }])
    }
    func setTrack(_ number: Int64, _ track: TrackPoints?, in store: URL) throws {
      let log = try WalkLog(at: store, for: .changing)
      let walk = try #require(try log.walk(numbered: number))
      walk.trackPoints = track
      try log.save()
    }
    try setTrack(1, track(50), in: own)
    #expect(prompt.run("sync", other.path).code == 0)
    try prompt.sql("UPDATE ZWALK SET ZTRACK = (SELECT Z_PK FROM ZTRACK)")
    try setTrack(1, nil, in: other)
    try setTrack(2, track(60), in: other)
    let answer = prompt.run("sync", other.path)
    #expect(answer.code == 0, "\(answer)")
    for store in [own, other] {
      let log = try WalkLog(at: store, for: .reading)
      let tracks = try [Int64(1), 2].map { try log.walk(numbered: $0)?.trackPoints }
      #expect(tracks == [nil, track(60)], "\(answer)")
    }
  }

  // MARK: Records of syncs

  @Test(
    arguments: [
      "1", "NAME = 'sync.known'", "NAME = 'sync.rounds'", "NAME LIKE 'sync.records.%'",
    ], ["x'ff'", "substr(VALUE, 1, length(VALUE) - 1)"])
  func `syncs as if for the first time if its records of syncs are damaged`(
    condition: String, value: String
  ) throws {
    prompt.makeOther()
    #expect(prompt.run("edit", "1", "--note", "rain").code == 0)
    try prompt.sql("UPDATE MO_KEPT SET VALUE = \(value) WHERE \(condition)")
    for words in [["doctor"], ["undo"], ["redo"]] { #expect(prompt.run(words).code == 0) }
    let answer = prompt.run("sync", other.path)
    #expect(answer.code == 0 && answer.errors.contains("this store recorded"), "\(answer)")
    #expect(!answer.errors.contains("stays"), "\(answer)")
    for store in [nil, other] {
      let words = store.map { ["--store", $0.path] } ?? []
      #expect(prompt.run(words + ["list"]).output.contains("\train\n"))
      #expect(prompt.walkCount(store) == 3)
    }
    let next = prompt.run("sync", other.path)
    #expect(next.output.hasPrefix("Nothing to do") && next.errors.isEmpty, "\(next)")
  }

  @Test func `forgets commands and undoes a sync if its records of syncs are damaged`() throws {
    prompt.makeOther()
    #expect(prompt.run("undo").code == 0)
    try prompt.sql("UPDATE MO_KEPT SET VALUE = x'ff'")
    #expect(prompt.run("undo").output.contains("Undid: sync "))
    #expect(prompt.run("history", "--forget", "--yes").code == 0)
    #expect(prompt.run("sync", other.path).code == 0)
    #expect(prompt.walkCount() == 2)
    #expect(prompt.walkCount(other) == 2)
  }
}

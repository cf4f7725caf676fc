import DogWalkModel
import Foundation
import ManagedObjects
import SystemLibraries
import TestSupport
import Testing

@testable import DogWalkCommands

/// Syncs with another store that cannot be synced, or not now: nothing changes on either side.
@Suite(.serialized) struct `A sync that meets an obstacle` {
  private let prompt: Prompt
  private var other: URL { prompt.otherStore }

  init() throws { prompt = try Prompt.withWalkToSync() }

  private var filesOfDisk: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: prompt.file("disk").path)) ?? [])
      .sorted()
  }

  // MARK: Other programs

  @Test(.enabled(if: Python.isInstalled, "python3 is missing"))
  func `reports a program that has the other store open`() throws {
    prompt.makeOther()
    let bytes = try Data(contentsOf: other)
    let script = """
      import sqlite3, sys, time
      store = sqlite3.connect(sys.argv[1], isolation_level=None)
      store.execute("BEGIN")
      store.execute("SELECT count(*) FROM ZWALK").fetchone()
      open(sys.argv[2], "w").close()
      time.sleep(600)
      """
    let ready = prompt.file("ready")
    let reader = try ProgramProcess(
      "/usr/bin/env", ["python3", "-c", script, other.path, ready.path], in: prompt)
    defer { reader.kill() }
    while !FileManager.default.fileExists(atPath: ready.path) { usleep(10_000) }
    let answer = prompt.run("sync", other.path)
    #expect(
      answer
        == Prompt.Answer(
          errors: "dogwalk: a program has \(other.path) open. Nothing was changed. Close it there, "
            + "and try again.\n", code: 75))
    reader.kill()
    _ = reader.answer()
    #expect(try Data(contentsOf: other) == bytes)
    #expect(prompt.run("sync", other.path).code == 0)
    #expect(prompt.walkCount() == 3)
  }

  @Test(.enabled(if: Python.isInstalled, "python3 is missing"))
  func `keeps this machine's programs out of the other store meanwhile`() throws {
    prompt.makeOther()
    let file = try OtherFile(other)
    defer { file.close() }
    let script = """
      import sqlite3, sys
      try: sqlite3.connect(sys.argv[1], timeout=0).execute("SELECT count(*) FROM ZWALK")
      except sqlite3.OperationalError as error: print(error)
      """
    #expect(try Python.run(script, [other.path]).lines == ["database is locked"])
  }

  @Test func `does not write a store that has replaced the other one meanwhile`() throws {
    prompt.makeOther()
    let newer = prompt.file("newer.sqlite")
    try FileManager.default.copyItem(at: other, to: newer)
    _ = prompt.run("--store", newer.path, "add", "Rex", "5m", "yesterday", "10:00")
    let bytes = try Data(contentsOf: newer)
    do {
      let file = try OtherFile(other)
      defer { file.close() }
      try file.look()
      let log = try WalkLog(at: prompt.file("walks.sqlite"), for: .changing)
      let names = SyncNames(log: "one", other: "two", at: Date())
      let error = #expect(throws: PersistentStoreError.self) {
        _ = try StoreSync.run(log, file.open(toRead: false), with: names) { _ in
          try #require(rename(newer.path, other.path) == 0)
          try file.finish()
        }
      }
      guard case .moved = error else { throw try #require(error) }
    }
    #expect(try Data(contentsOf: other) == bytes)
    #expect(prompt.walkCount() == 3)
    #expect(prompt.run("sync", other.path).code == 0)
    #expect(prompt.walkCount() == 4)
    #expect(prompt.walkCount(other) == 4)
  }

  // MARK: Disks

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs privileges"))
  func `changes nothing on a read-only disk`() throws {
    let script = """
      dogwalk sync disk/other.sqlite -q || echo "no first sync"
      dogwalk add Fido 10m yesterday 12:00 -q
      cp disk/other.sqlite before
      mount -o remount,ro "$HOME/disk"
      dogwalk sync disk/other.sqlite
      echo "exit $?"
      dogwalk sync disk/new.sqlite
      echo "exit $?"
      cmp disk/other.sqlite before
      dogwalk list | wc -l | tr -d ' '
      # Who only looks needs no leave to write.
      dogwalk sync --dry-run disk/other.sqlite
      mount -o remount,rw "$HOME/disk"
      dogwalk sync disk/other.sqlite -q && dogwalk --store disk/other.sqlite list | wc -l | tr -d ' '
      """
    let answer = try SmallDisk.run(script, kilobytes: 2_000, in: prompt)
    let lines = answer.output.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "exit 77", "exit 77", "2", "With disk/other.sqlite:",
        "There: a walk is new: Fido, Fri 20 Nov 12:00, 10 min.", "2",
      ], "\(answer)")
    let errors = answer.errors.split(separator: "\n")
    #expect(
      errors.first
        == "dogwalk: cannot write the store disk/other.sqlite: you may only read it. Change its permissions and its folder's, or name another file.",
      "\(answer)")
    #expect(!answer.errors.contains("managed-objects"), "\(answer)")
  }

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs privileges"))
  func `changes nothing on a full disk, and succeeds once there is space`() throws {
    let script = """
      dogwalk sync disk/other.sqlite -q
      dogwalk add Fido 10m yesterday 12:00 -q
      cp disk/other.sqlite before
      for free in 0 8 40; do
        fill $free
        dogwalk sync disk/other.sqlite
        echo "exit $?"
        cmp disk/other.sqlite before
        rm disk/filling
        ls disk
      done
      dogwalk list | wc -l | tr -d ' '
      dogwalk doctor -q > /dev/null || echo "not whole"
      dogwalk sync disk/other.sqlite -q && dogwalk --store disk/other.sqlite list | wc -l | tr -d ' '
      """
    let answer = try SmallDisk.run(script, kilobytes: 900, in: prompt)
    #expect(
      answer.output
        == String(repeating: "exit 74\nother.sqlite\n", count: 3) + "2\n2\n", "\(answer)")
    for line in answer.errors.split(separator: "\n") {
      #expect(
        line
          == "dogwalk: cannot write the store disk/other.sqlite: there is no room left. Nothing was changed. Make room and try again."
      )
    }
  }

  @Test(
    .enabled(if: SmallDisk.isPossible, "mounting a small disk needs privileges"),
    .enabled(if: ProcessInfo.canRunOutOfRoom, "Thread Sanitizer needs room of its own"))
  func `reports where there is no space for its copy`() throws {
    let script = """
      dogwalk sync other.sqlite -q
      dogwalk add Fido 10m yesterday 12:00 -q
      cp other.sqlite before
      fill 8
      TMPDIR="$HOME/disk" dogwalk sync other.sqlite
      echo "exit $?"
      cmp other.sqlite before
      rm disk/filling
      ls disk
      """
    let answer = try SmallDisk.run(script, kilobytes: 300, in: prompt)
    #expect(answer.output == "exit 73\n", "\(answer)")
    #expect(answer.errors.contains("Set TMPDIR to a folder"), "\(answer)")
  }

  // MARK: Versions

  @Test func `leaves another store of a newer version unchanged`() throws {
    let walk = EntityDescription(
      name: "Walk",
      properties: [
        .attribute(AttributeDescription(name: "weather", type: .string, isOptional: true))
      ])
    _ = try PersistentContainer(
      name: "Newer",
      model: ManagedObjectModel(
        entities: [EntityDescription(name: "Dog", properties: []), walk],
        versionIdentifiers: ["7"]), storeURL: other)
    let bytes = try Data(contentsOf: other)
    for words in [["sync", other.path], ["sync", "--yes", other.path]] {
      #expect(
        prompt.run(words)
          == Prompt.Answer(
            errors:
              "dogwalk: cannot open the store \(other.path): it was made by a newer version of "
              + "dogwalk, as its version 7 says (this one knows 3). It is unchanged. Install "
              + "that version, or name another file.\n", code: 65))
    }
    #expect(try Data(contentsOf: other) == bytes)
    #expect(prompt.walkCount() == 1)
  }

  /// Creates another store of the first version.
  private func makeOlder() throws {
    let model = try #require(ManagedObjectModel.dogWalkVersions["DogWalk"])
    let context = try PersistentContainer(name: "Tutorial", model: model, storeURL: other)
      .newBackgroundContext()
    let dog = EntityDescription.insertNewObject(forEntityName: "Dog", into: context)
    dog.setValue("Rex", forKey: "name")
    try context.save()
  }

  @Test func `asks before it migrates another store of an older version`() throws {
    try makeOlder()
    let bytes = try Data(contentsOf: other)
    #expect(prompt.run("sync", "--dry-run", other.path).code == 0)
    prompt.answers = ["n", "y"]
    let refused = prompt.run("sync", other.path)
    #expect(refused.code == 1)
    #expect(refused.errors.hasSuffix("Nothing was changed.\n"), "\(refused)")
    #expect(try Data(contentsOf: other) == bytes)
    #expect(filesOfDisk == ["other.sqlite"])
    #expect(prompt.run("sync", other.path).code == 0)
    #expect(try Data(contentsOf: prompt.file("disk/other-version-1.sqlite")) == bytes)
    #expect(prompt.walkCount(other) == 1)
  }

  @Test func `lets others continue while it asks`() throws {
    try makeOlder()
    let (prompt, other) = (prompt, other)
    let third = prompt.file("third.sqlite")
    #expect(prompt.run("--store", third.path, "add", "Luna", "5m", "yesterday", "9:00").code == 0)
    prompt.answers = ["y"]
    var meanwhile: Prompt.Answer?
    prompt.whileAsked = {
      prompt.whileAsked = {}
      let words = ["--store", third.path, "sync", "--yes", other.path]
      meanwhile = try? ProgramProcess(words, in: prompt).answer()
    }
    let answer = prompt.run("sync", other.path)
    // The third has migrated it to this version, and been the first to write.
    #expect(meanwhile?.code == 0, "\(String(describing: meanwhile))")
    #expect(answer.code == 0 && !answer.errors.contains("Upgraded"), "\(answer)")
    #expect(prompt.walkCount() == 2)
    #expect(prompt.walkCount(other) == 2)
    #expect(filesOfDisk == ["other-version-1.sqlite", "other.sqlite"])
  }

  @Test func `creates no store in place of one deleted while it asks`() throws {
    try makeOlder()
    let (prompt, other) = (prompt, other)
    prompt.answers = ["y"]
    prompt.whileAsked = {
      prompt.whileAsked = {}
      try? FileManager.default.removeItem(at: other)
    }
    let answer = prompt.run("sync", other.path)
    #expect(answer.code == 66 && answer.errors.contains("no longer exists"), "\(answer)")
    #expect(prompt.walkCount() == 1)
    #expect(filesOfDisk.isEmpty)
  }

  // MARK: Networks

  @Test(arguments: [
    ("nfs", true), ("nfs4", true), ("cifs", true), ("smb3", true), ("9p", true),
    ("fuse.sshfs", true), ("ext4", false), ("vfat", false), ("exfat", false), ("fuseblk", false),
    ("tmpfs", false), ("overlay", false),
  ])
  func `recognizes folders of other machines by the type of their file system`(
    kind: String, isNetwork: Bool
  ) {
    let mounts = """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      36 22 0:52 / /mnt/share rw,relatime shared:20 master:3 - \(kind) host:/share rw,vers=4.2
      """
    let found = NetworkFolder.kind(ofDevice: "0:52", in: mounts)
    #expect(found == kind)
    #expect(found.map(NetworkFolder.isNetwork) == isNetwork)
    #expect(NetworkFolder.kind(ofDevice: "0:53", in: mounts) == nil)
  }

  // MARK: Kills

  @Test func `leaves nothing behind a kill that the next one does not clean up`() throws {
    var text = "dog,start,minutes\n"
    for number in 0..<2_000 {
      text += "Rex,2026-09-\(number % 20 + 10) 0\(number % 10):\(number % 50 + 10),\(number + 1)\n"
    }
    try Data(text.utf8).write(to: prompt.file("walks.csv"))
    _ = prompt.run("import", prompt.file("walks.csv").path)
    _ = prompt.run("sync", other.path)
    let temporary = prompt.file("temporary").path
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    prompt.variables["TMPDIR"] = temporary
    func left() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: temporary)
    }
    var mostLeft = 0
    for round in 1...8 {
      _ = prompt.run("add", "Fido", "\(round)m", "yesterday", "6:0\(round)")
      let sync = try ProgramProcess(["sync", other.path], in: prompt)
      // Until it has made its copy, and a little longer.
      for _ in 0..<2_000 where try left().isEmpty { usleep(1_000) }
      usleep(UInt32(round) * 2_000)
      sync.kill()
      _ = sync.answer()
      mostLeft = try max(mostLeft, left().count)
    }
    #expect(mostLeft == 1, "none was killed while it had a copy, or one cleared nothing away")
    #expect(try ProgramProcess(["sync", other.path], in: prompt).answer().code == 0)
    #expect(try left().isEmpty)
    #expect(prompt.walkCount() == 2_009)
    #expect(prompt.walkCount(other) == 2_009)
  }

  // MARK: Conflicts

  @Test func `reports conflicting values by day, and how to restore a track`() throws {
    for hour in [6, 9, 7, 8] {
      _ = prompt.run("add", "Fido", "5m", "2026-11-20T0\(hour):00")
    }
    func track(_ latitude: Double) -> TrackPoints {
      TrackPoints(
        segments: [[TrackPoints.Point(latitude: latitude, longitude: 8)].compactMap { $0 }])
    }
    func setTrack(_ store: URL, _ degrees: Double) throws {
      let log = try WalkLog(at: store, for: .changing)
      let walk = try #require(try log.walk(numbered: 1))
      walk.trackPoints = track(50 + degrees)
      try log.save()
    }
    let own = prompt.file("walks.sqlite")
    try setTrack(own, 0)
    _ = prompt.run("sync", other.path)
    for number in 2...5 { _ = prompt.run("edit", "\(number)", "1\(number)m") }
    try setTrack(own, 1)
    // Numbers differ there: the oldest walk is its first.
    for number in 1...4 {
      _ = prompt.run("--store", other.path, "edit", "\(number)", "2\(number)m")
    }
    do {
      let log = try WalkLog(at: other, for: .changing)
      let walk = try #require(try log.walks(WalkQuery()).first { $0.track != nil })
      walk.trackPoints = track(60)
      try log.save()
    }
    let dry = prompt.run("sync", "--dry-run", other.path)
    #expect(dry.errors.contains("would stay, yours is") && !dry.errors.contains("To have yours"))
    let answer = prompt.run("sync", other.path)
    let told = answer.errors.split(separator: "\n").filter { $0.contains("Both stores") }
      .map { $0.split(separator: ":")[0].split(separator: "walk ")[1].prefix(1) }
    #expect(told == ["2", "4", "5", "3", "1"], "\(answer)")
    #expect(
      answer.errors.contains("the recorded track of walk 1")
        && answer.errors.contains(
          "To restore yours, and undo the rest of this sync here: dogwalk undo"),
      "\(answer)")
    #expect(prompt.run("undo").code == 0)
    #expect(prompt.run("sync", other.path).code == 0)
    for store in [own, other] {
      let log = try WalkLog(at: store, for: .reading)
      let walk = try #require(try log.walks(WalkQuery()).first { $0.track != nil })
      #expect(walk.trackPoints == track(51))
    }
  }
}

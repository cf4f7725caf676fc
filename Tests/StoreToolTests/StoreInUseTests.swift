import Foundation
import TestSupport
import Testing

/// Stores that others write to, or that belong to another user.
@Suite(.enabled(if: Python.isInstalled, "python3 is missing"))
struct `A store in use` {
  private let folder: TemporaryFolder
  private let store: String
  private let model = URL.dogWalkModel.path

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appending(path: "Walks.sqlite").path
    _ = try StoreToolProgram.run("create", store, "--model", model)
  }

  /// Saves dogs and walks, as many of one as of the other, and deletes old ones, until it is killed
  /// or its parent has ended.
  private static let writer = """
    import os, sqlite3, sys
    parent = os.getppid()
    store = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=20)
    store.execute("PRAGMA journal_mode=" + sys.argv[2])
    key = 0
    while os.getppid() == parent:
        store.execute("BEGIN IMMEDIATE")
        for _ in range(3):
            key += 1
            store.execute("INSERT INTO ZDOG (Z_PK, Z_ENT, Z_OPT) VALUES (?, 1, 1)", (key,))
            store.execute("INSERT INTO ZWALK (Z_PK, Z_ENT, Z_OPT) VALUES (?, 4, 1)", (key,))
        for table in ("ZDOG", "ZWALK"):
            store.execute(f"DELETE FROM {table} WHERE Z_PK <= ?", (key - 300,))
        store.execute("COMMIT")
        if key % 60 == 0: store.execute("PRAGMA wal_checkpoint")
        if key == 3: print("writing", flush=True)
    """

  @Test(arguments: ["WAL", "DELETE"])
  func `is read as of one save, or reported as busy`(journal: String) throws {
    let writer = Process()
    writer.executableURL = URL(filePath: "/usr/bin/env")
    writer.arguments = ["python3", "-c", Self.writer, store, journal]
    let pipe = Pipe()
    writer.standardOutput = pipe
    try writer.run()
    defer { kill(writer.processIdentifier, SIGKILL) }
    #expect(!pipe.fileHandleForReading.availableData.isEmpty)

    var read = 0
    for _ in 0..<8 {
      let answer = try StoreToolProgram.run("inspect", store, "--model", model, "--json")
      guard answer.exitCode == 0 else {
        #expect(answer.exitCode == 75, "\(answer.errors)")
        continue
      }
      read += 1
      let document = try JSONSerialization.jsonObject(with: answer.output) as? [String: Any]
      let entities = try #require(document?["entities"] as? [[String: Any]])
      let counts = entities.map { ($0["objects"] as? [Any])?.count ?? -1 }
      let (dogs, walks) = (counts[0], counts[3])
      #expect(counts.count == 5 && dogs == walks && dogs > 0)
      #expect(entities.map { $0["count"] as? Int } == counts)
    }
    #expect(read > 0)
  }

  @Test(
    .enabled(if: Stranger.isPossible, "running as another user needs privileges"),
    arguments: [true, false])
  func `is read with its log if it is another user's, and nothing is left there`(
    hasIndex: Bool
  ) throws {
    try writeIntoLog()
    if !hasIndex { try FileManager.default.removeItem(atPath: store + "-shm") }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names.contains("Walks.sqlite-wal"))
    for name in names { chmod(folder.url.appending(path: name).path, 0o444) }
    chmod(folder.url.path, 0o555)
    let before = try names.map { try Data(contentsOf: folder.url.appending(path: $0)) }

    let answer = try Stranger.run("inspect", store, "--model", model, "--json")

    #expect(answer.exitCode == 0, "\(answer.errors)")
    #expect(answer.text.contains("\"name\": \"Fido\""))
    let after = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(after == names)
    #expect(try after.map { try Data(contentsOf: folder.url.appending(path: $0)) } == before)
  }

  /// Saves a dog and ends without closing, so that it is only in the log.
  private func writeIntoLog() throws {
    let script = """
      import os, sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      store.execute("PRAGMA journal_mode=WAL")
      store.execute("INSERT INTO ZDOG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Fido')")
      store.commit()
      os._exit(0)
      """
    _ = try Python.run(script, [store])
  }

  @Test(.enabled(if: Stranger.isPossible, "running as another user needs privileges"))
  func `that cannot be copied for reading is reported with the folder`() throws {
    try writeIntoLog()
    chmod(folder.url.path, 0o555)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      chmod(folder.url.appending(path: name).path, 0o444)
    }
    try FileManager.default.removeItem(atPath: store + "-shm")
    let answer = try Stranger.run("inspect", store, "--model", model, temporaryFolder: "/proc")
    #expect(answer.exitCode == 73 && answer.text.isEmpty)
    #expect(answer.errors.contains("cannot be made in /proc"))
  }

  @Test(.enabled(if: Stranger.isPossible, "running as another user needs privileges"))
  func `that cannot be read is reported, and so is a read-only folder`() throws {
    chmod(folder.url.path, 0o755)
    chmod(store, 0o600)
    let reading = try Stranger.run("inspect", store, "--model", model)
    #expect(reading.exitCode == 77 && reading.text.isEmpty)
    let making = try Stranger.run("create", store + "2", "--model", model)
    #expect(making.exitCode == 77 && making.text.isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Walks.sqlite"])
  }
}

/// Another user of the system.
private enum Stranger {
  /// Whether this process may become another user who then finds the program.
  static let isPossible: Bool = getuid() == 0 && (try? run("--version"))?.exitCode == 0

  /// Runs the program as that user.
  static func run(_ words: String..., temporaryFolder: String? = nil) throws -> Answer {
    let call = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let program = URL.builtFolder.appending(path: "storetool").path
    let setting = temporaryFolder.map { ["TMPDIR=\($0)"] } ?? []
    return try Answer(of: "env", setting + call + [program] + words)
  }
}

import Foundation

/// Two stores to sync: the prompt's own, and one in a folder that may be a disk of its own.
extension Prompt {
  /// Creates a prompt whose store has a walk.
  static func withWalkToSync() throws -> Prompt {
    let prompt = try Prompt()
    try FileManager.default.createDirectory(
      at: prompt.file("disk"), withIntermediateDirectories: true)
    _ = prompt.run("add", "Fido", "35m", "yesterday", "18:00")
    return prompt
  }

  /// The other store.
  var otherStore: URL { file("disk/other.sqlite") }

  /// Creates the other store with a walk, syncs both, and adds a walk here.
  func makeOther() {
    _ = run("--store", otherStore.path, "add", "Rex", "20m", "yesterday", "8:00")
    _ = run("sync", otherStore.path)
    _ = run("add", "Fido", "10m", "yesterday", "12:00")
  }

  /// The number of walks in a store, by default the prompt's own.
  func walkCount(_ store: URL? = nil) -> Int {
    let words = store.map { ["--store", $0.path] } ?? []
    return run(words + ["list"]).output.split(separator: "\n").count
  }
}

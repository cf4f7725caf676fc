import CommandLineKit
import DogWalkModel
import ManagedObjects

/// The files that a command reads or writes, none of which may be the store.
extension CommandRun {
  /// Returns the path of another store, with a leading `~` replaced by `$HOME`.
  func storePath(_ typed: String) -> String {
    StoreLocation.expandingTilde(in: typed) { environment[$0] }
  }

  /// Returns the store's file and those that belong to it.
  func storeFiles() throws -> FileSet {
    let url = try storeURL()
    return FileSet(url.isPostgreSQL ? [] : WalkLog.filePaths(ofStoreAt: url))
  }

  /// Writes a file completely or not at all.
  ///
  /// - Throws: `Complaint` if it cannot be written, or is the store or belongs to it.
  func writeFile<Result>(
    _ path: String, _ contents: (OutputSink) throws -> Result
  ) throws -> Result {
    try refuseStore(as: path)
    do {
      let file = try OutputFile(path)
      let result = try contents(file.sink)
      try file.finish()
      writtenFile = path
      return result
    } catch {
      switch error {
      case let error as OutputFile.Failure: throw Complaint(writing: path, error)
      case OutputError.failed(let code): throw Complaint(writing: path, errno: code)
      default: throw error
      }
    }
  }

  /// Throws if a file to be written is the store or belongs to it, or would be taken for the log of
  /// another one, and removed.
  func refuseStore(as path: String) throws {
    if try storeFiles().contains(path) { throw Complaint(ontoStore: path.escapingControls) }
    for suffix in ["-wal", "-shm", "-journal"] where path.hasSuffix(suffix) {
      let store = String(path.dropLast(suffix.count))
      guard StoreFile.isDatabase(store) else { continue }
      throw Complaint(
        .cannotCreate,
        "cannot write \(path.escapingControls): the name belongs to \(store.escapingControls)",
        hint: "Nothing was written. Name another file.")
    }
  }

  /// Throws if a file to be read is the store, or will be once the store is created.
  ///
  /// - Parameter path: `-` for standard input.
  func refuseReadingStore(from path: String) throws {
    let files = try storeFiles()
    guard path == "-" ? files.contains(descriptor: 0) : files.contains(path) else { return }
    throw Complaint(
      .badData,
      "cannot read \(path == "-" ? "standard input" : path.escapingControls): it is the store itself",
      hint: "Name another file.")
  }
}

extension Complaint {
  /// Creates the complaint about output that would overwrite the store.
  init(ontoStore name: String) {
    self.init(
      .cannotCreate, "cannot write \(name): it is the store, or belongs to it",
      hint: "Nothing was written. Name another file.")
  }
}

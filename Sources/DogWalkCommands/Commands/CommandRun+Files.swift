import CommandLineKit
import DogWalkModel
import ManagedObjects

/// Files that a command writes or reads, and which never are the store.
extension CommandRun {
  /// The path of a store beside the run's own, with `$HOME` for a `~` at its start.
  func storePath(_ typed: String) -> String {
    StoreLocation.expandingTilde(in: typed) { environment[$0] }
  }

  /// The store's file and what belongs to it.
  func storeFiles() throws -> FileSet {
    let url = try storeURL()
    return FileSet(url.isPostgreSQL ? [] : WalkLog.filePaths(ofStoreAt: url))
  }

  /// Writes a file, whole or not at all.
  ///
  /// - Throws: `Complaint` where it cannot be written, or is the store or belongs to it.
  func writeFile<Result>(
    _ path: String, _ contents: (OutputSink) throws -> Result
  ) throws -> Result {
    try refuseStore(as: path)
    do {
      let file = try OutputFile(path)
      let result = try contents(file.sink)
      try file.finish()
      return result
    } catch {
      switch error {
      case let error as OutputFile.Failure: throw Complaint(writing: path, errno: error.errno)
      case OutputError.failed(let code): throw Complaint(writing: path, errno: code)
      default: throw error
      }
    }
  }

  /// Makes sure that a file that is to be written is not the store, nor belongs to it.
  func refuseStore(as path: String) throws {
    if try storeFiles().contains(path) { throw Complaint(ontoStore: path.escapingControls) }
  }

  /// Makes sure that a file to read from is not the store, which may be made in its place.
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
  /// The complaint about output that would land on the store.
  init(ontoStore name: String) {
    self.init(
      .cannotCreate, "cannot write \(name): it is the store, or belongs to it",
      hint: "Nothing was written. Name another file.")
  }
}

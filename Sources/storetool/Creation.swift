import CommandLineKit
import ManagedObjects
import ModelCompiler
import SystemLibraries

/// `storetool create`: creates an empty store of a model.
struct Creation {
  private let run: ToolRun

  init(_ run: ToolRun) {
    self.run = run
  }

  /// Creates the store if the file is missing or empty.
  func perform() throws {
    let file = try ModelFile(run, for: "create")
    let version = try file.version(named: run.values[.modelVersion])
    guard !version.model.entities.isEmpty else {
      throw Complaint(
        .badData, "cannot make a store of \(version.name.escapingControls): it has no entities",
        hint: "Name another version with --version NAME.")
    }
    let path = run.operand
    let isNew = try reserve(path)
    do {
      try PersistentStoreCoordinator.createStore(at: URL(filePath: path), model: version.model)
    } catch {
      // The new file was incomplete and would be in the way of the next attempt.
      if isNew { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) } }
      guard let error = error as? PersistentStoreError else { throw error }
      throw Complaint(error, making: path)
    }
    if !run.values.contains(.quiet) {
      try run.output.writeLine(
        "Made \(path.escapingControls), an empty store of \(version.name.escapingControls).")
    }
  }

  /// Creates the file exclusively, so that no other program's store is touched; returns false if
  /// there was an empty file.
  private func reserve(_ path: String) throws -> Bool {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return true
    }
    let code = errno
    guard code == EEXIST else { throw Complaint(making: path, errno: code) }
    var info = stat()
    let isEmptyFile =
      stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && info.st_size == 0
    guard isEmptyFile else {
      let what = info.st_mode & S_IFMT == S_IFDIR ? "folder" : "file"
      throw Complaint(
        .cannotCreate, "cannot make the store \(path.escapingControls): there is a \(what) already",
        hint: "It is unchanged. Name a new file.")
    }
    return false
  }
}

@available(*, unavailable) extension Creation: Sendable {}

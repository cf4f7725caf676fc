import CommandLineKit
import DataFormats
import ManagedObjects
import SystemLibraries

extension Complaint {
  /// The complaint about any error that a command can throw.
  init(about error: any Error) {
    self =
      Complaint(aboutCommandLine: error)
      ?? Complaint(
        .bug, "this should not have happened (\(error))", hint: "Please report it.")
  }

  /// The complaint about a store that cannot be read, without SQLite's message.
  init(_ error: PersistentStoreError, reading path: String) {
    let start = "cannot read the store \(path.escapingControls): "
    let untouched = "It is unchanged. Name a Core Data store."
    switch error {
    case .fileNotFound(let file) where file.isWithin(path):
      self.init(
        .badData, start + "its file \(file.lastPathComponent.escapingControls) is missing",
        hint: "Put it back, or try a good copy of the store.")
    case .fileNotFound:
      self.init(.noInput, start + "there is no such file", hint: "Check the name.")
    case .notAFile:
      self.init(.badData, start + "it is not a regular file", hint: untouched)
    case .notAStore:
      var info = stat()
      let isEmpty = path.withSystemPath { stat($0, &info) } == 0 && info.st_size == 0
      self.init(
        .badData,
        start + (isEmpty ? "it is empty" : "it is no Core Data store, or its metadata are damaged"),
        hint: untouched)
    case .corrupt(_, let error):
      // SQLITE_NOTADB: the file does not begin like a SQLite file.
      self.init(
        .badData,
        start + (error.code == 26 ? "it is another kind of file" : "it is damaged"),
        hint: error.code == 26 ? untouched : "It is unchanged. Try a good copy of it.")
    case .malformedDocument(let file, let line, let column, let reason):
      let name = file.isWithin(path) ? file.lastPathComponent.escapingControls : nil
      let place = [name, line.map { "line \($0)" }, column.map { "column \($0)" }]
        .compactMap(\.self).joined(separator: ", ")
      self.init(
        .badData, start + (place.isEmpty ? "" : place + ": ") + reason.escapingControls,
        hint: "It is unchanged. Try a good copy of it.")
    case .orphanedLog:
      self.init(
        .badData,
        start + "it is missing or empty, but its log \(path.escapingControls)-wal exists",
        hint: "Both are unchanged. Put the file back beside its log.")
    case .foreignLog:
      self.init(
        .badData,
        start + "the log beside it, \(path.escapingControls)-wal, belongs to another file",
        hint: "Both are unchanged. Put back the file that the log belongs to.")
    case .busy:
      self.init(
        .busy, start + "another program keeps writing to it", hint: "Try again.")
    case .noPermission:
      self.init(
        .noPermission, start + "you may not read it", hint: "Change its permissions.")
    case .noTemporaryCopy(_, let folder, let reason):
      self.init(
        .cannotCreate,
        start + "it has to be read in a copy, which cannot be made in "
          + "\(folder.path.escapingControls): \(reason)",
        hint: "Set TMPDIR to a folder that you may write to.")
    case .full:
      self.init(
        .inputOutput, start + "there is no room left for its temporary copy",
        hint: "Make room, or set TMPDIR to a folder that has some.")
    default:
      self.init(
        .inputOutput, start + (error.systemReason ?? "the system failed"), hint: "Try again.")
    }
  }

  /// The complaint about a store that cannot be created.
  init(_ error: PersistentStoreError, making path: String) {
    let start = "cannot make the store \(path.escapingControls): "
    switch error {
    case .full: self.init(making: path, errno: ENOSPC)
    case .noPermission: self.init(making: path, errno: EACCES)
    case .busy:
      self.init(.busy, start + "another program is writing to it", hint: "Name a new file.")
    case .reservedName:
      self.init(
        .cannotCreate, start + "the name belongs to another store", hint: "Name another file.")
    case .unsupportedModel(let reason):
      self.init(.unavailable, start + reason, hint: "Name another version with --version NAME.")
    default:
      self.init(
        .inputOutput, start + (error.systemReason ?? "the system failed"), hint: "Try again.")
    }
  }

  /// The complaint about a store that cannot be made from another one; nil if the error is not
  /// about writing, or is about the other one.
  init?(_ error: PersistentStoreError, making path: String, from source: URL) {
    switch error {
    case .full: self.init(making: path, errno: ENOSPC)
    case .reservedName: self.init(error, making: path)
    case .unwritableValue(_, let reason):
      self.init(
        .badData,
        "cannot make the store \(path.escapingControls): a value does not fit into it: "
          + reason.escapingControls, hint: "Nothing was written. Convert it to SQLite instead.")
    case .noPermission(let url) where url.path != source.path:
      self.init(making: path, errno: EACCES)
    case .failed(let url, let reason) where url.path != source.path && reason.systemErrno != 0:
      self.init(making: path, errno: reason.systemErrno)
    case .uncertain:
      self.init(
        .inputOutput,
        "the disk failed while the store \(path.escapingControls) was made: it may be there or not",
        hint: "Look before you use it: storetool inspect \(path.shellWord)")
    default: return nil
    }
  }

  /// The complaint about a file that cannot be created, by the C library's error number.
  init(making path: String, errno code: Int32) {
    let start = "cannot make the store \(path.escapingControls): "
    switch code {
    case EACCES, EPERM, EROFS:
      self.init(
        .noPermission, start + "you may not write there",
        hint: "Change the folder's permissions, or name a file elsewhere.")
    case ENOSPC, EDQUOT:
      self.init(.inputOutput, start + "there is no room left", hint: "Make room, and try again.")
    case ENOENT, ENOTDIR:
      self.init(
        .cannotCreate, start + "there is no such folder", hint: "Make it, or name another one.")
    default:
      self.init(
        .cannotCreate, start + String(cString: strerror(code)), hint: "Name a file elsewhere.")
    }
  }
}

extension Complaint {
  /// Refuses to create a store where a file exists, or where its external files would be mixed with
  /// another store's.
  static func refuseToMake(over path: String) throws {
    let url = URL(filePath: path)
    for taken in [url, url.supportFolder] where FileManager.default.fileExists(atPath: taken.path) {
      throw Complaint(
        .cannotCreate,
        "cannot make the store \(path.escapingControls): \(taken.lastPathComponent.escapingControls) "
          + "is there already",
        hint: "It is unchanged. Name a new file.")
    }
  }
}

extension URL {
  /// Whether it is a file in the store's folder, rather than the store itself.
  fileprivate func isWithin(_ store: String) -> Bool {
    deletingLastPathComponent().standardizedFileURL.path
      == URL(filePath: store).storeFile.standardizedFileURL.path
  }
}

extension PersistentStoreError {
  /// The operating system's message, if there is one.
  fileprivate var systemReason: String? {
    guard case .failed(_, let error) = self, error.systemErrno != 0 else { return nil }
    return String(cString: strerror(error.systemErrno))
  }
}

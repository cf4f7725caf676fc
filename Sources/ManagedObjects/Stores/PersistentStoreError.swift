import DataFormats
public import SystemLibraries

/// Why a store could not be opened, read or saved, in words of the model.
///
///     do { try context.save() } catch PersistentStoreError.busy { print("Try again.") }
///
/// A save throws `ValidationError` and `ConflictError` as well, a fetch `PredicateBindingError`, a
/// batch `BatchRequestError`, a predicate's text `PredicateFormatError`.
public enum PersistentStoreError: Error, Sendable, CustomStringConvertible {
  /// There is no file, and none was to be made.
  case fileNotFound(URL)
  /// The path is a folder, or something else that holds no bytes.
  case notAFile(URL)
  /// The file is not a SQLite file, or damaged.
  case corrupt(URL, SQLiteError)
  /// The file is a SQLite file, but no Core Data store.
  case notAStore(URL)
  /// The document is damaged, or no store of this kind: where, as far as that can be told, and why.
  /// Lines, and characters in them, count from 1.
  case malformedDocument(URL, line: Int?, column: Int?, String)
  /// Something was to be saved that a document of this kind cannot hold.
  case unwritableValue(URL, String)
  /// There is no file, or an empty one, but the log of one, with changes that are nowhere else: the
  /// file that it belongs to has to come back, or the log has to go.
  case strayLog(URL)
  /// The log beside the file cannot be its own: its pages have another size, or it was written for
  /// a file with more of them.
  case foreignLog(URL)
  /// There is no file, or an empty one, and the name belongs to another store, as that of its log.
  case reservedName(URL)
  /// The file was moved away or replaced while it was open; nothing was saved.
  case moved(URL)
  /// The store was made with another model, or another version of it; see
  /// `PersistentStoreOptions.ignoresModelVersioning`.
  case incompatibleModel(URL, storeHashes: [String: VersionHash], versionIdentifiers: [String])
  /// The store has something that this library would break by writing; see
  /// `PersistentStoreOptions`.
  case cannotWrite(URL, WriteObstacle)
  /// The store was opened to be read only; see `PersistentStoreOptions.isReadOnly`.
  case readOnly(URL)
  /// A pragma would break what a store promises, or is none that a store can have; see
  /// `PersistentStoreOptions.sqlitePragmas`.
  case refusedPragma(URL, name: String, value: String, reason: String)
  /// There is no kind of stores of this name: none was registered, see
  /// `PersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`.
  case unknownStoreType(PersistentStore.StoreType)
  /// The store is of another kind than it was said to be (Core Data's 134010).
  case typeMismatch(URL, expected: PersistentStore.StoreType, found: String)
  /// A store of a program's own gave what cannot be: the kind of the store, and what is wrong.
  case invalidStore(PersistentStore.StoreType, String)
  /// Stores of this kind cannot do what was asked for: what that is.
  case unsupportedOperation(PersistentStore.StoreType, String)
  /// The model asks for something that stores here cannot do yet.
  case unsupportedModel(String)
  /// Another process kept the store longer than was waited for.
  case busy(URL)
  /// There is no room.
  case full(URL)
  /// The file, or its folder, may not be read or written.
  case noPermission(URL)
  /// A store that is not ours to write is read in a copy while its log has something in it, and
  /// none can be made in the folder for temporary files: `TMPDIR`, or `/tmp`. The reason is the
  /// system's.
  case noTemporaryCopy(URL, folder: URL, reason: String)
  /// The disk failed at the end of a save: whether it is in the store is not known. Look before it
  /// is repeated.
  case uncertain(URL, SQLiteError)
  /// Reading or writing failed.
  case failed(URL, SQLiteError)
  /// The store's server cannot be reached: who that is, and why, in the system's or the server's
  /// words.
  case unreachable(URL, host: String, reason: String)
  /// The store's server does not let the user in, or not do that.
  case refused(URL, ServerRefusal, host: String, user: String?)
  /// The connection to the server was cut at the end of a save, and nothing of it is there, as the
  /// server says.
  case connectionLost(URL, reason: String)
  /// The connection to the server was cut at the end of a save, and what became of it cannot be
  /// known. Look before it is repeated.
  case outcomeUnknown(URL, reason: String)
  /// The server could not do something: the SQLSTATE, and the server's words.
  case serverFailed(URL, state: String, reason: String)
  /// A value stands twice where the model allows it once.
  case uniquenessViolation(entity: String, properties: [String])
  /// The file that holds a large value is not beside the store.
  case missingExternalData(URL)
  /// The row of an object is gone.
  case objectNotFound(ManagedObjectID)
  /// The store is in this coordinator already.
  case alreadyAdded(URL)
  /// The store was taken out of its coordinator; what was not saved before cannot be.
  case removed(identifier: String)
  /// The file is a store, but not the one that it was said to be: its UUID is another one.
  case otherStore(URL)
  /// There is no folder for a container's store: neither a home folder nor `XDG_DATA_HOME` is
  /// named.
  case noDefaultFolder
  /// The coordinator has no store yet, so there is nothing to fetch from.
  case noPersistentStore

  /// What a store can have that would be broken by a writer that does not know it.
  public enum WriteObstacle: Sendable, Hashable {
    /// Persistent history: a change made without it would be hidden from those who follow it. See
    /// `PersistentStoreOptions.tracksPersistentHistory`.
    case persistentHistory
    /// Derived attributes, kept by triggers that call functions of Apple's framework.
    case derivedAttributes
    /// CloudKit mirroring.
    case cloudKit
  }

  /// What a server has refused.
  public enum ServerRefusal: Sendable, Hashable {
    /// The user, or the password.
    case login
    /// There is no such database.
    case database
    /// The user may not do that there.
    case permission
  }

  /// One sentence, for a log.
  public var description: String {
    switch self {
    case .fileNotFound(let url): "There is no file at \(url.location)."
    case .notAFile(let url): "\(url.path) is not a file."
    case .corrupt(let url, let error):
      "\(url.path) is damaged or no SQLite file (\(error.message))."
    case .notAStore(let url):
      "\(url.location) is a \(url.isPostgreSQL ? "schema" : "SQLite file"), but no Core Data store."
    case .malformedDocument(let url, let line, let column, let reason):
      url.path + (line.map { ", line \($0)" } ?? "") + (column.map { ", column \($0)" } ?? "")
        + ": \(reason)."
    case .unwritableValue(let url, let reason): "\(url.location) cannot hold this: \(reason)."
    case .strayLog(let url):
      "\(url.path) is missing or empty, but its log \(url.path)-wal is there."
    case .foreignLog(let url): "The log \(url.path)-wal belongs to another file than \(url.path)."
    case .reservedName(let url): "The name \(url.path) is kept for another store's log."
    case .moved(let url): "\(url.path) was moved or replaced while it was open; nothing was saved."
    case .incompatibleModel(let url, _, _): "\(url.location) was made with another model."
    case .cannotWrite(let url, let obstacle): "\(url.path) cannot be written: it has \(obstacle)."
    case .readOnly(let url): "\(url.location) was opened to be read only; nothing was saved."
    case .refusedPragma(let url, let name, let value, let reason):
      "\(url.path) cannot have the pragma \(name) = \(value): \(reason)."
    case .unknownStoreType(let type):
      "There is no kind of stores called \(type): no class was registered for it."
    case .typeMismatch(let url, let expected, let found):
      "\(url.path) is a store of the type \(found), not \(expected)."
    case .invalidStore(let type, let reason): "The \(type) store is wrong: \(reason)."
    case .unsupportedOperation(let type, let reason): "\(type) stores cannot \(reason)."
    case .unsupportedModel(let reason): reason
    case .busy(let url): "\(url.location) is in use."
    case .full(let url): "There is no room for \(url.location)."
    case .noPermission(let url): "\(url.location) may not be read or written."
    case .noTemporaryCopy(let url, let folder, let reason):
      "\(url.path) is read in a copy, which cannot be made in \(folder.path): \(reason)."
    case .uncertain(let url, let error): "\(url.path) may have been saved or not: \(error)"
    case .failed(let url, let error): "\(url.path): \(error)"
    case .unreachable(let url, let host, let reason):
      "\(url.location) cannot be reached at \(host): \(reason)"
    case .refused(let url, let refusal, let host, let user):
      "\(host) refuses \(user ?? "the user") the \(refusal) of \(url.location)."
    case .connectionLost(let url, let reason): "\(url.location) was not saved: \(reason)"
    case .outcomeUnknown(let url, let reason):
      "\(url.location) may have been saved or not: \(reason)"
    case .serverFailed(let url, let state, let reason): "\(url.location): \(reason) (\(state))"
    case .uniquenessViolation(let entity, let properties):
      "Another \(entity) has the same \(properties.joined(separator: " and "))."
    case .missingExternalData(let url): "The value in \(url.path) is missing."
    case .objectNotFound(let id): "There is no row for \(id)."
    case .alreadyAdded(let url): "\(url.location) is open in this coordinator already."
    case .removed(let identifier): "The store \(identifier) was removed from its coordinator."
    case .otherStore(let url): "\(url.location) is another store."
    case .noDefaultFolder: "There is no folder for the store: HOME is not set."
    case .noPersistentStore: "The coordinator has no store yet: add one before fetching."
    }
  }
}

extension PersistentStoreError {
  /// Puts the operating system's error number into the store's words.
  ///
  ///     let error = PersistentStoreError(errno: ENOSPC, at: url)   // .full(url)
  ///
  /// - Parameters:
  ///   - code: the error number, as `errno` has it.
  ///   - url: the store's file, or its folder.
  ///   - isUncertain: whether what was to be saved may be in the store all the same.
  public init(errno code: Int32, at url: URL, isUncertain: Bool = false) {
    switch code {
    case _ where isUncertain: self = .uncertain(url, .system(code))
    case EACCES, EPERM, EROFS: self = .noPermission(url)
    case ENOSPC, EDQUOT, EFBIG: self = .full(url)
    case EISDIR: self = .notAFile(url)
    default: self = .failed(url, .system(code))
    }
  }

  /// What is wrong with a document.
  static func malformedDocument(_ error: DataError, at url: URL) -> PersistentStoreError {
    .malformedDocument(
      url, line: error.line > 0 ? error.line : nil, column: error.column, error.reason)
  }

  /// Runs a body, and throws SQLite's errors as the store's.
  static func mapping<Result>(at url: URL, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  /// Puts SQLite's account into the store's words.
  init(_ error: SQLiteError, at url: URL) {
    if error.isUncertain {
      self = .uncertain(url, error)
    } else if error.isMoved {
      self = .moved(url)
    } else if error.isBusy {
      self = .busy(url)
    } else if error.isFull {
      self = .full(url)
    } else if error.isReadOnly || error.isMissingFolder && access(url.filePath, F_OK) == 0 {
      // The file is there: what cannot be made is the index of its log, in a folder of others'.
      self = .noPermission(url)
    } else if error.isCorrupt || error.isMissingTable {
      self = .corrupt(url, error)
    } else {
      self = .failed(url, error)
    }
  }
}

extension SQLiteError {
  /// What the operating system says, as SQLite says that it cannot open a file (SQLITE_CANTOPEN).
  fileprivate static func system(_ code: Int32) -> SQLiteError {
    SQLiteError(extendedCode: 14, message: String(cString: strerror(code)), systemErrno: code)
  }
}

import DataFormats
public import SystemLibraries

/// The reason why a store could not be opened, read or saved, in terms of the model.
///
///     do { try context.save() } catch PersistentStoreError.busy { print("Try again.") }
///
/// A save throws `ValidationError` and `ConflictError` as well, a fetch `PredicateBindingError`, a
/// batch `BatchRequestError`, a predicate's text `PredicateFormatError`.
public enum PersistentStoreError: Error, Sendable, CustomStringConvertible {
  /// The file does not exist and may not be created.
  case fileNotFound(URL)
  /// The path is a folder or something else that is not a regular file.
  case notAFile(URL)
  /// The file is damaged or not a SQLite file.
  case corrupt(URL, SQLiteError)
  /// The file is a SQLite file, but not a Core Data store.
  case notAStore(URL)
  /// The document is damaged or not of this store type: where, if known, and why. Lines and columns
  /// count from 1.
  case malformedDocument(URL, line: Int?, column: Int?, String)
  /// A value cannot be represented in a document of this store type.
  case unwritableValue(URL, String)
  /// There is no file, or an empty one, next to a write-ahead log with changes stored nowhere else.
  ///
  /// Restore the file that the log belongs to, or remove the log.
  case orphanedLog(URL)
  /// The log next to the file belongs to another file: its page size differs, or it was written for
  /// a file with more pages.
  case foreignLog(URL)
  /// There is no file, or an empty one, under a name that another store uses, such as for its log.
  case reservedName(URL)
  /// The file was moved or replaced while it was open; nothing was saved.
  case moved(URL)
  /// The store was created with another model or another version of it; see
  /// `PersistentStoreOptions.ignoresModelVersioning`.
  case incompatibleModel(URL, storeHashes: [String: VersionHash], versionIdentifiers: [String])
  /// The store uses a feature that this library would break by writing; see
  /// `PersistentStoreOptions`.
  case cannotWrite(URL, WriteObstacle)
  /// The store was opened read-only; see `PersistentStoreOptions.isReadOnly`.
  case readOnly(URL)
  /// A pragma would break a guarantee of the store, or is not one that can be set; see
  /// `PersistentStoreOptions.sqlitePragmas`.
  case refusedPragma(URL, name: String, value: String, reason: String)
  /// There is no store type of this name: register a class for it with
  /// `PersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`.
  case unknownStoreType(PersistentStore.StoreType)
  /// The store has another type than the one given (Core Data's 134010).
  case typeMismatch(URL, expected: PersistentStore.StoreType, found: String)
  /// A custom store returned something invalid: its type, and what is wrong.
  case invalidStore(PersistentStore.StoreType, String)
  /// The store type does not support an operation, which is named.
  case unsupportedOperation(PersistentStore.StoreType, String)
  /// The model uses a feature that this library does not support yet.
  case unsupportedModel(String)
  /// Another process held a lock on the store for longer than the waiting time.
  case busy(URL)
  /// The disk is full.
  case full(URL)
  /// The file or its folder cannot be read or written: permission denied.
  case noPermission(URL)
  /// A store without write access cannot be copied to the temporary folder (`TMPDIR` or `/tmp`).
  ///
  /// It must be read from a copy, since it may not be written to and its log is not empty. The
  /// reason is the system's.
  case noTemporaryCopy(URL, folder: URL, reason: String)
  /// The disk failed at the end of a save: it is unknown whether the save is in the store. Check
  /// before saving again.
  case uncertain(URL, SQLiteError)
  /// Reading or writing failed.
  case failed(URL, SQLiteError)
  /// The store's server cannot be reached: its host, and the reason given by the system or the
  /// server.
  case unreachable(URL, host: String, reason: String)
  /// The server refuses the user's login or the operation.
  case refused(URL, ServerRefusal, host: String, user: String?)
  /// The connection to the server was lost at the end of a save, and the server confirms that
  /// nothing was saved.
  case connectionLost(URL, reason: String)
  /// The connection to the server was lost at the end of a save, and it cannot be determined
  /// whether that was committed. Check before saving again.
  case outcomeUnknown(URL, reason: String)
  /// An operation failed on the server: the SQLSTATE and the server's message.
  case serverFailed(URL, state: String, reason: String)
  /// A value occurs twice where the model requires unique values.
  case uniquenessViolation(entity: String, properties: [String])
  /// The external file of a large value is missing.
  case missingExternalData(URL)
  /// The row of an object does not exist.
  case objectNotFound(ManagedObjectID)
  /// The store was already added to this coordinator.
  case alreadyAdded(URL)
  /// The store was removed from its coordinator; unsaved changes cannot be saved any more.
  case removed(identifier: String)
  /// The file is a different store than expected: its UUID differs.
  case otherStore(URL)
  /// There is no folder for a container's store: neither a home folder nor `XDG_DATA_HOME` is set.
  case noDefaultFolder
  /// The coordinator has no store yet, so nothing can be fetched.
  case noPersistentStore

  /// A feature of a store that a writer unaware of it would break.
  public enum WriteObstacle: Sendable, Hashable {
    /// Persistent history: consumers of the history would miss a change made without it. See
    /// `PersistentStoreOptions.tracksPersistentHistory`.
    case persistentHistory
    /// Derived attributes, maintained by triggers that call functions of Apple's framework.
    case derivedAttributes
    /// CloudKit mirroring.
    case cloudKit
    /// Several names of one file (hard links): SQLite keeps a log beside each, and changes made
    /// under one name are lost under another. Source: SQLite, "How To Corrupt An SQLite Database
    /// File".
    case hardLinks
  }

  /// The reasons why a server refuses a connection or an operation.
  public enum ServerRefusal: Sendable, Hashable {
    /// The user name or the password.
    case login
    /// The database does not exist.
    case database
    /// The user lacks the privilege for the operation.
    case permission
  }

  /// A sentence for a log.
  public var description: String {
    switch self {
    case .fileNotFound(let url): "There is no file at \(url.location)."
    case .notAFile(let url): "\(url.path) is not a file."
    case .corrupt(let url, let error):
      "\(url.path) is damaged or not a SQLite file (\(error.message))."
    case .notAStore(let url):
      "\(url.location) is a \(url.isPostgreSQL ? "schema" : "SQLite file"), but not a Core Data store."
    case .malformedDocument(let url, let line, let column, let reason):
      url.path + (line.map { ", line \($0)" } ?? "") + (column.map { ", column \($0)" } ?? "")
        + ": \(reason)."
    case .unwritableValue(let url, let reason):
      "\(url.location) cannot store this value: \(reason)."
    case .orphanedLog(let url):
      "\(url.path) is missing or empty, but its log \(url.path)-wal exists."
    case .foreignLog(let url): "The log \(url.path)-wal belongs to another file than \(url.path)."
    case .reservedName(let url): "The name \(url.path) is reserved for another store's log."
    case .moved(let url): "\(url.path) was moved or replaced while it was open; nothing was saved."
    case .incompatibleModel(let url, _, _): "\(url.location) was made with another model."
    case .cannotWrite(let url, let obstacle): "\(url.path) cannot be written: it has \(obstacle)."
    case .readOnly(let url): "\(url.location) was opened read-only; nothing was saved."
    case .refusedPragma(let url, let name, let value, let reason):
      "\(url.path) cannot have the pragma \(name) = \(value): \(reason)."
    case .unknownStoreType(let type):
      "The store type \(type) is unknown: no class was registered for it."
    case .typeMismatch(let url, let expected, let found):
      "\(url.path) is a store of the type \(found), not \(expected)."
    case .invalidStore(let type, let reason): "Invalid \(type) store: \(reason)."
    case .unsupportedOperation(let type, let reason): "\(type) stores cannot \(reason)."
    case .unsupportedModel(let reason): reason
    case .busy(let url): "\(url.location) is in use."
    case .full(let url): "There is no space left for \(url.location)."
    case .noPermission(let url): "\(url.location) cannot be read or written: permission denied."
    case .noTemporaryCopy(let url, let folder, let reason):
      "\(url.path) has to be read in a copy, which cannot be made in \(folder.path): \(reason)."
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
    case .alreadyAdded(let url): "\(url.location) is already open in this coordinator."
    case .removed(let identifier): "The store \(identifier) was removed from its coordinator."
    case .otherStore(let url): "\(url.location) is another store."
    case .noDefaultFolder: "There is no folder for the store: HOME is not set."
    case .noPersistentStore: "The coordinator has no store yet: add one before fetching."
    }
  }
}

extension PersistentStoreError {
  /// Creates the error for an error number of the operating system.
  ///
  ///     let error = PersistentStoreError(errno: ENOSPC, at: url)   // .full(url)
  ///
  /// - Parameters:
  ///   - code: the error number, a value of `errno`.
  ///   - url: the URL of the store's file or its folder.
  ///   - isUncertain: whether the data may have been saved nevertheless.
  public init(errno code: Int32, at url: URL, isUncertain: Bool = false) {
    switch code {
    case _ where isUncertain: self = .uncertain(url, .system(code))
    case EACCES, EPERM, EROFS: self = .noPermission(url)
    case ENOSPC, EDQUOT, EFBIG: self = .full(url)
    case EISDIR: self = .notAFile(url)
    default: self = .failed(url, .system(code))
    }
  }

  /// The error for a malformed document.
  static func malformedDocument(_ error: DataError, at url: URL) -> PersistentStoreError {
    .malformedDocument(
      url, line: error.line > 0 ? error.line : nil, column: error.column, error.reason)
  }

  /// Runs a body and rethrows SQLite's errors as store errors.
  static func mapping<Result>(at url: URL, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  /// Creates the store error for a SQLite error.
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
      // The file exists: what cannot be created is the shared-memory index of its log, in a folder
      // without write permission.
      self = .noPermission(url)
    } else if error.isCorrupt || error.isMissingTable {
      self = .corrupt(url, error)
    } else {
      self = .failed(url, error)
    }
  }
}

extension SQLiteError {
  /// An error of the operating system, with its message.
  fileprivate static func system(_ code: Int32) -> SQLiteError {
    SQLiteError(extendedCode: 0, message: String(cString: strerror(code)), systemErrno: code)
  }
}

public import SystemLibraries

/// The undo log of a store: the latest commands and how to revert them, kept in the store itself.
///
///     var options = PersistentStoreOptions()
///     options.undoLogLimit = 1000
///     let container = try PersistentContainer(
///       name: "DogWalk", model: .dogWalk, storeURL: url, options: options)
///     let log = container.persistentStoreCoordinator.undoLog(of: container.persistentStore)!
///
///     log.begin("add Fido 35m")
///     try context.save()
///     try log.undo()    // the walk is gone; tomorrow, or in another process, too
///     try log.redo()    // and back, under the same ID
///
/// A command comprises all saves between two calls of `begin(_:at:by:)`, or else a single save or
/// change of the metadata. It is logged in the transaction that makes the change: both are in the
/// store or neither. Undoing restores equal values, the order of relationships, and primary keys;
/// optimistic-lock counts and the highest keys only increase. Changes made since, with a log or
/// without, are never overwritten.
///
/// Contexts notice it like a save by another process: fetch again, or refresh. Sendable. Unlike
/// `ContextUndoManager`, whose history ends with the process, it has no counterpart in Core Data.
public struct StoreUndoLog: Sendable {
  /// The coordinator's lock.
  let lock: Lock
  let store: any RevertingStore

  /// A command in the log.
  public struct Command: Sendable, Hashable, Identifiable {
    /// The number of the command, higher than those of all earlier ones.
    public let id: Int64
    /// The name that the program gave it; empty if none.
    public let name: String
    /// The date on which it was done.
    public let date: Date
    /// Whether it is currently undone and can be redone.
    public let isUndone: Bool
    /// Whether an `undo` has skipped it: neither `undo` nor `redo` considers it any more.
    public let isSkipped: Bool
    /// The author; nil if the program gave none.
    public let author: String?
    /// The objects that it inserted.
    public let inserted: [ManagedObjectID]
    /// The objects that it updated, including those it linked to others, excluding those it
    /// inserted or deleted.
    public let updated: [ManagedObjectID]
    /// The objects that it deleted.
    public let deleted: [ManagedObjectID]
  }

  /// Names the command that the following saves belong to.
  ///
  /// Saves under one name form one entry, unless a command of another process comes between. `date`
  /// is the date of the command; nil for the time of its first save. `author` is its author, for
  /// programs in which users undo their own commands. Nothing is written.
  public func begin(_ name: String, at date: Date? = nil, by author: String? = nil) {
    lock.withLock { store.undoLog?.begin(name, at: date, by: author) }
  }

  /// The commands, newest first, up to a limit.
  ///
  /// Includes undone commands only if `redo()` can still redo them.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  public func commands(limit: Int? = nil) throws -> [Command] {
    try lock.withLock { try store.undoCommands(limit: limit) }
  }

  /// The number of commands that `undo()` considers: those neither undone nor skipped.
  ///
  ///     print("\(try log.undoCount) commands can be undone")
  ///
  /// Neither reads their changes nor tries to revert them. O(commands). Corresponds to
  /// `UndoManager.undoCount` in Foundation.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  public var undoCount: Int {
    get throws { try lock.withLock { try store.undoCommandCount() } }
  }

  /// The command that `undo()` would revert; nil if there is none.
  ///
  /// - Parameter author: The author, compared without regard to case; commands without an author
  ///   match any. Nil for all authors.
  public func nextToUndo(by author: String? = nil) throws -> Command? {
    try next(undone: false, by: author)
  }

  /// The command that `redo()` would do again; nil if there is none.
  ///
  /// - Parameter author: The author, as for `nextToUndo(by:)`.
  public func nextToRedo(by author: String? = nil) throws -> Command? {
    try next(undone: true, by: author)
  }

  private func next(undone: Bool, by author: String?) throws -> Command? {
    try lock.withLock { try store.nextUndoCommand(undone: undone, by: author) }
  }

  /// Reverts the last command completely, in one transaction; returns nil if there is none.
  ///
  /// Pass a command to revert that one or nothing: if another process changed the log in the
  /// meantime, `StoreUndoError.superseded` is thrown. It need not be the last one if all later ones
  /// are passed as `skipped`: those can no longer be undone or redone, and their changes remain.
  ///
  /// With an author, reverts the last command of that author or without an author; later commands
  /// of other authors are unaffected and can still be undone:
  ///
  ///     try log.undo(by: "Ana")
  ///
  /// - Throws: `StoreUndoError` if rows were changed since; `PersistentStoreError` if the store
  ///   cannot be written. Then nothing has changed.
  @discardableResult
  public func undo(
    _ command: Command? = nil, skipping skipped: [Command] = [], by author: String? = nil
  ) throws -> Command? {
    try undo(command, skipping: skipped, by: author) { _ in }
  }

  /// Reverts the last command like `undo(_:skipping:by:)`, unless the program rejects it.
  ///
  /// - Parameter validate: is called with the command within the transaction, when rows have
  ///   their reverted values; if it throws, nothing is changed.
  @discardableResult
  package func undo(
    _ command: Command? = nil, skipping skipped: [Command] = [], by author: String? = nil,
    validating validate: (Command) throws -> Void
  ) throws -> Command? {
    try lock.withLock {
      try store.revert(
        command, undone: false, skipping: skipped, by: author, validating: validate)
    }
  }

  /// Redoes the command that was undone last; returns nil if there is none or a new command was
  /// done since.
  ///
  /// - Throws: as `undo(_:skipping:by:)` does.
  @discardableResult
  public func redo(_ command: Command? = nil, by author: String? = nil) throws -> Command? {
    try redo(command, by: author) { _ in }
  }

  /// Redoes the command that was undone last like `redo(_:by:)`, unless the program rejects it.
  @discardableResult
  package func redo(
    _ command: Command? = nil, by author: String? = nil,
    validating validate: (Command) throws -> Void
  ) throws -> Command? {
    try lock.withLock {
      try store.revert(command, undone: true, by: author, validating: validate)
    }
  }
}

extension StoreUndoLog {
  /// A command that cannot be reverted, with the reason.
  public struct BlockedCommand: Sendable, Hashable {
    /// The command.
    public let command: Command
    /// The reason.
    public let error: StoreUndoError
  }

  /// The last command that can be reverted, and the later ones that cannot.
  ///
  ///     let (command, blocked) = try log.nextRevertible()
  ///     if let command { try log.undo(command, skipping: blocked.map(\.command)) }
  ///
  /// Tries to revert each command, starting with the last one; nothing is changed.
  ///
  /// - Parameter author: The author, as for `nextToUndo(by:)`.
  /// - Throws: `PersistentStoreError` if the store cannot be written.
  public func nextRevertible(
    by author: String? = nil
  ) throws -> (command: Command?, blocked: [BlockedCommand]) {
    try nextRevertible(by: author) { _ in }
  }

  /// The last command that can be reverted, like `nextRevertible(by:)`, and that the program does
  /// not reject by throwing a `StoreUndoError`.
  package func nextRevertible(
    by author: String? = nil, validating validate: (Command) throws -> Void
  ) throws -> (command: Command?, blocked: [BlockedCommand]) {
    try lock.withLock { try store.nextRevertibleCommand(by: author, validating: validate) }
  }

  /// Deletes all commands, and with them all deleted and overwritten values: none remain in the
  /// store's file.
  ///
  /// A server may keep some of them for a while, in its logs and in pages that are not vacuumed
  /// yet. No command can be undone or redone afterwards. The file is rewritten (`VACUUM`), which
  /// takes time and, temporarily, as much disk space again. Copies made before are not affected.
  ///
  /// - Throws: `PersistentStoreError` if no command was deleted; ``LogRewriteError`` if they were,
  ///   but the file could not be rewritten because of readers or lack of space.
  public func forget() throws {
    try lock.withLock { try store.forgetCommands() }
  }
}

extension StoreUndoLog {
  /// An error after the commands were deleted: the file could not be rewritten.
  ///
  /// Their contents may still be found in the bytes of the file. Call `forget()` to try again.
  public struct LogRewriteError: Error, Sendable {
    /// The reason why it could not be rewritten.
    public let reason: PersistentStoreError
  }
}

public import SystemLibraries

/// The undo log of a store: what was changed last, and the way back, kept in the store itself.
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
/// A command is all that is saved between two calls of `begin(_:at:)`, or else one save, or one
/// change of the metadata. It is written in the transaction that it describes: both are in the
/// store or neither. Undoing brings back equal values, the order of relationships and primary keys;
/// optimistic-lock counts and the highest keys only grow. What somebody changed since, with a log
/// or without one, is never overwritten.
///
/// Contexts learn of it as of another process's save: fetch again, or refresh. Sendable. Unlike
/// `ContextUndoManager`, which forgets with its process, it has no counterpart in Core Data.
public struct StoreUndoLog: Sendable {
  /// The coordinator's.
  let lock: Lock
  let store: any RevertingStore

  /// A command in the log.
  public struct Command: Sendable, Hashable, Identifiable {
    /// Its number: higher than that of every earlier one.
    public let id: Int64
    /// What the program called it; empty where it gave no name.
    public let name: String
    /// When it was done.
    public let date: Date
    /// Whether it is undone now, and `redo` would do it again.
    public let isUndone: Bool
    /// Whether an `undo` has passed over it: neither `undo` nor `redo` comes to it any more.
    public let isSkipped: Bool
    /// Who gave it; nil where the program named nobody.
    public let author: String?
    /// The objects that it made.
    public let inserted: [ManagedObjectID]
    /// The objects that it changed, those that it linked with others among them, but for those that
    /// it made or deleted.
    public let updated: [ManagedObjectID]
    /// The objects that it deleted.
    public let deleted: [ManagedObjectID]
  }

  /// Names the command that the following saves belong to.
  ///
  /// Saves under one name are one entry, as long as no other process's command comes between.
  /// `date` is when the command was given; nil for the time of its first save. `author` is who gave
  /// it, for those who take back their own. Nothing is written.
  public func begin(_ name: String, at date: Date? = nil, by author: String? = nil) {
    lock.withLock { store.undoLog?.begin(name, at: date, by: author) }
  }

  /// The commands there are, the newest first; with a limit, so many.
  ///
  /// Undone ones that `redo()` can come to are among them, others not.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  public func commands(limit: Int? = nil) throws -> [Command] {
    try lock.withLock { try store.undoCommands(limit: limit) }
  }

  /// How many commands `undo()` can come to: those that are neither undone nor passed over.
  ///
  ///     print("\(try log.undoCount) commands can be undone")
  ///
  /// What they changed isn't read, nor tried out. O(commands). `UndoManager.undoCount` of
  /// Foundation is its counterpart.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  public var undoCount: Int {
    get throws { try lock.withLock { try store.undoCommandCount() } }
  }

  /// The command that `undo()` would revert; nil where there is none.
  ///
  /// - Parameter author: Whose, in capitals or not; commands without an author are everybody's. Nil
  ///   for anyone's.
  public func nextToUndo(by author: String? = nil) throws -> Command? {
    try next(undone: false, by: author)
  }

  /// The command that `redo()` would do again; nil where there is none.
  ///
  /// - Parameter author: Whose, as for `nextToUndo(by:)`.
  public func nextToRedo(by author: String? = nil) throws -> Command? {
    try next(undone: true, by: author)
  }

  private func next(undone: Bool, by author: String?) throws -> Command? {
    try lock.withLock { try store.nextUndoCommand(undone: undone, by: author) }
  }

  /// Reverts the last command, whole, in one transaction; nil where there is none.
  ///
  /// Give a command to revert that one or nothing: where another process was faster,
  /// `StoreUndoError.superseded` is thrown. It need not be the last one where all after it are
  /// passed over: those cannot be undone or done again any more, and what they did stays.
  ///
  /// With an author, it is the last command of that author or of nobody; those of others after it
  /// stay as they are, and can be undone as before:
  ///
  ///     try log.undo(by: "Ana")
  ///
  /// - Throws: `StoreUndoError` where rows changed since; `PersistentStoreError` where the store
  ///   cannot be written. Nothing is changed then.
  @discardableResult
  public func undo(
    _ command: Command? = nil, passingOver skipped: [Command] = [], by author: String? = nil
  ) throws -> Command? {
    try undo(command, passingOver: skipped, by: author) { _ in }
  }

  /// Reverts the last command, as `undo(_:passingOver:by:)`, unless a program refuses it.
  ///
  /// - Parameter validate: is given the command inside the transaction, when rows are as they will
  ///   be; where it throws, nothing is changed.
  @discardableResult
  package func undo(
    _ command: Command? = nil, passingOver skipped: [Command] = [], by author: String? = nil,
    validating validate: (Command) throws -> Void
  ) throws -> Command? {
    try lock.withLock {
      try store.revert(
        command, undone: false, passingOver: skipped, by: author, validating: validate)
    }
  }

  /// Does the command again that was undone last; nil where there is none, or something new was
  /// done.
  ///
  /// - Throws: as `undo(_:)`.
  @discardableResult
  public func redo(_ command: Command? = nil, by author: String? = nil) throws -> Command? {
    try redo(command, by: author) { _ in }
  }

  /// Does the command again that was undone last, as `redo(_:by:)`, unless a program refuses it.
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
  /// A command that cannot be reverted, and why.
  public struct BlockedCommand: Sendable, Hashable {
    /// The command.
    public let command: Command
    /// Why it cannot be reverted.
    public let error: StoreUndoError
  }

  /// The last command that can be reverted, and those after it that cannot.
  ///
  ///     let (command, blocked) = try log.nextRevertible()
  ///     if let command { try log.undo(command, passingOver: blocked.map(\.command)) }
  ///
  /// Each is tried out, from the last one on, and nothing is changed.
  ///
  /// - Parameter author: Whose, as for `nextToUndo(by:)`.
  /// - Throws: `PersistentStoreError` where the store cannot be written.
  public func nextRevertible(
    by author: String? = nil
  ) throws -> (command: Command?, blocked: [BlockedCommand]) {
    try nextRevertible(by: author) { _ in }
  }

  /// The last command that can be reverted, as `nextRevertible(by:)`, and that a program does not
  /// refuse by throwing a `StoreUndoError`.
  package func nextRevertible(
    by author: String? = nil, validating validate: (Command) throws -> Void
  ) throws -> (command: Command?, blocked: [BlockedCommand]) {
    try lock.withLock { try store.nextRevertibleCommand(by: author, validating: validate) }
  }

  /// Forgets all commands, and with them every value that was deleted or changed: nothing of it is
  /// left in the store's file.
  ///
  /// A server may keep some of it for a while, in its logs and in what it has not cleared yet. None
  /// of them can be undone or done again. The file is written anew (`VACUUM`), which takes time
  /// and, for a while, as much room again. Copies that were made of it before know nothing of this.
  ///
  /// - Throws: `PersistentStoreError` where no command was forgotten; ``RemainsError`` where they
  ///   are, and the file could not be written anew, since others kept reading or there is no room.
  public func forget() throws {
    try lock.withLock { try store.forgetCommands() }
  }
}

extension StoreUndoLog {
  /// The commands are forgotten, but the file could not be written anew.
  ///
  /// What they held may still be found by those who read the file's bytes. `forget()` tries again.
  public struct RemainsError: Error, Sendable {
    /// Why it could not be written.
    public let reason: PersistentStoreError
  }
}

/// Why a command could not be undone or done again; nothing was changed.
public enum StoreUndoError: Error, Sendable, Hashable {
  /// Somebody changed a row since, or a link or the metadata, which have no object.
  case changedSince(ManagedObjectID?)
  /// Somebody deleted a row since.
  case deletedSince(ManagedObjectID)
  /// Another process's command, undo or redo came between.
  case superseded
  /// The command was done in a store with another model.
  case otherModel
  /// What the store keeps of the command is damaged.
  case unreadable
}

public import DataModel
public import SystemLibraries

/// A document whose contents are managed objects: a folder with a store, which saves automatically.
///
///     let document = ManagedDocument(fileURL: url, managedObjectModel: model)
///     try document.create()        // or open(), if it exists
///     let dog = Dog(context: document.managedObjectContext)
///     dog.name = "Fido"            // saved some seconds later
///     try document.close()         // or now
///
/// The folder has the layout of UIManagedDocument: `NAME/StoreContent/persistentStore`. Objects are
/// edited in `managedObjectContext`, which saves into a private parent context for writing; the
/// document saves that one. A document belongs to the main actor, as do both contexts. Several may
/// be open, even of one file: what one saves the others merge. A process that is killed leaves a
/// document that can be opened. Follows UIKit's `UIManagedDocument` and `UIDocument`.
@MainActor
open class ManagedDocument {
  /// The state of a document; `normal` is open without errors.
  public struct State: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Creates a state from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Open without errors.
    public static let normal: State = []
    /// Not open: not yet, or no longer.
    public static let closed = State(rawValue: 1)
    /// Objects that are changed here were changed elsewhere too.
    ///
    /// `save()` throws until a merge policy is set, or the changes are discarded (`revert()`).
    public static let inConflict = State(rawValue: 2)
    /// The last save failed; the changes are kept, and saving is tried again.
    public static let savingError = State(rawValue: 4)
    /// The document is read-only.
    public static let editingDisabled = State(rawValue: 8)
  }

  /// The URL of the document's folder.
  public let fileURL: URL
  /// The model of its objects.
  public let managedObjectModel: ManagedObjectModel
  /// The options for opening its store; a store of another version is migrated by default.
  public var persistentStoreOptions = PersistentStoreOptions.migrating
  /// The delay after a change until the document saves automatically; nil for never.
  ///
  ///     document.autosaveDelay = .seconds(1)
  public var autosaveDelay: Duration? = .seconds(5)
  /// How a save resolves conflicts with changes made elsewhere; it fails by default.
  public var mergePolicy = MergePolicy.error {
    didSet { stack?.writer.mergePolicy = mergePolicy }
  }
  /// Called after each save, once it is on the disk.
  ///
  /// Also called for saves of other documents that were merged.
  public var onSave: ((ChangedObjectIDs) -> Void)?
  /// Called when the document's state has changed.
  public var onStateChange: ((State) -> Void)?

  /// The current state of the document.
  public internal(set) var documentState = State.closed {
    didSet { if oldValue != documentState { onStateChange?(documentState) } }
  }
  /// The error of the last save; nil if it succeeded.
  public internal(set) var savingError: (any Error)?

  /// The objects of an open document.
  struct Stack {
    let coordinator: PersistentStoreCoordinator
    let store: PersistentStore
    let writer: ManagedObjectContext
    let context: ManagedObjectContext
    /// The observations by which the document is notified.
    let observations: [ContextObservation]
  }
  var stack: Stack?
  /// Whether additional content is to be saved.
  var hasUnsavedContent = false
  /// The task that will save the document, unless it is saved before.
  var autosaving: Task<Void, Never>?

  /// Creates a document that is closed; the disk is not touched.
  public init(fileURL: URL, managedObjectModel: ManagedObjectModel) {
    self.fileURL = fileURL
    self.managedObjectModel = managedObjectModel
  }

  isolated deinit { autosaving?.cancel() }

  // MARK: For subclasses

  /// The name of the store's file in the folder `StoreContent`.
  open class var persistentStoreName: String { "persistentStore" }

  /// Writes the document's additional content into an empty folder; writes nothing by default.
  ///
  ///     final class Album: ManagedDocument {
  ///       var cover = Data()
  ///       override func writeAdditionalContent(to folder: URL) throws {
  ///         try cover.write(to: folder.appending(path: "cover.jpeg"))
  ///       }
  ///     }
  ///
  /// Called by a save after `updateChangeCount()`. The folder replaces the former one atomically,
  /// before the objects are saved.
  open func writeAdditionalContent(to folder: URL) throws {}

  /// Reads the additional content; called before the document is open, if there is any.
  open func readAdditionalContent(from folder: URL) throws {}

  // MARK: Contents

  /// The context of the document's objects.
  ///
  ///     let dogs = try document.managedObjectContext.fetch(Dog.fetchRequest())
  ///
  /// It has an undo manager. Saving it passes changes to the document, which writes them to the
  /// disk with its next `save()`.
  ///
  /// - Precondition: the document is open.
  public var managedObjectContext: ManagedObjectContext {
    guard let stack else {
      fatalError("The document \(fileURL.path) is closed: it has no objects.")
    }
    return stack.context
  }

  /// The undo manager; nil for a closed document.
  public var undoManager: ContextUndoManager? { stack?.context.undoManager }

  /// Whether there are changes to save.
  public var hasUnsavedChanges: Bool {
    guard let stack else { return false }
    return hasUnsavedContent || stack.context.hasChanges || stack.writer.hasChanges
  }

  /// Marks the additional content as changed, and schedules an autosave.
  public func updateChangeCount() {
    hasUnsavedContent = true
    scheduleAutosave()
  }

  // MARK: Opening and closing

  /// Opens the document.
  ///
  /// If its folder is not writable, it is read-only (`editingDisabled`). Does nothing if it is
  /// open.
  ///
  /// - Throws: `ManagedDocumentError` if there is none; `PersistentStoreError` or `MigrationError`,
  ///   as when any store is opened: `incompatibleModel` for a newer version; errors that
  ///   `readAdditionalContent(from:)` throws.
  public func open() throws {
    guard stack == nil else { return }
    let package = DocumentPackage(url: fileURL, storeName: Self.persistentStoreName)
    let isWritable = try package.prepare()
    var options = persistentStoreOptions
    options.createsFile = false
    if !isWritable { options.isReadOnly = true }
    let coordinator = PersistentStoreCoordinator(managedObjectModel: managedObjectModel)
    let store = try coordinator.addPersistentStore(
      type: .sqlite, at: package.storeURL, options: options)
    if package.hasContent { try readAdditionalContent(from: package.contentURL) }
    // The content has just been read, even if the subclass's property setters have marked it as
    // changed.
    hasUnsavedContent = false
    let writer = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    writer.mergePolicy = mergePolicy
    // In the state in which they were read, so that changes made elsewhere are detected.
    writer.retainsRegisteredObjects = true
    writer.owner = .mainActor
    let context = ManagedObjectContext(parent: writer)
    context.automaticallyMergesChangesFromParent = true
    context.undoManager = ContextUndoManager()
    stack = Stack(
      coordinator: coordinator, store: store, writer: writer, context: context,
      observations: observe(context, writer))
    documentState = options.isReadOnly ? .editingDisabled : .normal
    OpenDocuments.shared.add(self)
  }

  /// Saves unsaved changes, and closes the document; its objects must not be used afterwards.
  ///
  /// Does nothing if it is closed.
  ///
  /// - Throws: as `save()` does; then it is still open, with all its changes.
  public func close() throws {
    guard stack != nil else { return }
    if hasUnsavedChanges { try save() }
    closeWithoutSaving()
  }

  /// Closes the document, and discards unsaved changes.
  public func closeWithoutSaving() {
    autosaving?.cancel()
    autosaving = nil
    guard let closing = stack else { return }
    stack = nil
    hasUnsavedContent = false
    OpenDocuments.shared.remove(self)
    // Removing the store copies its log into the file, so that the folder can be copied as it is.
    try? closing.coordinator.remove(closing.store)
    documentState = .closed
  }

  private func observe(
    _ context: ManagedObjectContext, _ writer: ManagedObjectContext
  ) -> [ContextObservation] {
    // Both contexts belong to the main actor, so changes are made on it.
    let changes = context.observe(.objectsDidChange) { _ in }
    context.madeObservers.eventBegins = { [weak self] in
      MainActor.assumeIsolated { self?.scheduleAutosave() }
    }
    let saves = writer.observe(.didSave) { [weak self] changes in
      let ids = changes.objectIDs
      MainActor.assumeIsolated { self?.didSave(ids) }
    }
    return [changes, saves]
  }
}

public import DataModel
public import SystemLibraries

/// A document whose contents are managed objects: a folder with a store in it, which saves itself.
///
///     let document = ManagedDocument(fileURL: url, managedObjectModel: model)
///     try document.create()        // or open(), where it is there
///     let dog = Dog(context: document.managedObjectContext)
///     dog.name = "Fido"            // saved some seconds later
///     try document.close()         // or now
///
/// The folder is as UIManagedDocument has it: `NAME/StoreContent/persistentStore`. Objects are
/// worked on in `managedObjectContext`, which saves into a context of its own for writing; the
/// document saves that one. A document belongs to the main actor, as do both. Several may be open,
/// also of one file: what one saves the others take over. A process that is killed leaves a
/// document that opens. Follows UIKit's `UIManagedDocument` and `UIDocument`.
@MainActor
open class ManagedDocument {
  /// What a document is like; `normal` is open, and everything is well.
  public struct State: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Creates a state from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Open, and everything is well.
    public static let normal: State = []
    /// Not open: not yet, or not any more.
    public static let closed = State(rawValue: 1)
    /// Others have saved what is changed here, too: `save()` throws until a merge policy is set, or
    /// the changes are given up (`revert()`).
    public static let inConflict = State(rawValue: 2)
    /// The last save failed; what was changed is still here, and is tried again.
    public static let savingError = State(rawValue: 4)
    /// The document may only be read.
    public static let editingDisabled = State(rawValue: 8)
  }

  /// Where the document's folder is.
  public let fileURL: URL
  /// The model of its objects.
  public let managedObjectModel: ManagedObjectModel
  /// How its store is opened; a store of another version is migrated unless set otherwise.
  public var persistentStoreOptions = PersistentStoreOptions.migrating
  /// How long after a change the document saves itself; nil for not at all.
  ///
  ///     document.autosaveDelay = .seconds(1)
  public var autosaveDelay: Duration? = .seconds(5)
  /// What happens to changes that others have made to the same objects; saving fails unless set.
  public var mergePolicy = MergePolicy.error {
    didSet { stack?.writer.mergePolicy = mergePolicy }
  }
  /// What hears of each save, once it is on the disk: of those here, and of others' that were taken
  /// over.
  public var onSave: ((ChangedObjectIDs) -> Void)?
  /// What hears when the document's state has changed.
  public var onStateChange: ((State) -> Void)?

  /// What the document is like now.
  public internal(set) var documentState = State.closed {
    didSet { if oldValue != documentState { onStateChange?(documentState) } }
  }
  /// Why the last save failed; nil where it did not.
  public internal(set) var savingError: (any Error)?

  /// What an open document has.
  struct Stack {
    let coordinator: PersistentStoreCoordinator
    let store: PersistentStore
    let writer: ManagedObjectContext
    let context: ManagedObjectContext
    /// Keep the document's ears open.
    let observations: [ContextObservation]
  }
  var stack: Stack?
  /// Whether content beside the store is to be saved.
  var hasUnsavedContent = false
  /// What will save the document, unless somebody does before.
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

  /// Writes what the document keeps beside its store into an empty folder; nothing, unless
  /// overridden.
  ///
  ///     final class Album: ManagedDocument {
  ///       var cover = Data()
  ///       override func writeAdditionalContent(to folder: URL) throws {
  ///         try cover.write(to: folder.appending(path: "cover.jpeg"))
  ///       }
  ///     }
  ///
  /// Called by a save after `updateChangeCount()`. The folder takes the place of the last one at
  /// once, and before the objects are saved.
  open func writeAdditionalContent(to folder: URL) throws {}

  /// Reads what was written; called before the document is open, where there is any.
  open func readAdditionalContent(from folder: URL) throws {}

  // MARK: What is in it

  /// The context of the document's objects.
  ///
  ///     let dogs = try document.managedObjectContext.fetch(Dog.fetchRequest())
  ///
  /// It has an undo manager. Saving it hands changes to the document, which has them on the disk
  /// with its next `save()`.
  ///
  /// - Precondition: the document is open.
  public var managedObjectContext: ManagedObjectContext {
    guard let stack else {
      fatalError("The document \(fileURL.path) is closed: it has no objects.")
    }
    return stack.context
  }

  /// What undoes and redoes changes; nil of a closed document.
  public var undoManager: ContextUndoManager? { stack?.context.undoManager }

  /// Whether there is anything to save.
  public var hasUnsavedChanges: Bool {
    guard let stack else { return false }
    return hasUnsavedContent || stack.context.hasChanges || stack.writer.hasChanges
  }

  /// Has content beside the store be saved with the next save, and that come in a while.
  public func updateChangeCount() {
    hasUnsavedContent = true
    scheduleAutosave()
  }

  // MARK: Opening and closing

  /// Opens the document.
  ///
  /// Where its folder may not be written to it is only read (`editingDisabled`). Does nothing where
  /// it is open.
  ///
  /// - Throws: `ManagedDocumentError` where there is none; `PersistentStoreError` or
  ///   `MigrationError`, as when any store is opened: of a newer version `incompatibleModel`; what
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
    // What was read is what is there, whatever a subclass's properties say of having been set.
    hasUnsavedContent = false
    let writer = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    writer.mergePolicy = mergePolicy
    // As they were read, so that what others change meanwhile is noticed.
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

  /// Saves what is unsaved, and closes the document; its objects are of no use from then on.
  ///
  /// Does nothing where it is closed.
  ///
  /// - Throws: as `save()` does; then it is still open, with all that was changed.
  public func close() throws {
    guard stack != nil else { return }
    if hasUnsavedChanges { try save() }
    closeWithoutSaving()
  }

  /// Closes the document without saving what is unsaved.
  public func closeWithoutSaving() {
    autosaving?.cancel()
    autosaving = nil
    guard let closing = stack else { return }
    stack = nil
    hasUnsavedContent = false
    OpenDocuments.shared.remove(self)
    // The store's last act is to copy its log into the file, so that the folder can be copied as it
    // is.
    try? closing.coordinator.remove(closing.store)
    documentState = .closed
  }

  private func observe(
    _ context: ManagedObjectContext, _ writer: ManagedObjectContext
  ) -> [ContextObservation] {
    // The main actor's, as both contexts are: whoever changes them is there.
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

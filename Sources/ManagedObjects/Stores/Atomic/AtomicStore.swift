public import SystemLibraries
import DataModel

/// A store of a program's own that is read whole when it is added, and written whole by each save.
///
///     final class NotesStore: AtomicStore, @unchecked Sendable {
///       override func loadMetadata() throws { metadata = try NotesFile(url).metadata() }
///       override func load() throws { addCacheNodes(try NotesFile(url).nodes(of: self)) }
///       override func save() throws { try NotesFile(url).write(metadata, cacheNodes) }
///     }
///
/// That is all it takes: the library does predicates, sorts, limits, dictionaries, relationships in
/// both directions, delete rules, uniqueness, and conflicts between contexts. A store that several
/// programs may have open also says whether it `isOutdated()`, and keeps others from saving between
/// `lock()` and `unlock()`; then their saves meet as they do in any store. One that can take the
/// place of what an older version of the model has left overrides `willMigrate()`. See
/// ``CustomStore`` for what holds for both kinds. Derived attributes are refused. Follows Core
/// Data's `NSAtomicStore`.
open class AtomicStore: CustomStore, @unchecked Sendable {
  /// The rows that are made of the nodes.
  private(set) lazy var rows = CacheNodeRows(self)

  // MARK: To be overridden

  /// Sets the store's ``CustomStore/metadata``, or leaves it empty where there is no store yet.
  ///
  /// In that case the library makes the metadata (a UUID, the model's version hashes) and has an
  /// empty store saved at once, unless `PersistentStoreOptions.createsFile` says that it must be
  /// there.
  open override func loadMetadata() throws { try super.loadMetadata() }

  /// Adds a node for every object, in the order in which they should be found.
  ///
  /// To-ones name the object at the other end; of a to-many and its inverse one is enough, and both
  /// must agree where both are there.
  ///
  /// - Throws: whatever is wrong.
  open func load() throws {}

  /// Writes the ``CustomStore/metadata`` and all ``cacheNodes``, in one step: where it throws, what
  /// was stored must still be there.
  ///
  /// - Throws: whatever is wrong; the context's save throws that, and has changed nothing.
  open func save() throws {}

  /// What a new object will be known by.
  ///
  /// Unless overridden, the number behind the highest that an object of its family has, or that was
  /// given to one which is not saved yet. To-ones of the snapshot may still have temporary IDs. Of
  /// two processes that give one reference before either saves, the second one's save is a
  /// ``ConflictError``. Two new objects of one process must not get the same.
  open func newReferenceObject(for object: ManagedObjectSnapshot) throws -> ReferenceObject {
    rows.nextNumber(of: object.objectID.binding.root)
  }

  /// A node for a new object.
  open func newCacheNode(for object: ManagedObjectSnapshot) -> AtomicStoreCacheNode {
    AtomicStoreCacheNode(objectID: object.objectID)
  }

  /// Tells that an object was changed, before ``save()``; and again, where that throws, that it is
  /// what it was.
  ///
  /// For nodes that keep something of their own; the library's values are the new ones already.
  open func updateCacheNode(_ node: AtomicStoreCacheNode, from object: ManagedObjectSnapshot) {}

  /// Tells that objects were deleted, before ``save()``.
  open func willRemoveCacheNodes(_ nodes: [AtomicStoreCacheNode]) {}

  /// Whether others have changed the store since it was loaded or saved; then it is loaded again.
  ///
  /// Asked before each fetch and each save. False unless overridden.
  open func isOutdated() throws -> Bool { false }

  /// The file by whose changes ``isOutdated()`` goes, or the folder whose files those are.
  ///
  /// For those who follow what others do (`PersistentStoreCoordinator.remoteChanges(of:)`): where
  /// it is nil, as unless overridden, they ask about once a second; else only when the system tells
  /// that something has happened there. Files whose names begin with a dot do not count.
  open var watchedURL: URL? { nil }

  /// Gets ready to go on at another place, where the same store is; its UUID was looked at.
  ///
  /// For `PersistentStoreCoordinator.setURL(_:for:)`. Unless overridden it throws.
  ///
  /// - Returns: what has it use that place from then on; next it should say that it `isOutdated()`.
  /// - Throws: `PersistentStoreError.unsupportedOperation`; nothing has changed then.
  open func moving(to url: URL) throws -> () -> Void {
    throw PersistentStoreError.unsupportedOperation(type, "change its URL")
  }

  /// Waits until no other process saves, and keeps others from it until ``unlock()``.
  ///
  /// - Throws: `PersistentStoreError.busy` where that takes too long.
  open func lock() throws {}

  /// Lets others save again.
  open func unlock() {}

  /// Gets ready for a ``save()`` that puts everything in the place of what is stored, which is of
  /// another version of the model.
  ///
  /// With this, and with version hashes among its metadata, a store is migrated when it is opened
  /// with `PersistentStoreOptions.migratesAutomatically`. The store that is called has loaded its
  /// metadata and nothing else, between ``lock()`` and ``unlock()``; every object is a new one to
  /// it, by ``newCacheNode(for:)``, and what is stored of any other has to go. One whose `save()`
  /// writes everything anyway overrides it with nothing in it. Meanwhile what there is is loaded by
  /// another store of the class, with the model that it was made with, to be read only. It is
  /// brought into a SQLite store among temporary files, which is migrated as any is, and from there
  /// into this one. UUID and an application's metadata stay, and where all mappings are inferred
  /// what objects are known by. A backup is made by the class's `replacePersistentStore`.
  ///
  /// Unless overridden it throws, since a store that writes only what has changed would leave much
  /// of what was there.
  ///
  /// - Throws: `PersistentStoreError.unsupportedOperation`; the store is as it was then.
  open func willMigrate() throws {
    throw PersistentStoreError.unsupportedOperation(
      type, "be migrated to another version of the model")
  }

  // MARK: Nodes

  /// The nodes of all objects, in the order in which they were added.
  ///
  /// One that has not been asked for yet is made.
  public var cacheNodes: [AtomicStoreCacheNode] { rows.allNodes }

  /// Adds nodes while the store loads.
  ///
  /// For many objects, an ``AtomicStoreTable`` takes less time.
  ///
  /// - Precondition: their IDs are this store's, each once.
  public func addCacheNodes(_ nodes: some Sequence<AtomicStoreCacheNode>) { rows.add(nodes) }

  /// The node of an object; nil where there is none.
  public func cacheNode(for objectID: ManagedObjectID) -> AtomicStoreCacheNode? {
    objectID.binding.store === identity ? rows.node(of: objectID.key) : nil
  }

  // MARK: Opening

  override func prepare() throws {
    try refuseDerivedAttributes()
    try loadMetadata()
    if metadata[StoredMetadata.uuidKey] == nil { try make() }
    try adoptMetadata()
    rows.contents = try rows.load(previous: nil)
  }

  /// Makes a store without objects; where others were faster, theirs is left.
  private func make() throws {
    guard storeDescription.options.createsFile, !isReadOnly else {
      throw PersistentStoreError.fileNotFound(urlForErrors)
    }
    try lock()
    defer { unlock() }
    metadata = [:]
    try loadMetadata()
    guard metadata[StoredMetadata.uuidKey] == nil else { return }
    metadata = StoredMetadata.modelMetadata(managedObjectModel)
    metadata[StoredMetadata.uuidKey] = .string(Self.identifierForNewStore(at: url))
    try adoptMetadata()
    try save()
  }

  override var rowStore: any RowStore { self }

  override var traces: StoreTraces { watchedURL.map { StoreTraces(fileOrFolder: $0) } ?? .store }

  override func changeCount() throws -> Int64 { try rows.changeCount() }
}

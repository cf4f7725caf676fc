import DataFormats
public import DataModel
public import ManagedObjects
public import SystemLibraries

/// A store that is a folder of CSV files, which people edit by hand and with spreadsheets.
///
///     CSVStore.register()
///     let container = try PersistentContainer(
///       name: "Kennel", model: model, storeURL: folder, type: .csv)
///
/// There is a file for each entity, and `manifest.json`, which identifies the store:
///
/// ```text
/// Dog,birthday,name            Walk,date,duration,dog,dog position
/// 1,,Fido                      1,2026-11-21T09:00:00Z,2100,1,1
/// 2,,'                         2,2026-11-21T18:30:00Z,1800,1,2
/// ```
///
/// The column named like the entity contains each object's number; the others are named like the
/// properties. A field without a value is empty, and an empty text is an apostrophe. A to-one
/// contains the number of its destination, and a to-many without an inverse to-one contains the
/// numbers of its members, separated by spaces; the order of a to-many is stored with its members,
/// as in `dog position`. A file may have its columns in any order, and semicolons or tabs as
/// separators: this is kept when it is rewritten.
///
/// A save rewrites the files of the entities whose objects have changed, and takes effect when the
/// manifest is replaced: if the program is killed, either the old store or the new one remains.
/// Several programs may have a store open, along with spreadsheets; changes saved by others are
/// read before each fetch and save. A store of another model version is migrated if the options
/// enable that and contain the version: numbers, separators and the order of columns are kept. An
/// error in a file is reported with line and column (`PersistentStoreError.malformedDocument`).
///
/// Uses only the library's public interface: it is a subclass of `AtomicStore`.
public final class CSVStore: AtomicStore, @unchecked Sendable {
  private var files: CSVFiles
  private let layouts: [CSVLayout]
  private var manifest = CSVManifest()
  /// The format of each entity's file when it was read.
  private var forms: [String: CSVForm] = [:]
  /// The entities whose files must be rewritten.
  private var changed: Set<String> = []
  /// Whether the store was moved to another folder since it was read.
  private var hasMoved = false
  /// Whether the next save replaces a store of another model version.
  private var isMigrating = false

  /// Creates a store that is not loaded yet; called by the coordinator.
  public required init(_ opening: StoreParameters) {
    guard let url = opening.url else { fatalError("A CSV store needs a URL.") }
    files = CSVFiles(folder: url, busyTimeout: opening.description.options.busyTimeout)
    layouts = CSVLayout.all(of: opening.managedObjectModel)
    super.init(opening)
  }

  /// Registers the store type for the whole process.
  public static func register() {
    PersistentStoreCoordinator.registerStoreClass(CSVStore.self, forStoreType: .csv)
  }

  // MARK: Loading

  public override func loadMetadata() throws {
    if let problem = CSVLayout.problem(with: layouts) {
      throw PersistentStoreError.unsupportedModel(problem)
    }
    guard let found = try files.readManifest() else { return }
    manifest = found
    metadata = found.metadata
    metadata["NSStoreUUID"] = .string(found.identifier)
  }

  public override func load() throws {
    if manifest.isIncomplete, !isReadOnly, !files.isLocked {
      // An interrupted save. If it cannot be completed now, the files are read as they are.
      try? changing { try files.completeSave(&$0) }
    }
    let tables = try files.reading { () throws -> [CSVTable] in
      guard let found = try files.readManifest() else {
        throw PersistentStoreError.moved(files.folder)
      }
      manifest = found
      return try layouts.compactMap { layout in
        try files.read(layout.fileName, in: found).map { file, bytes in
          try CSVTable(bytes, of: layout, at: file)
        }
      }
    }
    try CSVObjects(tables, in: self).load()
    forms = Dictionary(
      uniqueKeysWithValues: tables.map { ($0.layout.entity.name, CSVForm($0)) })
    hasMoved = false
  }

  /// Runs a body on the current manifest while holding the lock.
  private func changing(_ body: (inout CSVManifest) throws -> Void) throws {
    try files.lock(makesFolder: false)
    defer { files.unlock() }
    if var found = try files.readManifest() { try body(&found) }
  }

  public override func isOutdated() throws -> Bool { hasMoved || files.haveChanged }

  public override var watchedURL: URL? { url }

  public override func moving(to url: URL) throws -> () -> Void {
    { [busyTimeout = storeDescription.options.busyTimeout] in
      self.files = CSVFiles(folder: url, busyTimeout: busyTimeout)
      self.hasMoved = true
    }
  }

  public override func lock() throws {
    try files.lock(makesFolder: manifest.identifier.isEmpty)
  }

  public override func unlock() { files.unlock() }

  // MARK: Saving

  /// One more than the highest number ever used in the object's entity hierarchy.
  public override func newReferenceObject(
    for object: ManagedObjectSnapshot
  ) throws -> ReferenceObject {
    let root = root(of: object.entity.name)
    let next = max(
      try super.newReferenceObject(for: object).number ?? 1, (manifest.highest[root] ?? 0) + 1)
    manifest.highest[root] = next
    return ReferenceObject(next)
  }

  private func root(of entityName: String) -> String {
    layouts.first { $0.entity.name == entityName }?.root ?? entityName
  }

  public override func newCacheNode(for object: ManagedObjectSnapshot) -> AtomicStoreCacheNode {
    changed.insert(object.entity.name)
    return super.newCacheNode(for: object)
  }

  public override func updateCacheNode(
    _ node: AtomicStoreCacheNode, from object: ManagedObjectSnapshot
  ) {
    changed.insert(object.entity.name)
  }

  public override func willRemoveCacheNodes(_ nodes: [AtomicStoreCacheNode]) {
    for node in nodes {
      let root = root(of: node.objectID.entity.name)
      let number = referenceObject(for: node.objectID).number ?? 0
      manifest.highest[root] = max(manifest.highest[root] ?? 0, number)
    }
    for entityName in Set(nodes.map(\.objectID.entity.name)) {
      changed.insert(entityName)
      // References to it are removed.
      let root = root(of: entityName)
      for layout in layouts where layout.columns.contains(where: { $0.root == root }) {
        changed.insert(layout.entity.name)
      }
    }
  }

  /// The number of an object; nil if it was deleted.
  func number(of id: ManagedObjectID) -> Int64? {
    cacheNode(for: id).flatMap { _ in referenceObject(for: id).number }
  }

  public override func save() throws {
    do {
      try files.completeSave(&manifest)
    } catch PersistentStoreError.uncertain(let url, let error) {
      // Of this save nothing is written yet.
      throw PersistentStoreError.failed(url, error)
    }
    let known = Set(manifest.files)
    var written: [(name: String, bytes: [UInt8])] = []
    for layout in layouts {
      let name = layout.entity.name
      guard isMigrating || changed.contains(name) || !known.contains(layout.fileName) else {
        continue
      }
      let writer = CSVTableWriter(layout, like: forms[name], store: self)
      written.append((layout.fileName, try writer.bytes()))
    }
    var next = manifest
    next.setMetadata(metadata)
    let names = Set(layouts.map(\.fileName))
    next.files = (isMigrating ? names : known.union(names)).sorted()
    next.removed = known.subtracting(next.files).sorted()
    // Only those that the rows do not contain.
    next.highest = try manifest.highest.filter { try $0.value > highestNumber(of: $0.key) }
    var uncertainty: PersistentStoreError?
    do {
      try files.write(written, &next, known: known)
    } catch PersistentStoreError.uncertain(let url, let error) {
      // The new manifest is written.
      uncertainty = .uncertain(url, error)
    }
    next.highest.merge(manifest.highest) { max($0, $1) }
    manifest = next
    changed = []
    isMigrating = false
    if let uncertainty { throw uncertainty }
  }

  /// The highest number of a root entity's objects; 0 if there are none.
  private func highestNumber(of root: String) throws -> Int64 {
    var highest: Int64 = 0
    for layout in layouts where layout.root == root {
      for row in try AtomicStoreTable(of: layout.entity, columns: [], in: self).rows {
        highest = max(highest, referenceObject(for: row.objectID).number ?? 0)
      }
    }
    return highest
  }

  // MARK: Changed models

  /// Files keep their format as far as their columns remain; those of entities that the model no
  /// longer has are removed.
  public override func willMigrate() throws {
    isMigrating = true
    forms = [:]
    let renaming = CSVRenaming(managedObjectModel)
    var highest: [String: Int64] = [:]
    for layout in layouts {
      highest[layout.root] = manifest.highest[renaming.oldName(of: layout.root)]
      let name = renaming.oldName(of: layout.entity.name) + ".csv"
      guard let (file, bytes) = try files.read(name, in: manifest) else { continue }
      do throws(DataError) {
        forms[layout.entity.name] = renaming.renamed(try CSVForm(bytes), of: layout)
      } catch {
        throw PersistentStoreError.malformedDocument(
          file, line: error.line, column: error.column, error.reason)
      }
    }
    manifest.highest = highest
  }

  // MARK: Stores that are not open

  public override class func setMetadata(
    _ metadata: [String: PropertyList], forPersistentStoreAt url: URL, type: StoreType
  ) throws {
    try ClosedCSVStore(url).setMetadata(metadata)
  }

  /// Replaces a store with a copy of another one; other files in the folder are kept.
  public override class func replacePersistentStore(
    at destinationURL: URL, destinationOptions: PersistentStoreOptions,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: PersistentStoreOptions, type: StoreType
  ) throws {
    try ClosedCSVStore(destinationURL, destinationOptions)
      .replace(with: ClosedCSVStore(sourceURL, sourceOptions))
  }

  /// Removes the files of a store; other files in the folder, and the folder itself, are kept.
  public override class func destroyPersistentStore(
    at url: URL, type: StoreType, options: PersistentStoreOptions
  ) throws {
    try ClosedCSVStore(url, options).destroy()
  }

  /// The files of a store's entities by name, whatever its model.
  ///
  /// - Throws: `PersistentStoreError.fileNotFound` if there is no store.
  public static func files(at url: URL) throws -> [String: URL] {
    try ClosedCSVStore(url).contents().files.mapValues(\.file)
  }
}

extension CSVManifest {
  /// Takes over a store's metadata, except for values stored elsewhere.
  mutating func setMetadata(_ metadata: [String: PropertyList]) {
    if case .string(let found)? = metadata["NSStoreUUID"] { identifier = found }
    self.metadata = metadata.filter { $0.key != "NSStoreUUID" && $0.key != "NSStoreType" }
  }
}

extension PersistentStore.StoreType {
  /// A folder of CSV files; see ``CSVStore``, which must be registered.
  public static let csv = PersistentStore.StoreType("CSV")
}

import DataFormats
import DataModel
import SystemLibraries

/// A store in a single document: read into memory as a whole, and written as a whole by a save.
///
/// Several processes may have a document open, as with a SQLite file (`AtomicRows`). Checking
/// whether another process has changed it takes a few microseconds.
final class DocumentStore: AtomicRows, @unchecked Sendable {
  private var file: DocumentFile
  let busyTimeout: Double
  private var document: any DocumentFormat
  private let model: ManagedObjectModel
  private let ignoresModelVersioning: Bool

  /// A document that was read, before it is accepted as a store of a model.
  fileprivate struct Opened {
    let file: DocumentFile
    let document: any DocumentFormat
    let identity: PersistentStoreIdentity
    let bound: ModelBinding
    let contents: Contents
  }

  fileprivate init(
    _ opened: Opened, model: ManagedObjectModel, options: PersistentStoreOptions, offset: Int
  ) {
    file = opened.file
    busyTimeout = options.busyTimeout
    document = opened.document
    self.model = model
    ignoresModelVersioning = options.ignoresModelVersioning
    super.init(
      type: Swift.type(of: opened.document).type, url: opened.file.url, identity: opened.identity,
      bound: opened.bound, offset: offset, contents: opened.contents,
      isReadOnly: options.isReadOnly)
  }

  /// The reader and writer of the document format.
  var kind: any DocumentFormat.Type { Swift.type(of: document) }

  // MARK: Changes by other processes

  override var traces: ChangeDetection { ChangeDetection(fileOrFolder: file.url) }

  override func changedContents() throws -> Contents? {
    guard try file.hasChanged() else { return nil }
    let bytes = try file.read()
    do {
      let (document, contents) = try read(bytes)
      self.document = document
      return contents
    } catch {
      // This version was never read: every attempt to write over it must fail.
      file.forget()
      throw error
    }
  }

  private func read(_ bytes: [UInt8]) throws -> (any DocumentFormat, Contents) {
    try Self.mapping(at: file.url) { () throws in
      var document = try Swift.type(of: self.document).init(headOf: bytes)
      guard document.identifier == identifier else { throw PersistentStoreError.moved(file.url) }
      try Self.check(
        document, model: model, ignoringVersions: ignoresModelVersioning, at: file.url)
      var rows = DocumentRows(
        name: kind.name, bindings: bindings, joins: joins, offset: offset,
        keepsUnknown: ignoresModelVersioning,
        previous: self.contents)
      try document.read(bytes, into: &rows)
      return (document, try rows.finish(metadata: Self.metadata(of: document)))
    }
  }

  override func reopening(at url: URL) throws -> () -> Void {
    let file = DocumentFile(url, busyTimeout: busyTimeout)
    let found = try Self.mapping(at: url) { () throws in
      try Swift.type(of: document).init(headOf: file.read())
    }
    guard found.identifier == identifier else { throw PersistentStoreError.otherStore(url) }
    // The new file counts as changed, so it is read before it is used.
    return { [busyTimeout] in
      self.file = DocumentFile(url, busyTimeout: busyTimeout)
      self.noteURL(url)
    }
  }

  /// Whether the document was moved or deleted.
  var isMoved: Bool { file.isMoved }

  // MARK: Writing

  override var isLocked: Bool { file.isLocked }
  override func lock() throws { try file.lock() }
  override func unlock() { file.unlock() }

  override func put(_ contents: Contents, before body: () throws -> Void) throws {
    var document = document
    document.metadata = contents.metadata.filter { !Self.isImplied($0.key) }
    let draft = try file.draft(document.bytes(of: contents, in: self))
    // An editor may write to the file despite the lock.
    guard try !file.hasChanged() else { throw PersistentStoreError.busy(file.url) }
    try file.prepare(draft)
    try body()
    try file.replace(with: draft)
    self.document = document
  }

  override func syncName() throws { try file.syncName() }

  override func problem(with metadata: [String: PropertyList]) -> String? {
    kind.problem(with: metadata)
  }
}

// MARK: Opening

extension DocumentStore {
  /// Opens a document, or creates one if the file is missing or empty.
  ///
  /// A file that is not a store of this model is refused and left unchanged.
  ///
  /// - Throws: `PersistentStoreError` with the reason.
  static func open<Document: DocumentFormat>(
    _ url: URL, as kind: Document.Type, model: ManagedObjectModel,
    options: PersistentStoreOptions, offset: Int
  ) throws -> DocumentStore {
    let file = DocumentFile(url, busyTimeout: options.busyTimeout)
    if try !file.exists() {
      guard options.createsFile, !options.isReadOnly else {
        throw PersistentStoreError.fileNotFound(url)
      }
      try make(kind, in: file, model: model)
    }
    return try mapping(at: url) { () throws in
      let bytes = try file.read()
      var document = try Document(headOf: bytes)
      try check(
        document, model: model, ignoringVersions: options.ignoresModelVersioning, at: url)
      let identity = PersistentStoreIdentity(identifier: document.identifier)
      let bound = ModelBinding(model, store: identity, offset: offset)
      try check(kind, bound)
      var rows = DocumentRows(
        name: kind.name, bindings: bound.entities, joins: bound.joins, offset: offset,
        keepsUnknown: options.ignoresModelVersioning, previous: nil)
      try document.read(bytes, into: &rows)
      let opened = Opened(
        file: file, document: document, identity: identity, bound: bound,
        contents: try rows.finish(metadata: metadata(of: document)))
      return DocumentStore(opened, model: model, options: options, offset: offset)
    }
  }

  /// Creates a document without objects, unless another process has created one in the meantime.
  private static func make<Document: DocumentFormat>(
    _ kind: Document.Type, in file: DocumentFile, model: ManagedObjectModel
  ) throws {
    let new = try empty(kind, identifier: UUID().uuidString, of: model, at: file.url)
    let bytes = new.document.bytes(of: new.rows.contents, in: new.rows)
    guard try !file.isEmpty() else {
      try file.lock()
      defer { file.unlock() }
      guard try !file.exists() else { return }
      try file.replace(with: file.draft(bytes))
      return try file.syncName()
    }
    guard case .impossible = try file.draft(bytes).finish(mayReserve: true) else { return }
    throw PersistentStoreError.busy(file.url)
  }

  /// A document without objects that is not written yet, with the rows to fill it.
  ///
  /// - Throws: `PersistentStoreError.unsupportedModel`.
  static func empty<Document: DocumentFormat>(
    _ kind: Document.Type, identifier: String, of model: ManagedObjectModel, at url: URL
  ) throws -> (document: Document, rows: InMemoryStore) {
    let identity = PersistentStoreIdentity(identifier: identifier)
    let bound = ModelBinding(model, store: identity)
    try model.checkDerivations()
    try check(kind, bound)
    var document = Document(identifier: identifier)
    document.metadata = StoredMetadata.modelMetadata(model)
    let contents = try mapping(at: url) { () throws in
      var rows = DocumentRows(
        name: kind.name, bindings: bound.entities, joins: bound.joins, offset: 0,
        keepsUnknown: false, previous: nil)
      rows.highestKey = kind.keyBeforeFirst
      return try rows.finish(metadata: metadata(of: document))
    }
    let rows = InMemoryStore(
      type: Document.type, url: nil, identity: identity, bound: bound, offset: 0,
      contents: contents, isReadOnly: false)
    return (document, rows)
  }

  private static func check(_ kind: any DocumentFormat.Type, _ bound: ModelBinding) throws {
    // As with Core Data's atomic stores.
    for entity in bound.entities {
      if let attribute = entity.description.attributes.first(where: \.isDerived) {
        throw PersistentStoreError.unsupportedModel(
          "\(entity.name).\(attribute.name) is derived, which only SQLite stores can have.")
      }
    }
    if let problem = kind.problem(with: bound.entities) {
      throw PersistentStoreError.unsupportedModel(problem)
    }
  }

  private static func check(
    _ document: any DocumentFormat, model: ManagedObjectModel, ignoringVersions: Bool, at url: URL
  ) throws {
    guard !ignoringVersions,
      let mismatch = StoredMetadata.mismatch(of: document.metadata, with: model, at: url)
    else { return }
    throw mismatch
  }

  // MARK: Metadata

  /// The metadata of a document as a program sees them.
  static func metadata(of document: any DocumentFormat) -> [String: PropertyList] {
    document.metadata.merging([
      "NSStoreType": .string(Swift.type(of: document).type.rawValue),
      StoredMetadata.uuidKey: .string(document.identifier),
    ]) { $1 }
  }

  /// Whether the value of a metadata key is stored elsewhere in the document.
  private static func isImplied(_ key: String) -> Bool {
    key == "NSStoreType" || key == StoredMetadata.uuidKey
  }

  /// Reads the metadata of a document of any model.
  static func metadata(
    at url: URL, as kind: any DocumentFormat.Type
  ) throws -> [String: PropertyList] {
    let file = DocumentFile(url, busyTimeout: PersistentStoreOptions().busyTimeout)
    return try mapping(at: url) { () throws in
      metadata(of: try kind.init(headOf: try file.read()))
    }
  }

  /// Replaces the application's metadata of a document of any model.
  ///
  /// The model is not needed: the objects are copied unchanged.
  static func setMetadata(
    _ metadata: [String: PropertyList], at url: URL, as kind: any DocumentFormat.Type
  ) throws {
    let file = DocumentFile(url, busyTimeout: PersistentStoreOptions().busyTimeout)
    guard try file.exists() else { throw PersistentStoreError.fileNotFound(url) }
    try file.lock()
    defer { file.unlock() }
    let bytes = try mapping(at: url) { () throws in
      let bytes = try file.read()
      var document = try kind.init(headOf: bytes)
      StoredMetadata.replaceOwnKeys(of: &document.metadata, with: metadata)
      if let problem = kind.problem(with: document.metadata) {
        throw PersistentStoreError.unwritableValue(url, problem)
      }
      return try document.bytes(withObjectsOf: bytes)
    }
    try file.replace(with: file.draft(bytes))
    try file.syncName()
  }

  /// Runs a body and rethrows its `DataError` as `PersistentStoreError.malformedDocument`.
  static func mapping<Result>(at url: URL, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DataError {
      throw PersistentStoreError.malformedDocument(error, at: url)
    }
  }
}

import DataFormats
import DataModel

/// A document format for reading and writing, including what must be remembered of a document to
/// write it back unchanged.
///
/// A value type, so that a failed save does not change what belongs to the document on the disk.
protocol DocumentFormat: SendableMetatype {
  /// The store type.
  static var type: PersistentStore.StoreType { get }

  /// One less than the key of a new store's first object.
  static var keyBeforeFirst: Int64 { get }

  /// Creates the document of a new store.
  init(identifier: String)

  /// Reads a document's head: identifier and metadata, without the objects.
  ///
  /// - Throws: `DataError` if this is not such a document.
  init(headOf bytes: [UInt8]) throws(DataError)

  /// The store's UUID.
  var identifier: String { get }

  /// The store's metadata, except for its type and UUID.
  var metadata: [String: PropertyList] { get set }

  /// Reads the objects.
  ///
  /// - Throws: `DataError` if they cannot be read or do not fit the model.
  mutating func read(_ bytes: [UInt8], into rows: inout DocumentRows) throws(DataError)

  /// The name of an object in error messages.
  static func name(of key: Int64, _ entity: EntityBinding) -> String

  /// Why the format cannot represent objects of a model; nil if it can.
  static func problem(with bindings: [EntityBinding]) -> String?

  /// Why the format cannot represent metadata; nil if it can.
  static func problem(with metadata: [String: PropertyList]) -> String?

  /// A document with this value's head and the objects of another document of the same store.
  func bytes(withObjectsOf bytes: [UInt8]) throws(DataError) -> [UInt8]

  /// The whole document, with this value's head.
  func bytes(of contents: InMemoryStore.Contents, in store: InMemoryStore) -> [UInt8]
}

extension DocumentFormat {
  static var keyBeforeFirst: Int64 { 0 }

  static func problem(with metadata: [String: PropertyList]) -> String? { nil }
}

/// The maximum size of a document: offsets in a row have 32 bits.
let maximumDocumentByteCount = 1 << 31 - 1

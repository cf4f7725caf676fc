import DataFormats
import DataModel

/// How one kind of document is read and written; keeps what it has to know of the document that was
/// read to write it again as it was.
///
/// A value, so that a save that fails leaves what belongs to the document on the disk.
protocol StoreDocument: SendableMetatype {
  /// What a store of this kind is called.
  static var type: PersistentStore.StoreType { get }

  /// The key before that of a new store's first object.
  static var keyBeforeFirst: Int64 { get }

  /// A document of a store that is not there yet.
  init(identifier: String)

  /// A document's head: whose it is, which comes before its objects are looked at.
  ///
  /// - Throws: `DataError` where this is no such document.
  init(headOf bytes: [UInt8]) throws(DataError)

  /// The store's UUID.
  var identifier: String { get }

  /// The store's metadata, but for its type and its UUID.
  var metadata: [String: PropertyList] { get set }

  /// Reads the objects.
  ///
  /// - Throws: `DataError` where they cannot be read, or are not the model's.
  mutating func read(_ bytes: [UInt8], into rows: inout DocumentRows) throws(DataError)

  /// What an object is called in errors.
  static func name(of key: Int64, _ entity: EntityBinding) -> String

  /// Why a document of this kind cannot hold objects of a model; nil where it can.
  static func problem(with bindings: [EntityBinding]) -> String?

  /// Why metadata cannot stand in a document of this kind; nil where they can.
  static func problem(with metadata: [String: PropertyList]) -> String?

  /// A document with the head that this value has, and the objects of another one of the same
  /// store.
  func bytes(withObjectsOf bytes: [UInt8]) throws(DataError) -> [UInt8]

  /// The whole document, with the head that this value has.
  func bytes(of contents: InMemoryStore.Contents, in store: InMemoryStore) -> [UInt8]
}

extension StoreDocument {
  static var keyBeforeFirst: Int64 { 0 }

  static func problem(with metadata: [String: PropertyList]) -> String? { nil }
}

/// The longest document that is read and written: a row's texts are told apart by 32 bits.
let maximumDocumentByteCount = 1 << 31 - 1

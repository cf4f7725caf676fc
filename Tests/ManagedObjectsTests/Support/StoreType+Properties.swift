import CSVStores
import Foundation
import ManagedObjects
import TestSupport

/// What types of stores have in common, for tests that apply to some of them.
extension PersistentStore.StoreType {
  /// Whether others may have a store open too: a file, or on a server.
  var isFile: Bool { self != .inMemory }

  /// Where a store of this type is that would be at a URL as a file; nil for one in memory.
  ///
  /// At a server that is a schema of the file's own, which goes with the server.
  func place(_ file: URL) -> URL? {
    guard self == .postgreSQL else { return isFile ? file : nil }
    return TestServer.store(for: file.path).flatMap { URL(string: $0) }
  }

  /// Whether the store is one document, read and written as a whole.
  var isDocument: Bool { Stack.documentTypes.contains(self) }

  /// Whether the store is read and written as a whole.
  var isWhole: Bool { Stack.wholeTypes.contains(self) }

  /// Whether no two objects have the same key, whatever their entities.
  var keysAreOfAllEntities: Bool { isDocument }

  /// Whether names may differ in case alone.
  var tellsCapitals: Bool { self != .xml }

  /// The key of the first object.
  var firstKey: Int64 { self == .xml ? 102 : 1 }

  /// The key of the second object of its entity, where there was one object of another entity
  /// before.
  var secondKey: Int64 { firstKey + (keysAreOfAllEntities ? 2 : 1) }

  /// Whether an ID that names a superentity leads to the object: a custom store knows objects by
  /// entities and references.
  var resolvesSuperentities: Bool { self != .csv }

  /// Whether a store may have derived attributes.
  var derives: Bool { !isWhole }
}

extension ManagedObject {
  /// The number of an object that was saved.
  var primaryKey: Int64 { objectID.primaryKey ?? 0 }
}

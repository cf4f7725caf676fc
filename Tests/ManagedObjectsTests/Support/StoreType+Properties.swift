import CSVStores
import Foundation
import ManagedObjects
import TestSupport

/// What kinds of stores have in common, for tests that hold for some of them.
extension PersistentStore.StoreType {
  /// Whether a store is in a place where others may have it open too: a file, or a server.
  var isFile: Bool { self != .inMemory }

  /// Where a store of this kind is that one in a file would have at a URL; nil for one in memory.
  ///
  /// At a server that is a schema of the file's own, which goes with the server.
  func place(_ file: URL) -> URL? {
    guard self == .postgreSQL else { return isFile ? file : nil }
    return TestServer.store(for: file.path).flatMap { URL(string: $0) }
  }

  /// Whether the store is one document, read and written whole.
  var isDocument: Bool { Stack.documentTypes.contains(self) }

  /// Whether the store is read whole and written whole.
  var isWhole: Bool { Stack.wholeTypes.contains(self) }

  /// Whether no two objects have one key, whatever their entities.
  var keysAreOfAllEntities: Bool { isDocument }

  /// Whether names may differ in capital letters alone.
  var tellsCapitals: Bool { self != .xml }

  /// The key of the first object.
  var firstKey: Int64 { self == .xml ? 102 : 1 }

  /// The key of the second object of its entity, where there was one object of another entity
  /// before.
  var secondKey: Int64 { firstKey + (keysAreOfAllEntities ? 2 : 1) }

  /// Whether an ID that names a superentity leads to the object: a store of a program's own knows
  /// its objects by entities and references.
  var resolvesSuperentities: Bool { self != .csv }

  /// Whether a store may have derived attributes.
  var derives: Bool { !isWhole }
}

extension ManagedObject {
  /// The number of an object that was saved.
  var primaryKey: Int64 { objectID.primaryKey ?? 0 }
}

import DataFormats
import DataModel
import SystemLibraries

/// A store as one JSON document, which people can read, edit and keep under version control.
///
/// ```json
/// {
///   "managedObjects": 1,
///   "uuid": "6AF1F9F4-4D16-4C6E-8A95-AE49D8E0C3B5",
///   "metadata": { … },
///   "objects": {
///     "Dog 1": {
///       "name": "Fido"
///     },
///     "Walk 2": {
///       "date": "2026-11-21T09:00:00Z",
///       "dog": "Dog 1"
///     }
///   }
/// }
/// ```
///
/// Objects are sorted by entity and number, properties by name, attributes first, each on a line of
/// its own, as are the members of lists. Numbers are of all entities; those of deleted objects are
/// not used again, which `highestID` sees to where the highest one was deleted.
struct JSONStoreDocument: StoreDocument {
  static let type = PersistentStore.StoreType.json

  let identifier: String
  var metadata: [String: PropertyList] = [:]
  var highestID: Int64 = 0
  /// What the model does not know of objects that it knows, and whole objects.
  var unknownParts: [Int64: [Unknown]] = [:]
  var unknownObjects: [UnknownObject] = []
  /// The keys of all objects that were read, where something may be unknown.
  var keysAtReading: Set<String> = []

  /// A value of which nothing is known, as it stands in the document.
  struct Unknown {
    let name: String
    let value: [UInt8]
  }

  /// An object of which nothing is known.
  struct UnknownObject {
    let entityName: String
    let id: Int64
    var parts: [Unknown]
  }

  init(identifier: String) { self.identifier = identifier }

  init(headOf bytes: [UInt8]) throws(DataError) {
    var reader = JSONStoreReader(bytes)
    let head = try reader.readHead()
    (identifier, metadata, highestID) = (head.identifier, head.metadata, head.highestID)
  }

  // An entity and its number are one word of two parts, whatever the model.
  static func problem(with bindings: [EntityBinding]) -> String? { nil }

  static func name(of key: Int64, _ entity: EntityBinding) -> String { "\(entity.name) \(key)" }
}

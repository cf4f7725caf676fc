import DataFormats
import DataModel
import SystemLibraries

/// A store in a single JSON document, which people can read, edit and keep under version control.
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
/// Objects are sorted by entity and number, properties by name with attributes first; each property
/// and each member of a list has its own line. Numbers are unique across entities and never reused:
/// `highestID` records the highest one if its object was deleted.
struct JSONStoreDocument: DocumentFormat {
  static let type = PersistentStore.StoreType.json

  let identifier: String
  var metadata: [String: PropertyList] = [:]
  var highestID: Int64 = 0
  /// Properties that the model does not know, by object, and objects of unknown entities.
  var unknownParts: [Int64: [Unknown]] = [:]
  var unknownObjects: [UnknownObject] = []
  /// The keys of all objects at the time of reading, if anything unknown was found.
  var keysAtReading: Set<String> = []

  /// A value of an unknown property, as written in the document.
  struct Unknown {
    let name: String
    let value: [UInt8]
  }

  /// An object of an unknown entity.
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

  // An entity's name and a number form an unambiguous key in any model.
  static func problem(with bindings: [EntityBinding]) -> String? { nil }

  static func name(of key: Int64, _ entity: EntityBinding) -> String { "\(entity.name) \(key)" }
}

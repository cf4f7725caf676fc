public import DataModel

/// An object as a store of a program's own is handed it: its ID and what its properties hold.
///
///     func write(_ request: SaveChangesRequest) {
///       for object in request.insertedObjects { print(object.objectID, object["name"] ?? .null) }
///     }
///
/// A value: a store never has a `ManagedObject`, which belongs to its context.
public struct ManagedObjectSnapshot: Sendable, Hashable {
  /// The object's ID.
  public let objectID: ManagedObjectID
  /// What its properties hold, by name; those without a value are not there.
  public let values: [String: PropertyValue]
  /// The version that its node had when it was read; 0 for a new object.
  public let version: UInt64
  /// The names of the properties that were changed, all that hold something in a new object.
  public let changedKeys: Set<String>

  /// The object's entity.
  public var entity: EntityDescription { objectID.entity }

  init(
    objectID: ManagedObjectID, values: [String: PropertyValue], version: UInt64,
    changedKeys: Set<String>? = nil
  ) {
    self.objectID = objectID
    self.values = values
    self.version = version
    self.changedKeys = changedKeys ?? Set(values.keys)
  }

  /// What a property holds; nil where it holds nothing.
  public subscript(_ name: String) -> PropertyValue? { values[name] }
}

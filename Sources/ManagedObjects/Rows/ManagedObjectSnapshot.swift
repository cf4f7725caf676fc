public import DataModel

/// An object as passed to a custom store: its ID and the values of its properties.
///
///     func write(_ request: SaveChangesRequest) {
///       for object in request.insertedObjects { print(object.objectID, object["name"] ?? .null) }
///     }
///
/// A value type: a store never receives a `ManagedObject`, which belongs to its context.
public struct ManagedObjectSnapshot: Sendable, Hashable {
  /// The object's ID.
  public let objectID: ManagedObjectID
  /// The values of its properties by name; a property without a value has no entry.
  public let values: [String: PropertyValue]
  /// The version that its node had when it was read; 0 for a new object.
  public let version: UInt64
  /// The names of the changed properties; in a new object, of all properties with a value.
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

  /// The value of a property; nil if it has none.
  public subscript(_ name: String) -> PropertyValue? { values[name] }
}

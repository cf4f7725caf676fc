public import DataModel

/// The values of an object, as returned by an ``IncrementalStore``.
///
///     IncrementalStoreNode(
///       objectID: id, values: ["name": .string("notes.txt"), "folder": .toOne(id)])
///
/// Contains attributes and to-ones; to-many relationships are requested by
/// `newValue(forRelationship:forObjectWith:)`, and so is a to-one that is left out, when the values
/// are read; `.null` states that a to-one has no destination. Follows Core Data's
/// `NSIncrementalStoreNode`.
public struct IncrementalStoreNode: Sendable, Hashable {
  /// The object's ID.
  public let objectID: ManagedObjectID
  /// The values of the properties by name.
  public private(set) var values: [String: PropertyValue]
  /// A number that differs after each change; 0 if the store does not number versions.
  ///
  /// A save increments it for every updated object, even if only a to-many has changed; a new
  /// object starts at 1. A snapshot contains the version that was read.
  public private(set) var version: UInt64

  /// Creates a node.
  public init(
    objectID: ManagedObjectID, values: [String: PropertyValue], version: UInt64 = 0
  ) {
    self.objectID = objectID
    self.values = values
    self.version = version
  }

  /// Replaces the values and the version.
  public mutating func update(values: [String: PropertyValue], version: UInt64) {
    self.values = values
    self.version = version
  }

  /// The value of a property; nil if the node has none.
  public func value(for property: PropertyDescription) -> PropertyValue? { values[property.name] }
}

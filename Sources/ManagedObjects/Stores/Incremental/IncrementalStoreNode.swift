public import DataModel

/// An object's values as an ``IncrementalStore`` gives them.
///
///     IncrementalStoreNode(
///       objectID: id, values: ["name": .string("notes.txt"), "folder": .toOne(id)])
///
/// Attributes and to-ones; to-manys are asked for by `newValue(forRelationship:forObjectWith:)`. A
/// to-one that is left out is asked for, too, as the values are taken; `.null` says that there is
/// none. Follows Core Data's `NSIncrementalStoreNode`.
public struct IncrementalStoreNode: Sendable, Hashable {
  /// The object's ID.
  public let objectID: ManagedObjectID
  /// What the properties hold, by name.
  public private(set) var values: [String: PropertyValue]
  /// A number that is another one after each change; 0 where the store has none.
  ///
  /// A save counts it on by one in every object that it updates, be it that a list alone has
  /// changed, from 1 for a new object. A snapshot has the one that was read.
  public private(set) var version: UInt64

  /// Makes a node.
  public init(
    objectID: ManagedObjectID, values: [String: PropertyValue], version: UInt64 = 0
  ) {
    self.objectID = objectID
    self.values = values
    self.version = version
  }

  /// Replaces values and version.
  public mutating func update(values: [String: PropertyValue], version: UInt64) {
    self.values = values
    self.version = version
  }

  /// What a property holds; nil where it holds nothing that is known.
  public func value(for property: PropertyDescription) -> PropertyValue? { values[property.name] }
}

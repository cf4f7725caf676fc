public import DataModel
public import SystemLibraries

/// The value of a property, as exchanged with a custom store.
///
///     let values: [String: PropertyValue] = [
///       "name": .string("notes.txt"), "size": .integer(4096), "folder": .toOne(id),
///     ]
///
/// For a transformable attribute, this is its bytes. A property without a value has no entry.
public enum PropertyValue: Sendable, Hashable {
  /// A value of an attribute.
  case attribute(AttributeValue)
  /// The destination of a to-one relationship.
  case toOne(ManagedObjectID)
  /// The members of a to-many relationship, in order if it is ordered.
  case toMany([ManagedObjectID])

  /// An explicit absence of a value: for a to-one in a node, that it has no destination.
  case null

  /// Creates a text value.
  public static func string(_ text: String) -> PropertyValue { .attribute(.string(text)) }
  /// Creates an integer value.
  public static func integer(_ number: some BinaryInteger) -> PropertyValue {
    .attribute(.integer(Int64(number)))
  }
  /// Creates a floating-point value.
  public static func double(_ number: Double) -> PropertyValue { .attribute(.double(number)) }
  /// Creates a Boolean value.
  public static func boolean(_ flag: Bool) -> PropertyValue { .attribute(.boolean(flag)) }
  /// Creates a date value.
  public static func date(_ date: Date) -> PropertyValue { .attribute(.date(date)) }
  /// Creates a binary value.
  public static func binary(_ data: Data) -> PropertyValue { .attribute(.binary(data)) }

  /// The attribute's value; nil for a relationship.
  public var attributeValue: AttributeValue? {
    if case .attribute(let value) = self { value } else { nil }
  }

  /// The destination of a to-one; nil for any other property.
  public var objectID: ManagedObjectID? {
    if case .toOne(let id) = self { id } else { nil }
  }

  /// The members of a to-many; nil for any other property.
  public var objectIDs: [ManagedObjectID]? {
    if case .toMany(let ids) = self { ids } else { nil }
  }
}

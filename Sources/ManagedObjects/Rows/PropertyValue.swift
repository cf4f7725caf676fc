public import DataModel
public import SystemLibraries

/// What a property of an object holds, as a store of a program's own gives and gets it.
///
///     let values: [String: PropertyValue] = [
///       "name": .string("notes.txt"), "size": .integer(4096), "folder": .toOne(id),
///     ]
///
/// Of a transformable attribute it is the bytes. No value is no entry.
public enum PropertyValue: Sendable, Hashable {
  /// A value of an attribute.
  case attribute(AttributeValue)
  /// The object at the end of a to-one.
  case toOne(ManagedObjectID)
  /// The members of a to-many, in their order where they have one.
  case toMany([ManagedObjectID])

  /// Nothing, said expressly: of a to-one in a node, that it leads nowhere.
  case null

  /// A text.
  public static func string(_ text: String) -> PropertyValue { .attribute(.string(text)) }
  /// A whole number of any width.
  public static func integer(_ number: some BinaryInteger) -> PropertyValue {
    .attribute(.integer(Int64(number)))
  }
  /// A floating-point number.
  public static func double(_ number: Double) -> PropertyValue { .attribute(.double(number)) }
  /// True or false.
  public static func boolean(_ flag: Bool) -> PropertyValue { .attribute(.boolean(flag)) }
  /// An instant.
  public static func date(_ date: Date) -> PropertyValue { .attribute(.date(date)) }
  /// Bytes.
  public static func binary(_ data: Data) -> PropertyValue { .attribute(.binary(data)) }

  /// The attribute's value; nil for a relationship.
  public var attributeValue: AttributeValue? {
    if case .attribute(let value) = self { value } else { nil }
  }

  /// The object at the end of a to-one; nil for any other property.
  public var objectID: ManagedObjectID? {
    if case .toOne(let id) = self { id } else { nil }
  }

  /// The members of a to-many; nil for any other property.
  public var objectIDs: [ManagedObjectID]? {
    if case .toMany(let ids) = self { ids } else { nil }
  }
}

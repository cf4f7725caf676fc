// Written by momc from Kinds.xcdatamodeld. Do not edit.
// swift-format-ignore-file

public import ManagedObjects

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

nonisolated extension ManagedObjectModel {
  /// The data model `Kinds` in its current version, `Kinds`.
  public static let kinds: ManagedObjectModel = ModelVersion1.model

  /// Every version of the data model `Kinds`, by its name.
  public static let kindsVersions: [String: ManagedObjectModel] = [
    "Kinds": ModelVersion1.model,
  ]
}

/// The version `Kinds`.
nonisolated private enum ModelVersion1 {
  static let model = ManagedObjectModel(
    entities: [byhandEntity, baseEntity, leafEntity, shadowEntity, manualEntity, middleEntity, plainEntity],
    versionHashes: versionHashes, classes: classes)

  static let versionHashes: [String: VersionHash] = [
    "Byhand": VersionHash(hex: "a0a8fe6d246b342b72e33e6dabf270945757bd9ae8da47fd40411c28f638298e")!,
    "Base": VersionHash(hex: "cf321b12c08a03d09f1ea2690ebf9c9adcec99b8c27407dc9d45483c70a671a0")!,
    "Leaf": VersionHash(hex: "b96111e5d5425ecb36503615e0ba89c06a167638aaff9bdc6db7f76d1c0b3cf7")!,
    "Shadow": VersionHash(hex: "c0b84b4da4cd9e96d36b6426fd23f0ed7d0f09a1a44673e8f78d7c192feade98")!,
    "Manual": VersionHash(hex: "65191a867a29b482eaa82d6f4f9357a518daaad0fa903edd799c43eae6e4933a")!,
    "Middle": VersionHash(hex: "0659bd8832ed6fcd7b02486556fd17585cc651bca3d3633affea69a53e2e47dc")!,
    "Plain": VersionHash(hex: "e82ba460401bab4fcab1a2da80e73fab43f2d2dc07f8b62e93c09ac20ffafb34")!,
  ]

  static let classes: [String: AnyClass] = [
    "Byhand": Byhand.self,
    "Base": Base.self,
    "Leaf": Leaf.self,
    "Shadow": Shadow.self,
    "Middle": Middle.self,
  ].merging(ManagedObjectModel.classes(named: [
    "Manual"], besideFile: #fileID)) { first, _ in first }

  static let byhandEntity = EntityDescription(
    name: "Byhand",
    properties: [
      .attribute(AttributeDescription(name: "binary", type: .binaryData, isOptional: true)),
      .attribute(AttributeDescription(
        name: "boolean", type: .boolean, isOptional: true, defaultValue: .boolean(true),
        usesScalarValueType: true)),
      .attribute(AttributeDescription(
        name: "date", type: .date, isOptional: true,
        defaultValue: .date(Date(timeIntervalSinceReferenceDate: 757382400.0)))),
      .attribute(AttributeDescription(
        name: "decimal", type: .decimal, isOptional: true,
        defaultValue: .decimal(Decimal(string: "12.5")!))),
      .attribute(AttributeDescription(
        name: "default", type: .string, isOptional: true,
        defaultValue: .string("a \"quoted\" \\(text)\n🐕"), renamingIdentifier: "standard")),
      .attribute(AttributeDescription(
        name: "double", type: .double, defaultValue: .double(-0.5), usesScalarValueType: true)),
      .attribute(AttributeDescription(
        name: "float", type: .float, isOptional: true, defaultValue: .double(1000.0),
        usesScalarValueType: true)),
      .attribute(AttributeDescription(
        name: "integer16", type: .integer16, isOptional: true, defaultValue: .integer(0),
        usesScalarValueType: true, versionHashModifier: "2")),
      .attribute(AttributeDescription(
        name: "integer32", type: .integer32, isOptional: true, defaultValue: .integer(-7))),
      .attribute(AttributeDescription(
        name: "integer64", type: .integer64, defaultValue: .integer(-9223372036854775808),
        preservesValueInHistoryOnDeletion: true)),
      .attribute(AttributeDescription(
        name: "transient", type: .string, isOptional: true, isTransient: true)),
      .attribute(AttributeDescription(
        name: "uri", type: .uri, isOptional: true,
        defaultValue: .uri(URL(string: "https://example.org/a%20b")!))),
      .attribute(AttributeDescription(
        name: "uuid", type: .uuid, isOptional: true,
        defaultValue: .uuid(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")!))),
      .relationship(RelationshipDescription(
        name: "members", destinationEntityName: "Base", inverseName: "owner", isOptional: true,
        minCount: 1, maxCount: 9, deleteRule: .deny)),
      .relationship(RelationshipDescription(
        name: "plain", destinationEntityName: "Plain", inverseName: "owner", isOptional: true,
        deleteRule: .noAction)),
    ],
    uniquenessConstraints: [
      ["uuid", "date"],
      ["uri"],
    ],
    indexes: [
      FetchIndexDescription(
        name: "byDateAndPlain",
        elements: [.init(propertyName: "date", isAscending: false), .init(propertyName: "plain")]),
    ],
    userInfo: ["colour": "green"]
  )

  static let baseEntity = EntityDescription(
    name: "Base", isAbstract: true,
    properties: [
      .attribute(AttributeDescription(name: "title", type: .string)),
      .relationship(RelationshipDescription(
        name: "owner", destinationEntityName: "Byhand", inverseName: "members", isOptional: true)),
    ]
  )

  static let leafEntity = EntityDescription(
    name: "Leaf", superentityName: "Middle",
    properties: [
      .attribute(AttributeDescription(name: "size", type: .integer64, isOptional: true)),
      .relationship(RelationshipDescription(
        name: "notes", destinationEntityName: "Manual", inverseName: "leaf", isOptional: true,
        maxCount: 0, isOrdered: true, deleteRule: .cascade)),
    ],
    indexes: [
      FetchIndexDescription(name: "byTitle", elements: [.init(propertyName: "title")]),
    ],
    versionHashModifier: "m", renamingIdentifier: "Blade"
  )

  static let shadowEntity = EntityDescription(
    name: "Shadow",
    properties: [
      .attribute(AttributeDescription(name: "add", type: .string, isOptional: true)),
      .attribute(AttributeDescription(name: "insert", type: .integer64, isOptional: true)),
      .attribute(AttributeDescription(name: "newValue", type: .string, isOptional: true)),
      .attribute(AttributeDescription(name: "optionalValue", type: .string, isOptional: true)),
      .attribute(AttributeDescription(name: "remove", type: .boolean, isOptional: true)),
      .attribute(AttributeDescription(name: "replace", type: .string)),
      .attribute(AttributeDescription(name: "requiredValue", type: .string)),
      .attribute(AttributeDescription(name: "toOne", type: .string, isOptional: true)),
      .attribute(AttributeDescription(name: "value", type: .string, isOptional: true)),
      .relationship(RelationshipDescription(
        name: "values", destinationEntityName: "Shadow", inverseName: "where", isOptional: true,
        maxCount: 0, isOrdered: true)),
      .relationship(RelationshipDescription(
        name: "where", destinationEntityName: "Shadow", inverseName: "values", isOptional: true)),
    ]
  )

  static let manualEntity = EntityDescription(
    name: "Manual",
    properties: [
      .attribute(AttributeDescription(name: "text", type: .string, isOptional: true)),
      .relationship(RelationshipDescription(
        name: "leaf", destinationEntityName: "Leaf", inverseName: "notes", isOptional: true)),
    ]
  )

  static let middleEntity = EntityDescription(
    name: "Middle", superentityName: "Base"
  )

  static let plainEntity = EntityDescription(
    name: "Plain", managedObjectClassName: "ManagedObject",
    properties: [
      .relationship(RelationshipDescription(
        name: "owner", destinationEntityName: "Byhand", inverseName: "plain", isOptional: true)),
    ]
  )
}

nonisolated extension Byhand {
  /// The attribute `binary`; nil if it has no value.
  public var binary: Data? {
    get { optionalValue(at: PropertySlot(0, "binary")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "binary")) }
  }

  /// The attribute `boolean`; false if it has no value.
  public var boolean: Bool {
    get { scalarValue(at: PropertySlot(1, "boolean")) }
    set { setRequiredValue(newValue, at: PropertySlot(1, "boolean")) }
  }

  /// The attribute `date`; nil if it has no value.
  public var date: Date? {
    get { optionalValue(at: PropertySlot(2, "date")) }
    set { setOptionalValue(newValue, at: PropertySlot(2, "date")) }
  }

  /// The attribute `decimal`; nil if it has no value.
  public var decimal: Decimal? {
    get { optionalValue(at: PropertySlot(3, "decimal")) }
    set { setOptionalValue(newValue, at: PropertySlot(3, "decimal")) }
  }

  /// The attribute `default`; nil if it has no value.
  public var `default`: String? {
    get { optionalValue(at: PropertySlot(4, "default")) }
    set { setOptionalValue(newValue, at: PropertySlot(4, "default")) }
  }

  /// The attribute `double`, which must have a value.
  public var double: Double {
    get { requiredValue(at: PropertySlot(5, "double")) }
    set { setRequiredValue(newValue, at: PropertySlot(5, "double")) }
  }

  /// The attribute `float`; zero if it has no value.
  public var float: Float {
    get { scalarValue(at: PropertySlot(6, "float")) }
    set { setRequiredValue(newValue, at: PropertySlot(6, "float")) }
  }

  /// The attribute `integer16`; zero if it has no value.
  public var integer16: Int16 {
    get { scalarValue(at: PropertySlot(7, "integer16")) }
    set { setRequiredValue(newValue, at: PropertySlot(7, "integer16")) }
  }

  /// The attribute `integer32`; nil if it has no value.
  public var integer32: Int32? {
    get { optionalValue(at: PropertySlot(8, "integer32")) }
    set { setOptionalValue(newValue, at: PropertySlot(8, "integer32")) }
  }

  /// The attribute `integer64`, which must have a value.
  public var integer64: Int64 {
    get { requiredValue(at: PropertySlot(9, "integer64")) }
    set { setRequiredValue(newValue, at: PropertySlot(9, "integer64")) }
  }

  /// The attribute `transient`; nil if it has no value.
  public var transient: String? {
    get { optionalValue(at: PropertySlot(-1, "transient")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "transient")) }
  }

  /// The attribute `uri`; nil if it has no value.
  public var uri: URL? {
    get { optionalValue(at: PropertySlot(10, "uri")) }
    set { setOptionalValue(newValue, at: PropertySlot(10, "uri")) }
  }

  /// The attribute `uuid`; nil if it has no value.
  public var uuid: UUID? {
    get { optionalValue(at: PropertySlot(11, "uuid")) }
    set { setOptionalValue(newValue, at: PropertySlot(11, "uuid")) }
  }

  /// The relationship `members`; its inverse is `Base.owner`.
  public var members: Set<Base> {
    get { unorderedToMany(at: PropertySlot(0, "members")) }
    set { setUnorderedToMany(newValue, at: PropertySlot(0, "members")) }
  }

  /// The relationship `plain`; its inverse is `Plain.owner`.
  public var plain: ManagedObject? {
    get { toOne(at: PropertySlot(12, "plain")) }
    set { setToOne(newValue, at: PropertySlot(12, "plain")) }
  }
}

// MARK: Generated accessors for members

nonisolated extension Byhand {
  /// Adds an object to `members`.
  public func addToMembers(_ value: Base) {
    add(value, to: PropertySlot(0, "members"))
  }

  /// Removes an object from `members`.
  public func removeFromMembers(_ value: Base) {
    remove(value, from: PropertySlot(0, "members"))
  }

  /// Adds objects to `members`.
  public func addToMembers(_ values: Set<Base>) {
    add(values, to: PropertySlot(0, "members"))
  }

  /// Removes objects from `members`.
  public func removeFromMembers(_ values: Set<Base>) {
    remove(values, from: PropertySlot(0, "members"))
  }
}

/// An object of the entity `Base`.
nonisolated public class Base: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Base.self ? [] : .all
  }
}

nonisolated extension Base {
  /// The attribute `title`, which must have a value; reading it before it is set traps.
  public var title: String {
    get { requiredValue(at: PropertySlot(0, "title")) }
    set { setRequiredValue(newValue, at: PropertySlot(0, "title")) }
  }

  /// The relationship `owner`; its inverse is `Byhand.members`.
  public var owner: Byhand? {
    get { toOne(at: PropertySlot(1, "owner")) }
    set { setToOne(newValue, at: PropertySlot(1, "owner")) }
  }
}

/// An object of the entity `Leaf`.
nonisolated public class Leaf: Middle {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Leaf.self ? [] : .all
  }
}

nonisolated extension Leaf {
  /// The attribute `size`; nil if it has no value.
  public var size: Int64? {
    get { optionalValue(at: PropertySlot(2, "size")) }
    set { setOptionalValue(newValue, at: PropertySlot(2, "size")) }
  }

  /// The relationship `notes`; its inverse is `Manual.leaf`.
  public var notes: OrderedSet<Manual> {
    get { orderedToMany(at: PropertySlot(0, "notes")) }
    set { setOrderedToMany(newValue, at: PropertySlot(0, "notes")) }
  }
}

// MARK: Generated accessors for notes

nonisolated extension Leaf {
  /// Inserts an object into `notes` at an index.
  public func insertIntoNotes(_ value: Manual, at idx: Int) {
    insert(value, at: idx, into: PropertySlot(0, "notes"))
  }

  /// Removes the object at an index from `notes`.
  public func removeFromNotes(at idx: Int) {
    remove(at: idx, from: PropertySlot(0, "notes"))
  }

  /// Inserts objects into `notes`, after which they have the given indexes.
  public func insertIntoNotes(_ values: [Manual], at indexes: RangeSet<Int>) {
    insert(values, at: indexes, into: PropertySlot(0, "notes"))
  }

  /// Removes the objects at the given indexes from `notes`.
  public func removeFromNotes(at indexes: RangeSet<Int>) {
    remove(at: indexes, from: PropertySlot(0, "notes"))
  }

  /// Replaces the object at an index of `notes`.
  public func replaceNotes(at idx: Int, with value: Manual) {
    replace(at: idx, with: value, in: PropertySlot(0, "notes"))
  }

  /// Replaces the objects at the given indexes of `notes`.
  public func replaceNotes(at indexes: RangeSet<Int>, with values: [Manual]) {
    replace(at: indexes, with: values, in: PropertySlot(0, "notes"))
  }

  /// Adds an object to `notes`, at the end.
  public func addToNotes(_ value: Manual) {
    add(value, to: PropertySlot(0, "notes"))
  }

  /// Removes an object from `notes`.
  public func removeFromNotes(_ value: Manual) {
    remove(value, from: PropertySlot(0, "notes"))
  }

  /// Adds objects to `notes`, at the end.
  public func addToNotes(_ values: OrderedSet<Manual>) {
    add(values, to: PropertySlot(0, "notes"))
  }

  /// Removes objects from `notes`.
  public func removeFromNotes(_ values: OrderedSet<Manual>) {
    remove(values, from: PropertySlot(0, "notes"))
  }
}

/// An object of the entity `Shadow`.
nonisolated public class Shadow: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Shadow.self ? [] : .all
  }
}

nonisolated extension Shadow {
  /// The attribute `add`; nil if it has no value.
  public var add: String? {
    get { optionalValue(at: PropertySlot(0, "add")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "add")) }
  }

  /// The attribute `insert`; nil if it has no value.
  public var insert: Int64? {
    get { optionalValue(at: PropertySlot(1, "insert")) }
    set { setOptionalValue(newValue, at: PropertySlot(1, "insert")) }
  }

  /// The attribute `newValue`; nil if it has no value.
  public var newValue: String? {
    get { optionalValue(at: PropertySlot(2, "newValue")) }
    set { setOptionalValue(newValue, at: PropertySlot(2, "newValue")) }
  }

  /// The attribute `optionalValue`; nil if it has no value.
  public var optionalValue: String? {
    get { optionalValue(at: PropertySlot(3, "optionalValue")) }
    set { setOptionalValue(newValue, at: PropertySlot(3, "optionalValue")) }
  }

  /// The attribute `remove`; nil if it has no value.
  public var remove: Bool? {
    get { optionalValue(at: PropertySlot(4, "remove")) }
    set { setOptionalValue(newValue, at: PropertySlot(4, "remove")) }
  }

  /// The attribute `replace`, which must have a value; reading it before it is set traps.
  public var replace: String {
    get { requiredValue(at: PropertySlot(5, "replace")) }
    set { setRequiredValue(newValue, at: PropertySlot(5, "replace")) }
  }

  /// The attribute `requiredValue`, which must have a value; reading it before it is set traps.
  public var requiredValue: String {
    get { requiredValue(at: PropertySlot(6, "requiredValue")) }
    set { setRequiredValue(newValue, at: PropertySlot(6, "requiredValue")) }
  }

  /// The attribute `toOne`; nil if it has no value.
  public var toOne: String? {
    get { optionalValue(at: PropertySlot(7, "toOne")) }
    set { setOptionalValue(newValue, at: PropertySlot(7, "toOne")) }
  }

  /// The attribute `value`; nil if it has no value.
  public var value: String? {
    get { optionalValue(at: PropertySlot(8, "value")) }
    set { setOptionalValue(newValue, at: PropertySlot(8, "value")) }
  }

  /// The relationship `values`; its inverse is `Shadow.where`.
  public var values: OrderedSet<Shadow> {
    get { orderedToMany(at: PropertySlot(0, "values")) }
    set { setOrderedToMany(newValue, at: PropertySlot(0, "values")) }
  }

  /// The relationship `where`; its inverse is `Shadow.values`.
  public var `where`: Shadow? {
    get { toOne(at: PropertySlot(9, "where")) }
    set { setToOne(newValue, at: PropertySlot(9, "where")) }
  }
}

// MARK: Generated accessors for values

nonisolated extension Shadow {
  /// Inserts an object into `values` at an index.
  public func insertIntoValues(_ value: Shadow, at idx: Int) {
    insert(value, at: idx, into: PropertySlot(0, "values"))
  }

  /// Removes the object at an index from `values`.
  public func removeFromValues(at idx: Int) {
    remove(at: idx, from: PropertySlot(0, "values"))
  }

  /// Inserts objects into `values`, after which they have the given indexes.
  public func insertIntoValues(_ values: [Shadow], at indexes: RangeSet<Int>) {
    insert(values, at: indexes, into: PropertySlot(0, "values"))
  }

  /// Removes the objects at the given indexes from `values`.
  public func removeFromValues(at indexes: RangeSet<Int>) {
    remove(at: indexes, from: PropertySlot(0, "values"))
  }

  /// Replaces the object at an index of `values`.
  public func replaceValues(at idx: Int, with value: Shadow) {
    replace(at: idx, with: value, in: PropertySlot(0, "values"))
  }

  /// Replaces the objects at the given indexes of `values`.
  public func replaceValues(at indexes: RangeSet<Int>, with values: [Shadow]) {
    replace(at: indexes, with: values, in: PropertySlot(0, "values"))
  }

  /// Adds an object to `values`, at the end.
  public func addToValues(_ value: Shadow) {
    add(value, to: PropertySlot(0, "values"))
  }

  /// Removes an object from `values`.
  public func removeFromValues(_ value: Shadow) {
    remove(value, from: PropertySlot(0, "values"))
  }

  /// Adds objects to `values`, at the end.
  public func addToValues(_ values: OrderedSet<Shadow>) {
    add(values, to: PropertySlot(0, "values"))
  }

  /// Removes objects from `values`.
  public func removeFromValues(_ values: OrderedSet<Shadow>) {
    remove(values, from: PropertySlot(0, "values"))
  }
}

/// An object of the entity `Middle`.
nonisolated public class Middle: Base {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Middle.self ? [] : .all
  }
}

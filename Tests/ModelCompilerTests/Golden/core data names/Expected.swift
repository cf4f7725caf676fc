// Written by momc from Kennel.xcdatamodel. Do not edit.
// swift-format-ignore-file

public import CoreDataNames

nonisolated extension ManagedObjectModel {
  /// The data model `Kennel` in its current version, `Kennel`.
  public static let kennel: ManagedObjectModel = ModelVersion1.model

  /// Every version of the data model `Kennel`, by its name.
  public static let kennelVersions: [String: ManagedObjectModel] = [
    "Kennel": ModelVersion1.model,
  ]
}

/// The class by which `NSPersistentContainer(name:)` finds the model.
nonisolated public final class DataModel_Kennel: NamedDataModel {
  /// The model in its current version.
  public static var managedObjectModel: ManagedObjectModel { .kennel }
}

/// The version `Kennel`.
nonisolated private enum ModelVersion1 {
  static let model = ManagedObjectModel(
    entities: [dogEntity, ownerEntity, walkEntity], versionHashes: versionHashes, classes: classes)

  static let versionHashes: [String: VersionHash] = [
    "Dog": VersionHash(hex: "f43967440898fcc109fb6a5877189fd93c5f9d5d5f600772f47fd3b8400ede74")!,
    "Owner": VersionHash(hex: "ce9d9c99e6a7abf17b2e2e7467da801ef81bb43deafe55e8b0c646742d81e4b9")!,
    "Walk": VersionHash(hex: "3239410f80296f1eb46876b08a6e701dc3c6104576eb8f5b603f0825a6a799c7")!,
  ]

  static let classes: [String: AnyClass] = [
    "Dog": Dog.self,
    "Owner": Owner.self,
    "Walk": Walk.self,
  ]

  static let dogEntity = EntityDescription(
    name: "Dog",
    properties: [
      .attribute(AttributeDescription(
        name: "age", type: .integer16, isOptional: true, defaultValue: .integer(0),
        usesScalarValueType: true)),
      .attribute(AttributeDescription(name: "born", type: .date, isOptional: true)),
      .attribute(AttributeDescription(name: "fee", type: .decimal, isOptional: true)),
      .attribute(AttributeDescription(
        name: "isFed", type: .boolean, isOptional: true, usesScalarValueType: true)),
      .attribute(AttributeDescription(name: "name", type: .string)),
      .attribute(AttributeDescription(name: "weight", type: .double, isOptional: true)),
      .relationship(RelationshipDescription(
        name: "owners", destinationEntityName: "Owner", inverseName: "dogs", isOptional: true,
        maxCount: 0)),
      .relationship(RelationshipDescription(
        name: "walks", destinationEntityName: "Walk", inverseName: "dog", isOptional: true,
        maxCount: 0, isOrdered: true, deleteRule: .cascade)),
    ]
  )

  static let ownerEntity = EntityDescription(
    name: "Owner",
    properties: [
      .attribute(AttributeDescription(name: "name", type: .string, isOptional: true)),
      .relationship(RelationshipDescription(
        name: "dogs", destinationEntityName: "Dog", inverseName: "owners", isOptional: true,
        maxCount: 0)),
    ]
  )

  static let walkEntity = EntityDescription(
    name: "Walk",
    properties: [
      .attribute(AttributeDescription(name: "date", type: .date, isOptional: true)),
      .attribute(AttributeDescription(
        name: "minutes", type: .integer32, isOptional: true, defaultValue: .integer(0),
        usesScalarValueType: true)),
      .relationship(RelationshipDescription(
        name: "dog", destinationEntityName: "Dog", inverseName: "walks", isOptional: true)),
    ]
  )
}

/// An object of the entity `Dog`.
nonisolated public class Dog: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Dog.self ? [] : .all
  }
}

nonisolated extension Dog {
  /// A request for all objects of the entity `Dog`.
  public class func fetchRequest() -> NSFetchRequest<Dog> {
    NSFetchRequest<Dog>(entityName: "Dog")
  }
}

nonisolated extension Dog {
  /// The attribute `age`; zero if it has no value.
  public var age: Int16 {
    get { scalarValue(at: PropertySlot(0, "age")) }
    set { setRequiredValue(newValue, at: PropertySlot(0, "age")) }
  }

  /// The attribute `born`; nil if it has no value.
  public var born: Date? {
    get { optionalValue(at: PropertySlot(1, "born")) }
    set { setOptionalValue(newValue, at: PropertySlot(1, "born")) }
  }

  /// The attribute `fee`; nil if it has no value.
  public var fee: NSDecimalNumber? {
    get { decimalNumberValue(at: PropertySlot(2, "fee")) }
    set { setDecimalNumberValue(newValue, at: PropertySlot(2, "fee")) }
  }

  /// The attribute `isFed`; false if it has no value.
  public var isFed: Bool {
    get { scalarValue(at: PropertySlot(3, "isFed")) }
    set { setRequiredValue(newValue, at: PropertySlot(3, "isFed")) }
  }

  /// The attribute `name`; nil if it has no value.
  public var name: String? {
    get { optionalValue(at: PropertySlot(4, "name")) }
    set { setOptionalValue(newValue, at: PropertySlot(4, "name")) }
  }

  /// The attribute `weight`; nil if it has no value.
  public var weight: NSNumber? {
    get { numberValue(of: Double.self, at: PropertySlot(5, "weight")) }
    set { setNumberValue(newValue, of: Double.self, at: PropertySlot(5, "weight")) }
  }

  /// The relationship `owners`; its inverse is `Owner.dogs`.
  public var owners: NSSet? {
    get { foundationSet(at: PropertySlot(0, "owners")) }
    set { setFoundationSet(newValue, at: PropertySlot(0, "owners")) }
  }

  /// The relationship `walks`; its inverse is `Walk.dog`.
  public var walks: NSOrderedSet? {
    get { foundationOrderedSet(at: PropertySlot(1, "walks")) }
    set { setFoundationOrderedSet(newValue, at: PropertySlot(1, "walks")) }
  }
}

// MARK: Generated accessors for owners

nonisolated extension Dog {
  /// Adds an object to `owners`.
  public func addToOwners(_ value: Owner) {
    add(value, to: PropertySlot(0, "owners"))
  }

  /// Removes an object from `owners`.
  public func removeFromOwners(_ value: Owner) {
    remove(value, from: PropertySlot(0, "owners"))
  }

  /// Adds objects to `owners`.
  public func addToOwners(_ values: NSSet) {
    add(values, to: PropertySlot(0, "owners"))
  }

  /// Removes objects from `owners`.
  public func removeFromOwners(_ values: NSSet) {
    remove(values, from: PropertySlot(0, "owners"))
  }
}

// MARK: Generated accessors for walks

nonisolated extension Dog {
  /// Inserts an object into `walks` at an index.
  public func insertIntoWalks(_ value: Walk, at idx: Int) {
    insert(value, at: idx, into: PropertySlot(1, "walks"))
  }

  /// Removes the object at an index from `walks`.
  public func removeFromWalks(at idx: Int) {
    remove(at: idx, from: PropertySlot(1, "walks"))
  }

  /// Inserts objects into `walks`, after which they have the given indexes.
  public func insertIntoWalks(_ values: [Walk], at indexes: NSIndexSet) {
    insert(values, at: RangeSet(indexes), into: PropertySlot(1, "walks"))
  }

  /// Removes the objects at the given indexes from `walks`.
  public func removeFromWalks(at indexes: NSIndexSet) {
    remove(at: RangeSet(indexes), from: PropertySlot(1, "walks"))
  }

  /// Replaces the object at an index of `walks`.
  public func replaceWalks(at idx: Int, with value: Walk) {
    replace(at: idx, with: value, in: PropertySlot(1, "walks"))
  }

  /// Replaces the objects at the given indexes of `walks`.
  public func replaceWalks(at indexes: NSIndexSet, with values: [Walk]) {
    replace(at: RangeSet(indexes), with: values, in: PropertySlot(1, "walks"))
  }

  /// Adds an object to `walks`, at the end.
  public func addToWalks(_ value: Walk) {
    add(value, to: PropertySlot(1, "walks"))
  }

  /// Removes an object from `walks`.
  public func removeFromWalks(_ value: Walk) {
    remove(value, from: PropertySlot(1, "walks"))
  }

  /// Adds objects to `walks`, at the end.
  public func addToWalks(_ values: NSOrderedSet) {
    add(values, to: PropertySlot(1, "walks"))
  }

  /// Removes objects from `walks`.
  public func removeFromWalks(_ values: NSOrderedSet) {
    remove(values, from: PropertySlot(1, "walks"))
  }
}

nonisolated extension Owner {
  /// A request for all objects of the entity `Owner`.
  public class func fetchRequest() -> NSFetchRequest<Owner> {
    NSFetchRequest<Owner>(entityName: "Owner")
  }
}

nonisolated extension Owner {
  /// The attribute `name`; nil if it has no value.
  public var name: String? {
    get { optionalValue(at: PropertySlot(0, "name")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "name")) }
  }

  /// The relationship `dogs`; its inverse is `Dog.owners`.
  public var dogs: NSSet? {
    get { foundationSet(at: PropertySlot(0, "dogs")) }
    set { setFoundationSet(newValue, at: PropertySlot(0, "dogs")) }
  }
}

// MARK: Generated accessors for dogs

nonisolated extension Owner {
  /// Adds an object to `dogs`.
  public func addToDogs(_ value: Dog) {
    add(value, to: PropertySlot(0, "dogs"))
  }

  /// Removes an object from `dogs`.
  public func removeFromDogs(_ value: Dog) {
    remove(value, from: PropertySlot(0, "dogs"))
  }

  /// Adds objects to `dogs`.
  public func addToDogs(_ values: NSSet) {
    add(values, to: PropertySlot(0, "dogs"))
  }

  /// Removes objects from `dogs`.
  public func removeFromDogs(_ values: NSSet) {
    remove(values, from: PropertySlot(0, "dogs"))
  }
}

nonisolated extension Walk {
  /// A request for all objects of the entity `Walk`.
  public class func fetchRequest() -> NSFetchRequest<Walk> {
    NSFetchRequest<Walk>(entityName: "Walk")
  }
}

nonisolated extension Walk {
  /// The attribute `date`; nil if it has no value.
  public var date: Date? {
    get { optionalValue(at: PropertySlot(0, "date")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "date")) }
  }

  /// The attribute `minutes`; zero if it has no value.
  public var minutes: Int32 {
    get { scalarValue(at: PropertySlot(1, "minutes")) }
    set { setRequiredValue(newValue, at: PropertySlot(1, "minutes")) }
  }

  /// The relationship `dog`; its inverse is `Dog.walks`.
  public var dog: Dog? {
    get { toOne(at: PropertySlot(2, "dog")) }
    set { setToOne(newValue, at: PropertySlot(2, "dog")) }
  }
}

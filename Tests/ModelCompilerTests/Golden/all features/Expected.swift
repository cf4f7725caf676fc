// Written by momc from Features.xcdatamodel. Do not edit.
// swift-format-ignore-file

public import ManagedObjects

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

nonisolated extension ManagedObjectModel {
  /// The data model `Features` in its current version, `Features`.
  public static let features: ManagedObjectModel = ModelVersion1.model

  /// Every version of the data model `Features`, by its name.
  public static let featuresVersions: [String: ManagedObjectModel] = [
    "Features": ModelVersion1.model,
  ]
}

/// The version `Features`.
nonisolated private enum ModelVersion1 {
  static let model = ManagedObjectModel(
    entities: [animalEntity, dogEntity, groupEntity, spotEntity, walkEntity],
    configurations: configurations, fetchRequestTemplates: fetchRequestTemplates,
    versionHashes: versionHashes, classes: classes)

  static let versionHashes: [String: VersionHash] = [
    "Animal": VersionHash(hex: "058311c019dce470bea80e30bc59ad72815f16b5b569f2bd82b3d40171c9fa8f")!,
    "Dog": VersionHash(hex: "cd7236d3383a6815f3e041d7916b4cacd64ccf964e3b7666d7b85da592140f58")!,
    "Group": VersionHash(hex: "9a30699e83553ad08031eb743febda7ddfb5422359b5bf1cfc18a704a38fdeb2")!,
    "Spot": VersionHash(hex: "13aefa95b00ba93bfd58a961cffc869bd88d99a8e16ae65615ddaa518c47d61e")!,
    "Walk": VersionHash(hex: "9dc8a1b0c03f79964938cbb3be5d1125e46300ef165fb454b3b2375fa205b42e")!,
  ]

  static let classes: [String: AnyClass] = [
    "Animal": Animal.self,
    "Dog": Dog.self,
    "Walk": Walk.self,
  ].merging(ManagedObjectModel.classes(named: [
    "PackModule.Pack"], besideFile: #fileID)) { first, _ in first }

  static let configurations: [String: [String]] = [
    "Cloud": ["Walk", "Spot"],
    "Local": [],
  ]

  static let fetchRequestTemplates: [String: FetchRequestDescription] = [
    "AllWalks": FetchRequestDescription(entityName: "Walk", predicateFormat: "TRUEPREDICATE"),
    "LightDogs": FetchRequestDescription(
      entityName: "Dog", predicateFormat: "weight < $WEIGHT", fetchLimit: 10, fetchBatchSize: 5,
      resultType: .managedObjectID, includesSubentities: false, returnsDistinctResults: true),
  ]

  static let animalEntity = EntityDescription(
    name: "Animal", isAbstract: true,
    properties: [
      .attribute(AttributeDescription(
        name: "name", type: .string, isOptional: true, minimumValue: .integer(1),
        maximumValue: .integer(80), regularExpression: "\\S.*", isIndexed: true,
        isIndexedBySpotlight: true)),
      .attribute(AttributeDescription(
        name: "weight", type: .double, isOptional: true, defaultValue: .double(10.0),
        minimumValue: .double(0.0), maximumValue: .double(99.5), isStoredInExternalRecord: true,
        allowsCloudEncryption: true, userInfo: ["a \"key\"": "", "unit": "kg"])),
      .relationship(RelationshipDescription(
        name: "friends", destinationEntityName: "Animal", inverseName: "friends", isOptional: true,
        maxCount: 0, userInfo: ["kind": "mutual"])),
      .relationship(RelationshipDescription(
        name: "spouse", destinationEntityName: "Animal", inverseName: "spouse", isOptional: true)),
    ],
    compoundIndexes: [["name", "weight"]], userInfo: ["colour": "green"]
  )

  static let dogEntity = EntityDescription(
    name: "Dog", superentityName: "Animal",
    properties: [
      .attribute(AttributeDescription(
        name: "born", type: .date, isOptional: true,
        defaultValue: .date(Date(timeIntervalSinceReferenceDate: 0.0)),
        minimumValue: .date(Date(timeIntervalSinceReferenceDate: -3153600000.0)),
        maximumValue: .date(Date(timeIntervalSinceReferenceDate: 3153600000.0)))),
      .attribute(AttributeDescription(
        name: "colour", type: .transformable, isOptional: true,
        valueTransformerName: "ColourTransformer", attributeValueClassName: "NSColor")),
      .attribute(AttributeDescription(
        name: "distance", type: .double, isOptional: true,
        derivationExpression: "walks.distance.@sum")),
      .attribute(AttributeDescription(
        name: "home", type: .composite, isOptional: true,
        elements: [AttributeDescription(name: "address", type: .composite, isOptional: true, elements: [AttributeDescription(name: "street", type: .string, isOptional: true), AttributeDescription(name: "default", type: .boolean, isOptional: true, defaultValue: .boolean(true), usesScalarValueType: true)]), AttributeDescription(name: "date", type: .composite, isOptional: true, elements: [AttributeDescription(name: "last", type: .date, isOptional: true)]), AttributeDescription(name: "latitude", type: .double, isOptional: true), AttributeDescription(name: "longitude", type: .double, isOptional: true), AttributeDescription(name: "picture", type: .transformable, isOptional: true, attributeValueClassName: "Picture")])),
      .attribute(AttributeDescription(
        name: "links", type: .transformable, isOptional: true,
        valueTransformerName: "NSSecureUnarchiveFromData", attributeValueClassName: "[URL]")),
      .attribute(AttributeDescription(
        name: "mood", type: .undefined, isOptional: true, isTransient: true)),
      .attribute(AttributeDescription(
        name: "name", type: .string, defaultValue: .string("Unnamed dog"))),
      .attribute(AttributeDescription(
        name: "photo", type: .binaryData, isOptional: true, allowsExternalBinaryDataStorage: true)),
      .attribute(AttributeDescription(
        name: "price", type: .decimal, isOptional: true,
        minimumValue: .decimal(Decimal(string: "0.01")!),
        maximumValue: .decimal(Decimal(string: "1000")!))),
      .attribute(AttributeDescription(
        name: "tags", type: .transformable, valueTransformerName: "NSSecureUnarchiveFromData",
        attributeValueClassName: "[String]")),
      .attribute(AttributeDescription(
        name: "walkCount", type: .integer64, usesScalarValueType: true,
        derivationExpression: "walks.@count")),
      .relationship(RelationshipDescription(
        name: "groups", destinationEntityName: "Group", inverseName: "members", isOptional: true,
        maxCount: 0, isOrdered: true)),
      .relationship(RelationshipDescription(
        name: "nearby", destinationEntityName: "Dog", inverseName: "nearby", isOptional: true,
        isTransient: true)),
      .relationship(RelationshipDescription(
        name: "places", destinationEntityName: "Spot", isOptional: true, maxCount: 0)),
      .relationship(RelationshipDescription(
        name: "seen", destinationEntityName: "Animal", isOptional: true, isTransient: true,
        maxCount: 0)),
      .relationship(RelationshipDescription(
        name: "walks", destinationEntityName: "Walk", inverseName: "dog", isOptional: true,
        maxCount: 0, deleteRule: .cascade)),
      .fetchedProperty(FetchedPropertyDescription(
        name: "namesakes", isOptional: true,
        fetchRequest: FetchRequestDescription(entityName: "Dog", predicateFormat: "name == $FETCH_SOURCE.name"),
        renamingIdentifier: "homonyms", userInfo: ["order": "none"])),
    ],
    uniquenessConstraints: [
      ["home.address.street", "name"],
    ],
    indexes: [
      FetchIndexDescription(
        name: "byHome",
        elements: [.init(propertyName: "home.latitude", collationType: .rTree), .init(propertyName: "home.longitude", collationType: .rTree)]),
      FetchIndexDescription(
        name: "byTone",
        elements: [.init(propertyName: "", expression: "canonical:(name)", isAscending: false)],
        partialIndexPredicate: "weight > 0"),
    ],
    versionHashModifier: "2", renamingIdentifier: "Hound"
  )

  static let groupEntity = EntityDescription(
    name: "Group", managedObjectClassName: "Pack",
    properties: [
      .attribute(AttributeDescription(name: "title", type: .string)),
      .relationship(RelationshipDescription(
        name: "members", destinationEntityName: "Dog", inverseName: "groups", isOptional: true,
        maxCount: 0, isOrdered: true)),
    ]
  )

  static let spotEntity = EntityDescription(
    name: "Spot", managedObjectClassName: "ManagedObject"
  )

  static let walkEntity = EntityDescription(
    name: "Walk",
    properties: [
      .attribute(AttributeDescription(name: "distance", type: .double, isOptional: true)),
      .relationship(RelationshipDescription(
        name: "dog", destinationEntityName: "Dog", inverseName: "walks", isOptional: true)),
    ]
  )
}

/// An object of the entity `Animal`.
nonisolated public class Animal: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Animal.self ? [] : .all
  }
}

nonisolated extension Animal {
  /// The attribute `name`; nil if it has no value.
  public var name: String? {
    get { optionalValue(at: PropertySlot(0, "name")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "name")) }
  }

  /// The attribute `weight`; nil if it has no value.
  public var weight: Double? {
    get { optionalValue(at: PropertySlot(1, "weight")) }
    set { setOptionalValue(newValue, at: PropertySlot(1, "weight")) }
  }

  /// The relationship `friends`; its inverse is `Animal.friends`.
  public var friends: Set<Animal> {
    get { unorderedToMany(at: PropertySlot(0, "friends")) }
    set { setUnorderedToMany(newValue, at: PropertySlot(0, "friends")) }
  }

  /// The relationship `spouse`; its inverse is `Animal.spouse`.
  public var spouse: Animal? {
    get { toOne(at: PropertySlot(2, "spouse")) }
    set { setToOne(newValue, at: PropertySlot(2, "spouse")) }
  }
}

// MARK: Generated accessors for friends

nonisolated extension Animal {
  /// Adds an object to `friends`.
  public func addToFriends(_ value: Animal) {
    add(value, to: PropertySlot(0, "friends"))
  }

  /// Removes an object from `friends`.
  public func removeFromFriends(_ value: Animal) {
    remove(value, from: PropertySlot(0, "friends"))
  }

  /// Adds objects to `friends`.
  public func addToFriends(_ values: Set<Animal>) {
    add(values, to: PropertySlot(0, "friends"))
  }

  /// Removes objects from `friends`.
  public func removeFromFriends(_ values: Set<Animal>) {
    remove(values, from: PropertySlot(0, "friends"))
  }
}

/// An object of the entity `Dog`.
nonisolated public class Dog: Animal {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Dog.self ? [] : .all
  }
}

nonisolated extension Dog {
  /// The attribute `born`; nil if it has no value.
  public var born: Date? {
    get { optionalValue(at: PropertySlot(4, "born")) }
    set { setOptionalValue(newValue, at: PropertySlot(4, "born")) }
  }

  /// The attribute `colour`, as the bytes that are stored; nil if it has no value.
  public var colour: Data? {
    get { transformableData(at: PropertySlot(5, "colour")) }
    set { setTransformableData(newValue, at: PropertySlot(5, "colour")) }
  }

  /// The attribute `distance`; nil if it has no value. The store computes it:
  /// `walks.distance.@sum`.
  public var distance: Double? {
    optionalValue(at: PropertySlot(6, "distance"))
  }

  /// The values of the composite attribute `home`.
  nonisolated public struct Home: Sendable, Hashable {
    /// The values of the composite attribute `address`.
    nonisolated public struct Address: Sendable, Hashable {
      /// The element `street`; nil if it has no value.
      public var street: String?

      /// The element `default`; nil if it has no value.
      public var `default`: Bool?

      /// Creates values, none of them set.
      public init() {}
    }

    /// The composite element `address`.
    public var address = Address()

    /// The values of the composite attribute `date`.
    nonisolated public struct DateValues: Sendable, Hashable {
      /// The element `last`; nil if it has no value.
      public var last: Date?

      /// Creates values, none of them set.
      public init() {}
    }

    /// The composite element `date`.
    public var date = DateValues()

    /// The element `latitude`; nil if it has no value.
    public var latitude: Double?

    /// The element `longitude`; nil if it has no value.
    public var longitude: Double?

    /// The element `picture`, as the bytes that the store has; nil if it has no value.
    public var picture: Data?

    /// Creates values, none of them set.
    public init() {}
  }

  /// The composite attribute `home`; nil if no element has a value.
  public var home: Home? {
    get {
      var value = Home()
      value.address.street = optionalValue(at: PropertySlot(8, "home.address.street"))
      value.address.`default` = optionalValue(at: PropertySlot(7, "home.address.default"))
      value.date.last = optionalValue(at: PropertySlot(9, "home.date.last"))
      value.latitude = optionalValue(at: PropertySlot(10, "home.latitude"))
      value.longitude = optionalValue(at: PropertySlot(11, "home.longitude"))
      value.picture = optionalValue(at: PropertySlot(12, "home.picture"))
      return value == Home() ? nil : value
    }
    set {
      setOptionalValue(newValue?.address.street, at: PropertySlot(8, "home.address.street"))
      setOptionalValue(newValue?.address.`default`, at: PropertySlot(7, "home.address.default"))
      setOptionalValue(newValue?.date.last, at: PropertySlot(9, "home.date.last"))
      setOptionalValue(newValue?.latitude, at: PropertySlot(10, "home.latitude"))
      setOptionalValue(newValue?.longitude, at: PropertySlot(11, "home.longitude"))
      setOptionalValue(newValue?.picture, at: PropertySlot(12, "home.picture"))
    }
  }

  /// The attribute `links`; nil if it has no value.
  public var links: [URL]? {
    get { transformableValue(at: PropertySlot(13, "links")) }
    set { setTransformableValue(newValue, at: PropertySlot(13, "links")) }
  }

  /// The attribute `mood`; nil if it has no value.
  public var mood: Any? {
    get { transformableValue(at: PropertySlot(-1, "mood")) }
    set { setTransformableValue(newValue, at: PropertySlot(-1, "mood")) }
  }

  /// The attribute `photo`; nil if it has no value.
  public var photo: Data? {
    get { optionalValue(at: PropertySlot(14, "photo")) }
    set { setOptionalValue(newValue, at: PropertySlot(14, "photo")) }
  }

  /// The attribute `price`; nil if it has no value.
  public var price: Decimal? {
    get { optionalValue(at: PropertySlot(15, "price")) }
    set { setOptionalValue(newValue, at: PropertySlot(15, "price")) }
  }

  /// The attribute `tags`; nil if it has no value.
  public var tags: [String]? {
    get { transformableValue(at: PropertySlot(16, "tags")) }
    set { setTransformableValue(newValue, at: PropertySlot(16, "tags")) }
  }

  /// The attribute `walkCount`; zero until it is saved. The store computes it: `walks.@count`.
  public var walkCount: Int64 {
    scalarValue(at: PropertySlot(17, "walkCount"))
  }

  /// The relationship `groups`; its inverse is `Group.members`.
  public var groups: OrderedSet<Pack> {
    get { orderedToMany(at: PropertySlot(1, "groups")) }
    set { setOrderedToMany(newValue, at: PropertySlot(1, "groups")) }
  }

  /// The relationship `nearby`; its inverse is `Dog.nearby`.
  public var nearby: Dog? {
    get { toOne(at: PropertySlot(-1, "nearby")) }
    set { setToOne(newValue, at: PropertySlot(-1, "nearby")) }
  }

  /// The relationship `places`.
  public var places: Set<ManagedObject> {
    get { unorderedToMany(at: PropertySlot(2, "places")) }
    set { setUnorderedToMany(newValue, at: PropertySlot(2, "places")) }
  }

  /// The relationship `seen`.
  public var seen: Set<Animal> {
    get { unorderedToMany(at: PropertySlot(-1, "seen")) }
    set { setUnorderedToMany(newValue, at: PropertySlot(-1, "seen")) }
  }

  /// The relationship `walks`; its inverse is `Walk.dog`.
  public var walks: Set<Walk> {
    get { unorderedToMany(at: PropertySlot(3, "walks")) }
    set { setUnorderedToMany(newValue, at: PropertySlot(3, "walks")) }
  }

  /// The fetched property `namesakes`: what its request finds of `Dog`.
  public var namesakes: [Dog] {
    fetchedProperty("namesakes")
  }
}

// MARK: Generated accessors for groups

nonisolated extension Dog {
  /// Inserts an object into `groups` at an index.
  public func insertIntoGroups(_ value: Pack, at idx: Int) {
    insert(value, at: idx, into: PropertySlot(1, "groups"))
  }

  /// Removes the object at an index from `groups`.
  public func removeFromGroups(at idx: Int) {
    remove(at: idx, from: PropertySlot(1, "groups"))
  }

  /// Inserts objects into `groups`, after which they have the given indexes.
  public func insertIntoGroups(_ values: [Pack], at indexes: RangeSet<Int>) {
    insert(values, at: indexes, into: PropertySlot(1, "groups"))
  }

  /// Removes the objects at the given indexes from `groups`.
  public func removeFromGroups(at indexes: RangeSet<Int>) {
    remove(at: indexes, from: PropertySlot(1, "groups"))
  }

  /// Replaces the object at an index of `groups`.
  public func replaceGroups(at idx: Int, with value: Pack) {
    replace(at: idx, with: value, in: PropertySlot(1, "groups"))
  }

  /// Replaces the objects at the given indexes of `groups`.
  public func replaceGroups(at indexes: RangeSet<Int>, with values: [Pack]) {
    replace(at: indexes, with: values, in: PropertySlot(1, "groups"))
  }

  /// Adds an object to `groups`, at the end.
  public func addToGroups(_ value: Pack) {
    add(value, to: PropertySlot(1, "groups"))
  }

  /// Removes an object from `groups`.
  public func removeFromGroups(_ value: Pack) {
    remove(value, from: PropertySlot(1, "groups"))
  }

  /// Adds objects to `groups`, at the end.
  public func addToGroups(_ values: OrderedSet<Pack>) {
    add(values, to: PropertySlot(1, "groups"))
  }

  /// Removes objects from `groups`.
  public func removeFromGroups(_ values: OrderedSet<Pack>) {
    remove(values, from: PropertySlot(1, "groups"))
  }
}

// MARK: Generated accessors for places

nonisolated extension Dog {
  /// Adds an object to `places`.
  public func addToPlaces(_ value: ManagedObject) {
    add(value, to: PropertySlot(2, "places"))
  }

  /// Removes an object from `places`.
  public func removeFromPlaces(_ value: ManagedObject) {
    remove(value, from: PropertySlot(2, "places"))
  }

  /// Adds objects to `places`.
  public func addToPlaces(_ values: Set<ManagedObject>) {
    add(values, to: PropertySlot(2, "places"))
  }

  /// Removes objects from `places`.
  public func removeFromPlaces(_ values: Set<ManagedObject>) {
    remove(values, from: PropertySlot(2, "places"))
  }
}

// MARK: Generated accessors for seen

nonisolated extension Dog {
  /// Adds an object to `seen`.
  public func addToSeen(_ value: Animal) {
    add(value, to: PropertySlot(-1, "seen"))
  }

  /// Removes an object from `seen`.
  public func removeFromSeen(_ value: Animal) {
    remove(value, from: PropertySlot(-1, "seen"))
  }

  /// Adds objects to `seen`.
  public func addToSeen(_ values: Set<Animal>) {
    add(values, to: PropertySlot(-1, "seen"))
  }

  /// Removes objects from `seen`.
  public func removeFromSeen(_ values: Set<Animal>) {
    remove(values, from: PropertySlot(-1, "seen"))
  }
}

// MARK: Generated accessors for walks

nonisolated extension Dog {
  /// Adds an object to `walks`.
  public func addToWalks(_ value: Walk) {
    add(value, to: PropertySlot(3, "walks"))
  }

  /// Removes an object from `walks`.
  public func removeFromWalks(_ value: Walk) {
    remove(value, from: PropertySlot(3, "walks"))
  }

  /// Adds objects to `walks`.
  public func addToWalks(_ values: Set<Walk>) {
    add(values, to: PropertySlot(3, "walks"))
  }

  /// Removes objects from `walks`.
  public func removeFromWalks(_ values: Set<Walk>) {
    remove(values, from: PropertySlot(3, "walks"))
  }
}

nonisolated extension Walk {
  /// The attribute `distance`; nil if it has no value.
  public var distance: Double? {
    get { optionalValue(at: PropertySlot(0, "distance")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "distance")) }
  }

  /// The relationship `dog`; its inverse is `Dog.walks`.
  public var dog: Dog? {
    get { toOne(at: PropertySlot(1, "dog")) }
    set { setToOne(newValue, at: PropertySlot(1, "dog")) }
  }
}

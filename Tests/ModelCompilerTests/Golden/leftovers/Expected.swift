// Written by momc from Model.xcdatamodeld. Do not edit.
// swift-format-ignore-file

public import ManagedObjects

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

nonisolated extension ManagedObjectModel {
  /// The data model `Model` in its current version, `Model`.
  public static let model: ManagedObjectModel = ModelVersion1.model

  /// Every version of the data model `Model`, by its name.
  public static let modelVersions: [String: ManagedObjectModel] = [
    "Model": ModelVersion1.model,
  ]
}

/// The version `Model`.
nonisolated private enum ModelVersion1 {
  static let model = ManagedObjectModel(
    entities: [dogEntity, walkEntity], versionHashes: versionHashes, classes: classes)

  static let versionHashes: [String: VersionHash] = [
    "Dog": VersionHash(hex: "d8398a96f2939035b2d6bc6c8e7a3e31a1344ba1f60090c970fc089a7de9a2b9")!,
    "Walk": VersionHash(hex: "2e68b84debc7e39f815f607d1cd465abad44674d527121802951064963682d60")!,
  ]

  static let classes: [String: AnyClass] = [
    "Dog": Dog.self,
    "Walk": Walk.self,
  ]

  static let dogEntity = EntityDescription(
    name: "Dog",
    properties: [
      .attribute(AttributeDescription(
        name: "isGood", type: .boolean, defaultValue: .boolean(true), usesScalarValueType: true)),
      .attribute(AttributeDescription(
        name: "mood", type: .integer16, defaultValue: .integer(0), usesScalarValueType: true)),
      .attribute(AttributeDescription(name: "number", type: .uuid, isOptional: true)),
      .attribute(AttributeDescription(
        name: "scent", type: .transformable, isOptional: true, attributeValueClassName: "NSArray")),
      .relationship(RelationshipDescription(
        name: "walks", destinationEntityName: "Walk", inverseName: "dog", isOptional: true,
        maxCount: 0)),
    ],
    indexes: [
      FetchIndexDescription(
        name: "byMoodAndWalks",
        elements: [.init(propertyName: "mood"), .init(propertyName: "walks")]),
    ]
  )

  static let walkEntity = EntityDescription(
    name: "Walk",
    properties: [
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
  /// The attribute `isGood`, which must have a value.
  public var isGood: Bool {
    get { requiredValue(at: PropertySlot(0, "isGood")) }
    set { setRequiredValue(newValue, at: PropertySlot(0, "isGood")) }
  }

  /// The attribute `mood`, which must have a value.
  public var mood: Int16 {
    get { requiredValue(at: PropertySlot(1, "mood")) }
    set { setRequiredValue(newValue, at: PropertySlot(1, "mood")) }
  }

  /// The attribute `number`; nil if it has no value.
  public var number: UUID? {
    get { optionalValue(at: PropertySlot(2, "number")) }
    set { setOptionalValue(newValue, at: PropertySlot(2, "number")) }
  }

  /// The attribute `scent`; nil if it has no value.
  public var scent: [Any]? {
    get { transformableValue(at: PropertySlot(3, "scent")) }
    set { setTransformableValue(newValue, at: PropertySlot(3, "scent")) }
  }

  /// The relationship `walks`; its inverse is `Walk.dog`.
  public var walks: Set<Walk> {
    get { unorderedToMany(at: PropertySlot(0, "walks")) }
    set { setUnorderedToMany(newValue, at: PropertySlot(0, "walks")) }
  }
}

// MARK: Generated accessors for walks

nonisolated extension Dog {
  /// Adds an object to `walks`.
  public func addToWalks(_ value: Walk) {
    add(value, to: PropertySlot(0, "walks"))
  }

  /// Removes an object from `walks`.
  public func removeFromWalks(_ value: Walk) {
    remove(value, from: PropertySlot(0, "walks"))
  }

  /// Adds objects to `walks`.
  public func addToWalks(_ values: Set<Walk>) {
    add(values, to: PropertySlot(0, "walks"))
  }

  /// Removes objects from `walks`.
  public func removeFromWalks(_ values: Set<Walk>) {
    remove(values, from: PropertySlot(0, "walks"))
  }
}

/// An object of the entity `Walk`.
nonisolated public class Walk: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Walk.self ? [] : .all
  }
}

nonisolated extension Walk {
  /// The relationship `dog`; its inverse is `Dog.walks`.
  public var dog: Dog? {
    get { toOne(at: PropertySlot(0, "dog")) }
    set { setToOne(newValue, at: PropertySlot(0, "dog")) }
  }
}

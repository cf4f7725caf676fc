// Written by momc from Kennel.xcdatamodel. Do not edit.
// swift-format-ignore-file

public import ManagedObjects

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

nonisolated extension ManagedObjectModel {
  /// The data model `Kennel` in its current version, `Kennel`.
  public static let kennel: ManagedObjectModel = ModelVersion1.model

  /// Every version of the data model `Kennel`, by its name.
  public static let kennelVersions: [String: ManagedObjectModel] = [
    "Kennel": ModelVersion1.model,
  ]
}

/// The version `Kennel`.
nonisolated private enum ModelVersion1 {
  static let model = ManagedObjectModel(
    entities: [animalEntity, dogEntity, ownerEntity, visitEntity, noteEntity],
    versionHashes: versionHashes, classes: classes)

  static let versionHashes: [String: VersionHash] = [
    "Animal": VersionHash(hex: "88f125bd579ec528df0870e89b20bfaaf154b36e3510797dee0a7f122ad88e76")!,
    "Dog": VersionHash(hex: "685ba5ec445501e3f7cc366e04fec5a59995fde7b78c568d03a773e97be184d5")!,
    "Owner": VersionHash(hex: "3663bd3b2444cf4e8a1f717940da5122b1891325a2ba0faf5f59b78c84245ca1")!,
    "Visit": VersionHash(hex: "ba2477be530701715dce8b33e351750d9ef27a6603d1d9cdef651b3206ad3052")!,
    "Note": VersionHash(hex: "44ea43d79a6ad3f771f06027fb37a085997bd5d1b1a6f36fb1aad24cd88d906f")!,
  ]

  static let classes: [String: AnyClass] = [
    "Animal": Animal.self,
    "Dog": Dog.self,
    "Owner": Owner.self,
    "Visit": Visit.self,
  ].merging(ManagedObjectModel.classes(named: ["Note"], besideFile: #fileID)) { first, _ in first }

  static let animalEntity = EntityDescription(
    name: "Animal", isAbstract: true,
    properties: [
      .attribute(AttributeDescription(name: "name", type: .string)),
      .attribute(AttributeDescription(
        name: "weight", type: .double, isOptional: true, usesScalarValueType: true)),
    ]
  )

  static let dogEntity = EntityDescription(
    name: "Dog", superentityName: "Animal",
    properties: [
      .attribute(AttributeDescription(name: "born", type: .date, isOptional: true)),
      .attribute(AttributeDescription(name: "call", type: .string, isOptional: true)),
      .attribute(AttributeDescription(name: "zone", type: .string, isOptional: true)),
      .relationship(RelationshipDescription(
        name: "owner", destinationEntityName: "Owner", inverseName: "dogs", isOptional: true)),
    ]
  )

  static let ownerEntity = EntityDescription(
    name: "Owner",
    properties: [
      .attribute(AttributeDescription(name: "name", type: .string, isOptional: true)),
      .attribute(AttributeDescription(name: "Date", type: .date, isOptional: true)),
      .relationship(RelationshipDescription(
        name: "dogs", destinationEntityName: "Dog", inverseName: "owner", isOptional: true,
        maxCount: 0)),
    ]
  )

  static let visitEntity = EntityDescription(
    name: "Visit",
    properties: [
      .attribute(AttributeDescription(name: "day", type: .date, isOptional: true)),
    ]
  )

  static let noteEntity = EntityDescription(
    name: "Note",
    properties: [
      .attribute(AttributeDescription(name: "text", type: .string, isOptional: true)),
    ]
  )
}

nonisolated extension Animal {
  /// The attribute `name`, which must have a value; reading it before it is set traps.
  public var name: String {
    get { requiredValue(at: PropertySlot(0, "name")) }
    set { setRequiredValue(newValue, at: PropertySlot(0, "name")) }
  }

  /// The attribute `weight`; zero if it has no value.
  public var weight: Double {
    get { scalarValue(at: PropertySlot(1, "weight")) }
    set { setRequiredValue(newValue, at: PropertySlot(1, "weight")) }
  }
}

nonisolated extension Dog {
  /// The attribute `born`; nil if it has no value.
  public var born: Date? {
    get { optionalValue(at: PropertySlot(2, "born")) }
    set { setOptionalValue(newValue, at: PropertySlot(2, "born")) }
  }

  /// The relationship `owner`; its inverse is `Owner.dogs`.
  public var owner: Owner? {
    get { toOne(at: PropertySlot(5, "owner")) }
    set { setToOne(newValue, at: PropertySlot(5, "owner")) }
  }
}

nonisolated extension Owner {
  /// The attribute `name`; nil if it has no value.
  public var name: String? {
    get { optionalValue(at: PropertySlot(1, "name")) }
    set { setOptionalValue(newValue, at: PropertySlot(1, "name")) }
  }

  /// The relationship `dogs`; its inverse is `Dog.owner`.
  public var dogs: Set<Dog> {
    get { unorderedToMany(at: PropertySlot(0, "dogs")) }
    set { setUnorderedToMany(newValue, at: PropertySlot(0, "dogs")) }
  }
}

// MARK: Generated accessors for dogs

nonisolated extension Owner {
  /// Removes an object from `dogs`.
  public func removeFromDogs(_ value: Dog) {
    remove(value, from: PropertySlot(0, "dogs"))
  }

  /// Removes objects from `dogs`.
  public func removeFromDogs(_ values: Set<Dog>) {
    remove(values, from: PropertySlot(0, "dogs"))
  }
}

/// An object of the entity `Visit`.
nonisolated public class Visit: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Visit.self ? [] : .all
  }
}

nonisolated extension Visit {
  /// The attribute `day`; nil if it has no value.
  public var day: Date? {
    get { optionalValue(at: PropertySlot(0, "day")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "day")) }
  }
}

// Written by momc from Odd.xcdatamodel. Do not edit.
// swift-format-ignore-file

public import ManagedObjects

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

nonisolated extension ManagedObjectModel {
  /// The data model `Odd` in its current version, `Odd`.
  public static let odd: ManagedObjectModel = ModelVersion1.model

  /// Every version of the data model `Odd`, by its name.
  public static let oddVersions: [String: ManagedObjectModel] = [
    "Odd": ModelVersion1.model,
  ]
}

/// The version `Odd`.
nonisolated private enum ModelVersion1 {
  static let model = ManagedObjectModel(
    entities: [defaultEntity, typeEntity, protocolEntity, anyEntity, selfEntity],
    versionHashes: versionHashes, classes: classes)

  static let versionHashes: [String: VersionHash] = [
    "Default": VersionHash(hex: "763f98bd839588cb1a7e70d34d3e86cadc929097ace764a2aac8d887fd607401")!,
    "Type": VersionHash(hex: "e90f1ba100bdf4f6a408cfbd8a8efa0c6ee3523c35d0bfc97f70dbeb8123eb58")!,
    "Protocol": VersionHash(hex: "8ff19820729893a0ed2251b2f0cbe5acd37694dcc970b9d5e5fa888a99261686")!,
    "Any": VersionHash(hex: "eb9a6d74fe338334203a642d9feb963c7c75560d076c50b1e37f6a7c2e649018")!,
    "Self": VersionHash(hex: "c9a5e3a289dbd47e886c260af8927d11be443ee961455e849a2094201e0e6355")!,
  ]

  static let classes: [String: AnyClass] = [
    "default": `default`.self,
    "Type": `Type`.self,
    "Protocol": `Protocol`.self,
    "Any": `Any`.self,
    "Self": `Self`.self,
  ]

  static let defaultEntity = EntityDescription(
    name: "Default", managedObjectClassName: "default",
    properties: [
      .attribute(AttributeDescription(name: "_", type: .string, isOptional: true)),
      .attribute(AttributeDescription(
        name: "__", type: .integer64, isOptional: true, usesScalarValueType: true)),
      .attribute(AttributeDescription(name: "in", type: .date, isOptional: true)),
      .relationship(RelationshipDescription(
        name: "class_", destinationEntityName: "Type", inverseName: "standard", isOptional: true,
        maxCount: 0)),
      .fetchedProperty(FetchedPropertyDescription(
        name: "case", isOptional: true,
        fetchRequest: FetchRequestDescription(entityName: "Type", predicateFormat: "TRUEPREDICATE"))),
    ]
  )

  static let typeEntity = EntityDescription(
    name: "Type",
    properties: [
      .relationship(RelationshipDescription(
        name: "standard", destinationEntityName: "Default", inverseName: "class_",
        isOptional: true)),
      .relationship(RelationshipDescription(
        name: "switch", destinationEntityName: "Protocol", inverseName: "type", isOptional: true,
        maxCount: 0, isOrdered: true)),
    ]
  )

  static let protocolEntity = EntityDescription(
    name: "Protocol", superentityName: "Any",
    properties: [
      .relationship(RelationshipDescription(
        name: "type", destinationEntityName: "Type", inverseName: "switch", isOptional: true)),
    ]
  )

  static let anyEntity = EntityDescription(
    name: "Any",
    properties: [
      .attribute(AttributeDescription(
        name: "self_", type: .undefined, isOptional: true, isTransient: true)),
    ]
  )

  static let selfEntity = EntityDescription(
    name: "Self"
  )
}

/// An object of the entity `Default`.
nonisolated public class `default`: ManagedObject {
  /// None; a subclass may have any, unless it says which.
  public override class var overriddenMethods: OverriddenMethods {
    self == `default`.self ? [] : .all
  }
}

nonisolated extension `default` {
  /// The attribute `_`; nil where it has no value.
  public var `_`: String? {
    get { optionalValue(at: PropertySlot(0, "_")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "_")) }
  }

  /// The attribute `__`; zero where it has no value.
  public var __: Int64 {
    get { scalarValue(at: PropertySlot(1, "__")) }
    set { setRequiredValue(newValue, at: PropertySlot(1, "__")) }
  }

  /// The attribute `in`; nil where it has no value.
  public var `in`: Date? {
    get { optionalValue(at: PropertySlot(2, "in")) }
    set { setOptionalValue(newValue, at: PropertySlot(2, "in")) }
  }

  /// The relationship `class_`; `Type.standard` leads back.
  public var class_: Set<`Type`> {
    get { unorderedToMany(at: PropertySlot(0, "class_")) }
    set { setUnorderedToMany(newValue, at: PropertySlot(0, "class_")) }
  }

  /// The fetched property `case`: what its request finds of `Type`.
  public var `case`: [`Type`] {
    fetchedProperty("case")
  }
}

// MARK: Generated accessors for class_

nonisolated extension `default` {
  /// Adds an object to `class_`.
  public func addToClass_(_ value: `Type`) {
    add(value, to: PropertySlot(0, "class_"))
  }

  /// Takes an object out of `class_`.
  public func removeFromClass_(_ value: `Type`) {
    remove(value, from: PropertySlot(0, "class_"))
  }

  /// Adds objects to `class_`.
  public func addToClass_(_ values: Set<`Type`>) {
    add(values, to: PropertySlot(0, "class_"))
  }

  /// Takes objects out of `class_`.
  public func removeFromClass_(_ values: Set<`Type`>) {
    remove(values, from: PropertySlot(0, "class_"))
  }
}

/// An object of the entity `Type`.
nonisolated public class `Type`: ManagedObject {
  /// None; a subclass may have any, unless it says which.
  public override class var overriddenMethods: OverriddenMethods {
    self == `Type`.self ? [] : .all
  }
}

nonisolated extension `Type` {
  /// The relationship `standard`; `Default.class_` leads back.
  public var standard: `default`? {
    get { toOne(at: PropertySlot(0, "standard")) }
    set { setToOne(newValue, at: PropertySlot(0, "standard")) }
  }

  /// The relationship `switch`; `Protocol.type` leads back.
  public var `switch`: OrderedSet<`Protocol`> {
    get { orderedToMany(at: PropertySlot(0, "switch")) }
    set { setOrderedToMany(newValue, at: PropertySlot(0, "switch")) }
  }
}

// MARK: Generated accessors for switch

nonisolated extension `Type` {
  /// Puts an object into `switch`, before the one that stands at an index now.
  public func insertIntoSwitch(_ value: `Protocol`, at idx: Int) {
    insert(value, at: idx, into: PropertySlot(0, "switch"))
  }

  /// Takes the object at an index out of `switch`.
  public func removeFromSwitch(at idx: Int) {
    remove(at: idx, from: PropertySlot(0, "switch"))
  }

  /// Puts objects into `switch` so that they then stand at the indexes given.
  public func insertIntoSwitch(_ values: [`Protocol`], at indexes: RangeSet<Int>) {
    insert(values, at: indexes, into: PropertySlot(0, "switch"))
  }

  /// Takes the objects at some indexes out of `switch`.
  public func removeFromSwitch(at indexes: RangeSet<Int>) {
    remove(at: indexes, from: PropertySlot(0, "switch"))
  }

  /// Puts an object in the place of the one at an index of `switch`.
  public func replaceSwitch(at idx: Int, with value: `Protocol`) {
    replace(at: idx, with: value, in: PropertySlot(0, "switch"))
  }

  /// Puts objects in the places of those at some indexes of `switch`.
  public func replaceSwitch(at indexes: RangeSet<Int>, with values: [`Protocol`]) {
    replace(at: indexes, with: values, in: PropertySlot(0, "switch"))
  }

  /// Adds an object to `switch`, at the end.
  public func addToSwitch(_ value: `Protocol`) {
    add(value, to: PropertySlot(0, "switch"))
  }

  /// Takes an object out of `switch`.
  public func removeFromSwitch(_ value: `Protocol`) {
    remove(value, from: PropertySlot(0, "switch"))
  }

  /// Adds objects to `switch`, at the end.
  public func addToSwitch(_ values: OrderedSet<`Protocol`>) {
    add(values, to: PropertySlot(0, "switch"))
  }

  /// Takes objects out of `switch`.
  public func removeFromSwitch(_ values: OrderedSet<`Protocol`>) {
    remove(values, from: PropertySlot(0, "switch"))
  }
}

/// An object of the entity `Protocol`.
nonisolated public class `Protocol`: `Any` {
  /// None; a subclass may have any, unless it says which.
  public override class var overriddenMethods: OverriddenMethods {
    self == `Protocol`.self ? [] : .all
  }
}

nonisolated extension `Protocol` {
  /// The relationship `type`; `Type.switch` leads back.
  public var type: `Type`? {
    get { toOne(at: PropertySlot(0, "type")) }
    set { setToOne(newValue, at: PropertySlot(0, "type")) }
  }
}

/// An object of the entity `Any`.
nonisolated public class `Any`: ManagedObject {
  /// None; a subclass may have any, unless it says which.
  public override class var overriddenMethods: OverriddenMethods {
    self == `Any`.self ? [] : .all
  }
}

nonisolated extension `Any` {
  /// The attribute `self_`; nil where it has no value.
  public var self_: Any? {
    get { transformableValue(at: PropertySlot(-1, "self_")) }
    set { setTransformableValue(newValue, at: PropertySlot(-1, "self_")) }
  }
}

/// An object of the entity `Self`.
nonisolated public class `Self`: ManagedObject {
  /// None; a subclass may have any, unless it says which.
  public override class var overriddenMethods: OverriddenMethods {
    self == `Self`.self ? [] : .all
  }
}

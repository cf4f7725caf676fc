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
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == `default`.self ? [] : .all
  }
}

nonisolated extension `default` {
  /// The attribute `_`; nil if it has no value.
  public var `_`: String? {
    get { optionalValue(at: PropertySlot(0, "_")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "_")) }
  }

  /// The attribute `__`; zero if it has no value.
  public var __: Int64 {
    get { scalarValue(at: PropertySlot(1, "__")) }
    set { setRequiredValue(newValue, at: PropertySlot(1, "__")) }
  }

  /// The attribute `in`; nil if it has no value.
  public var `in`: Date? {
    get { optionalValue(at: PropertySlot(2, "in")) }
    set { setOptionalValue(newValue, at: PropertySlot(2, "in")) }
  }

  /// The relationship `class_`; its inverse is `Type.standard`.
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

  /// Removes an object from `class_`.
  public func removeFromClass_(_ value: `Type`) {
    remove(value, from: PropertySlot(0, "class_"))
  }

  /// Adds objects to `class_`.
  public func addToClass_(_ values: Set<`Type`>) {
    add(values, to: PropertySlot(0, "class_"))
  }

  /// Removes objects from `class_`.
  public func removeFromClass_(_ values: Set<`Type`>) {
    remove(values, from: PropertySlot(0, "class_"))
  }
}

/// An object of the entity `Type`.
nonisolated public class `Type`: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == `Type`.self ? [] : .all
  }
}

nonisolated extension `Type` {
  /// The relationship `standard`; its inverse is `Default.class_`.
  public var standard: `default`? {
    get { toOne(at: PropertySlot(0, "standard")) }
    set { setToOne(newValue, at: PropertySlot(0, "standard")) }
  }

  /// The relationship `switch`; its inverse is `Protocol.type`.
  public var `switch`: OrderedSet<`Protocol`> {
    get { orderedToMany(at: PropertySlot(0, "switch")) }
    set { setOrderedToMany(newValue, at: PropertySlot(0, "switch")) }
  }
}

// MARK: Generated accessors for switch

nonisolated extension `Type` {
  /// Inserts an object into `switch` at an index.
  public func insertIntoSwitch(_ value: `Protocol`, at idx: Int) {
    insert(value, at: idx, into: PropertySlot(0, "switch"))
  }

  /// Removes the object at an index from `switch`.
  public func removeFromSwitch(at idx: Int) {
    remove(at: idx, from: PropertySlot(0, "switch"))
  }

  /// Inserts objects into `switch`, after which they have the given indexes.
  public func insertIntoSwitch(_ values: [`Protocol`], at indexes: RangeSet<Int>) {
    insert(values, at: indexes, into: PropertySlot(0, "switch"))
  }

  /// Removes the objects at the given indexes from `switch`.
  public func removeFromSwitch(at indexes: RangeSet<Int>) {
    remove(at: indexes, from: PropertySlot(0, "switch"))
  }

  /// Replaces the object at an index of `switch`.
  public func replaceSwitch(at idx: Int, with value: `Protocol`) {
    replace(at: idx, with: value, in: PropertySlot(0, "switch"))
  }

  /// Replaces the objects at the given indexes of `switch`.
  public func replaceSwitch(at indexes: RangeSet<Int>, with values: [`Protocol`]) {
    replace(at: indexes, with: values, in: PropertySlot(0, "switch"))
  }

  /// Adds an object to `switch`, at the end.
  public func addToSwitch(_ value: `Protocol`) {
    add(value, to: PropertySlot(0, "switch"))
  }

  /// Removes an object from `switch`.
  public func removeFromSwitch(_ value: `Protocol`) {
    remove(value, from: PropertySlot(0, "switch"))
  }

  /// Adds objects to `switch`, at the end.
  public func addToSwitch(_ values: OrderedSet<`Protocol`>) {
    add(values, to: PropertySlot(0, "switch"))
  }

  /// Removes objects from `switch`.
  public func removeFromSwitch(_ values: OrderedSet<`Protocol`>) {
    remove(values, from: PropertySlot(0, "switch"))
  }
}

/// An object of the entity `Protocol`.
nonisolated public class `Protocol`: `Any` {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == `Protocol`.self ? [] : .all
  }
}

nonisolated extension `Protocol` {
  /// The relationship `type`; its inverse is `Type.switch`.
  public var type: `Type`? {
    get { toOne(at: PropertySlot(0, "type")) }
    set { setToOne(newValue, at: PropertySlot(0, "type")) }
  }
}

/// An object of the entity `Any`.
nonisolated public class `Any`: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == `Any`.self ? [] : .all
  }
}

nonisolated extension `Any` {
  /// The attribute `self_`; nil if it has no value.
  public var self_: Any? {
    get { transformableValue(at: PropertySlot(-1, "self_")) }
    set { setTransformableValue(newValue, at: PropertySlot(-1, "self_")) }
  }
}

/// An object of the entity `Self`.
nonisolated public class `Self`: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == `Self`.self ? [] : .all
  }
}

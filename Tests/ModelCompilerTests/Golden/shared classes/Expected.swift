// Written by momc from Model.xcdatamodel. Do not edit.
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
    entities: [baseEntity, bookEntity, filmEntity, novelEntity, cafEntity, cafEntity2],
    versionHashes: versionHashes, classes: classes)

  static let versionHashes: [String: VersionHash] = [
    "Base": VersionHash(hex: "4d94ad2e83165fabf56a2073bfcacdd1f96585a69fb5e95e4f28cbf90ddc4655")!,
    "Book": VersionHash(hex: "fad8811aa7d8eb815290f51311d537676f8e381b51e8853cdc7f44d022513579")!,
    "Film": VersionHash(hex: "071c1dfaaee27c96df21c0952c709fc186ff2630e9f064409037baea94da9949")!,
    "Novel": VersionHash(hex: "6f158e0c6caecfe4d96d2af980ab24a3fffa040c79026a405dab590cb76fd45e")!,
    "Café": VersionHash(hex: "fec408be4b3b3c72ba796db8eeb4d3c3eab652204e855c514b082bce91366509")!,
    "Cafè": VersionHash(hex: "d761a79b1a17f97ad6ad9e2d8ae644c24fd6ef375ee8d9484d5c7241f87a1348")!,
  ]

  static let classes: [String: AnyClass] = [
    "Thing": Thing.self,
    "Novel": Novel.self,
    "Café": Café.self,
  ]

  static let baseEntity = EntityDescription(
    name: "Base", managedObjectClassName: "Thing",
    properties: [
      .attribute(AttributeDescription(name: "title", type: .string, isOptional: true)),
    ]
  )

  static let bookEntity = EntityDescription(
    name: "Book", managedObjectClassName: "Thing", superentityName: "Base",
    properties: [
      .attribute(AttributeDescription(name: "pages", type: .integer16, isOptional: true)),
      .attribute(AttributeDescription(name: "title", type: .string)),
    ]
  )

  static let filmEntity = EntityDescription(
    name: "Film", managedObjectClassName: "Thing", superentityName: "Base",
    properties: [
      .attribute(AttributeDescription(name: "minutes", type: .integer16, isOptional: true)),
      .attribute(AttributeDescription(name: "pages", type: .integer16, isOptional: true)),
    ]
  )

  static let novelEntity = EntityDescription(
    name: "Novel", superentityName: "Book",
    properties: [
      .attribute(AttributeDescription(name: "hero", type: .string, isOptional: true)),
      .attribute(AttributeDescription(
        name: "title", type: .string, defaultValue: .string("Untitled"))),
    ]
  )

  static let cafEntity = EntityDescription(
    name: "Café",
    properties: [
      .attribute(AttributeDescription(
        name: "größe", type: .double, isOptional: true, usesScalarValueType: true)),
      .attribute(AttributeDescription(name: "Link", type: .uri, isOptional: true)),
    ]
  )

  static let cafEntity2 = EntityDescription(
    name: "Cafè", managedObjectClassName: "ManagedObject"
  )
}

/// An object of one of the entities `Base`, `Book`, `Film`.
nonisolated public class Thing: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Thing.self ? [] : .all
  }
}

nonisolated extension Thing {
  /// The attribute `title`; nil if it has no value.
  public var title: String? {
    get { optionalValue(at: PropertySlot(0, "title")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "title")) }
  }

  /// The attribute `pages`; nil if it has no value.
  public var pages: Int16? {
    get { optionalValue(at: PropertySlot(-1, "pages")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "pages")) }
  }

  /// The attribute `minutes`; nil if it has no value.
  public var minutes: Int16? {
    get { optionalValue(at: PropertySlot(-1, "minutes")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "minutes")) }
  }
}

/// An object of the entity `Novel`.
nonisolated public class Novel: Thing {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Novel.self ? [] : .all
  }
}

nonisolated extension Novel {
  /// The attribute `hero`; nil if it has no value.
  public var hero: String? {
    get { optionalValue(at: PropertySlot(2, "hero")) }
    set { setOptionalValue(newValue, at: PropertySlot(2, "hero")) }
  }
}

/// An object of the entity `Café`.
nonisolated public class Café: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Café.self ? [] : .all
  }
}

nonisolated extension Café {
  /// The attribute `größe`; zero if it has no value.
  public var größe: Double {
    get { scalarValue(at: PropertySlot(1, "größe")) }
    set { setRequiredValue(newValue, at: PropertySlot(1, "größe")) }
  }

  /// The attribute `Link`; nil if it has no value.
  public var Link: URL? {
    get { optionalValue(at: PropertySlot(0, "Link")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "Link")) }
  }
}

// Written by momc from Log.xcdatamodeld. Do not edit.
// swift-format-ignore-file

public import ManagedObjects

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

nonisolated extension ManagedObjectModel {
  /// The data model `Log` in its current version, `Log 10`.
  public static let log: ManagedObjectModel = ModelVersion3.model

  /// Every version of the data model `Log`, by its name.
  public static let logVersions: [String: ManagedObjectModel] = [
    "Log": ModelVersion1.model,
    "Log 9": ModelVersion2.model,
    "Log 10": ModelVersion3.model,
  ]
}

/// The version `Log`.
nonisolated private enum ModelVersion1 {
  static let model = ManagedObjectModel(entities: [entryEntity], versionHashes: versionHashes)

  static let versionHashes: [String: VersionHash] = [
    "Entry": VersionHash(hex: "046d853f37c127ff1cf98e9b683ae0a97b185263043cdacb2275d7b1745f2444")!,
  ]

  static let entryEntity = EntityDescription(
    name: "Entry",
    properties: [
      .attribute(AttributeDescription(name: "text", type: .string)),
    ]
  )
}

/// The version `Log 9`.
nonisolated private enum ModelVersion2 {
  static let model = ManagedObjectModel(
    entities: [entryEntity], versionIdentifiers: ["nine"], versionHashes: versionHashes)

  static let versionHashes: [String: VersionHash] = [
    "Entry": VersionHash(hex: "66d214643798fcd555922992d2077482623eb856704f13540ea0baecc15814fc")!,
  ]

  static let entryEntity = EntityDescription(
    name: "Entry",
    properties: [
      .attribute(AttributeDescription(name: "text", type: .string)),
      .attribute(AttributeDescription(
        name: "at", type: .date, isOptional: true,
        defaultValue: .date(Date(timeIntervalSinceReferenceDate: 0.0)))),
    ]
  )
}

/// The version `Log 10`.
nonisolated private enum ModelVersion3 {
  static let model = ManagedObjectModel(
    entities: [entryEntity], versionIdentifiers: ["ten"], versionHashes: versionHashes,
    classes: classes)

  static let versionHashes: [String: VersionHash] = [
    "Entry": VersionHash(hex: "cb018a0e584cb8e43f76b24c00d7fc2fcede87475d63606b4db6a1889417da53")!,
  ]

  static let classes: [String: AnyClass] = [
    "Entry": Entry.self,
  ]

  static let entryEntity = EntityDescription(
    name: "Entry",
    properties: [
      .attribute(AttributeDescription(name: "text", type: .string)),
      .attribute(AttributeDescription(name: "count", type: .integer64, isOptional: true)),
    ]
  )
}

/// An object of the entity `Entry`.
nonisolated public class Entry: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Entry.self ? [] : .all
  }
}

nonisolated extension Entry {
  /// The attribute `text`, which must have a value; reading it before it is set traps.
  public var text: String {
    get { requiredValue(at: PropertySlot(1, "text")) }
    set { setRequiredValue(newValue, at: PropertySlot(1, "text")) }
  }

  /// The attribute `count`; nil if it has no value.
  public var count: Int64? {
    get { optionalValue(at: PropertySlot(0, "count")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "count")) }
  }
}

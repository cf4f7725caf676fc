// Written by momc from Model.xcdatamodel. Do not edit.
// swift-format-ignore-file

public import ManagedObjects

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
    entities: [walkEntity], fetchRequestTemplates: fetchRequestTemplates,
    versionHashes: versionHashes, classes: classes)

  static let versionHashes: [String: VersionHash] = [
    "Walk": VersionHash(hex: "112710fb579da059e2a29e6dc85c7b92ff1aba0581756587cf5b30eaa9639db1")!,
  ]

  static let classes: [String: AnyClass] = [
    "Walk": Walk.self,
  ]

  static let fetchRequestTemplates: [String: FetchRequestDescription] = [
    "LongWalks": FetchRequestDescription(entityName: "Walk", predicateFormat: "duration > 3600"),
  ]

  static let walkEntity = EntityDescription(
    name: "Walk",
    properties: [
      .attribute(AttributeDescription(
        name: "duration", type: .double, isOptional: true, minimumValue: .double(0.0),
        maximumValue: .double(86400.0))),
      .attribute(AttributeDescription(
        name: "note", type: .string, isOptional: true, regularExpression: "[a-z]*",
        isIndexed: true)),
    ],
    compoundIndexes: [["note"]], userInfo: ["colour": "green"]
  )
}

/// An object of the entity `Walk`.
nonisolated public class Walk: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Walk.self ? [] : .all
  }
}

nonisolated extension Walk {
  /// The attribute `duration`; nil if it has no value.
  public var duration: Double? {
    get { optionalValue(at: PropertySlot(0, "duration")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "duration")) }
  }

  /// The attribute `note`; nil if it has no value.
  public var note: String? {
    get { optionalValue(at: PropertySlot(1, "note")) }
    set { setOptionalValue(newValue, at: PropertySlot(1, "note")) }
  }
}

// Written by momc from Model.xcdatamodeld. Do not edit.
// swift-format-ignore-file

public import ManagedObjects

nonisolated extension ManagedObjectModel {
  /// The data model `Model` in its current version, `Model 2`.
  public static let model: ManagedObjectModel = ModelVersion1.model

  /// Every version of the data model `Model`, by its name.
  public static let modelVersions: [String: ManagedObjectModel] = [
    "Model 2": ModelVersion1.model,
  ]
}

/// The version `Model 2`.
nonisolated private enum ModelVersion1 {
  static let model = ManagedObjectModel(
    entities: [dogEntity], versionHashes: versionHashes, classes: classes)

  static let versionHashes: [String: VersionHash] = [
    "Dog": VersionHash(hex: "6b469dafba98830e0d56a3ebafb4feebb870725c4db97225ead7070ca56c6cb6")!,
  ]

  static let classes: [String: AnyClass] = [
    "Dog": Dog.self,
  ]

  static let dogEntity = EntityDescription(
    name: "Dog",
    properties: [
      .attribute(AttributeDescription(name: "name", type: .string, isOptional: true)),
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
  /// The attribute `name`; nil if it has no value.
  public var name: String? {
    get { optionalValue(at: PropertySlot(0, "name")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "name")) }
  }
}

// Written by momc from Values.xcdatamodel. Do not edit.
// swift-format-ignore-file

public import ManagedObjects

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

nonisolated extension ManagedObjectModel {
  /// The data model `Values` in its current version, `Values`.
  public static let values: ManagedObjectModel = ModelVersion1.model

  /// Every version of the data model `Values`, by its name.
  public static let valuesVersions: [String: ManagedObjectModel] = [
    "Values": ModelVersion1.model,
  ]
}

/// The version `Values`.
nonisolated private enum ModelVersion1 {
  static let model = ManagedObjectModel(
    entities: [sampleEntity], versionHashes: versionHashes, classes: classes)

  static let versionHashes: [String: VersionHash] = [
    "Sample": VersionHash(hex: "566fa7499dc8902a25da40e77f75859776968fd355e03b5829e749b556b3ecc1")!,
  ]

  static let classes: [String: AnyClass] = [
    "Sample": Sample.self,
  ]

  static let sampleEntity = EntityDescription(
    name: "Sample",
    properties: [
      .attribute(AttributeDescription(name: "anything", type: .transformable, isOptional: true)),
      .attribute(AttributeDescription(
        name: "array", type: .transformable, isOptional: true,
        valueTransformerName: "NSSecureUnarchiveFromData", attributeValueClassName: "NSArray")),
      .attribute(AttributeDescription(
        name: "bareArray", type: .transformable, isOptional: true,
        valueTransformerName: "NSSecureUnarchiveFromData", attributeValueClassName: "Array")),
      .attribute(AttributeDescription(
        name: "bytes", type: .transformable, isOptional: true, attributeValueClassName: "NSData")),
      .attribute(AttributeDescription(
        name: "colour", type: .transformable, isOptional: true,
        valueTransformerName: "ColourTransformer", attributeValueClassName: "UIColor")),
      .attribute(AttributeDescription(
        name: "counts", type: .transformable, isOptional: true,
        valueTransformerName: "NSSecureUnarchiveFromData",
        attributeValueClassName: "Dictionary<String, [Int16]>")),
      .attribute(AttributeDescription(
        name: "draft", type: .transformable, isOptional: true, isTransient: true,
        attributeValueClassName: "NSImage")),
      .attribute(AttributeDescription(
        name: "images", type: .transformable, isOptional: true,
        attributeValueClassName: "[UIImage]")),
      .attribute(AttributeDescription(
        name: "links", type: .transformable, isOptional: true,
        attributeValueClassName: "[String:URL?]")),
      .attribute(AttributeDescription(
        name: "map", type: .transformable, isOptional: true,
        attributeValueClassName: "NSDictionary")),
      .attribute(AttributeDescription(
        name: "marker", type: .transformable, isOptional: true,
        attributeValueClassName: "MKPlacemark")),
      .attribute(AttributeDescription(
        name: "member", type: .transformable, isOptional: true,
        attributeValueClassName: "Sample.default")),
      .attribute(AttributeDescription(name: "nameless", type: .transformable, isOptional: true)),
      .attribute(AttributeDescription(
        name: "number", type: .transformable, isOptional: true,
        attributeValueClassName: "NSNumber")),
      .attribute(AttributeDescription(
        name: "place", type: .transformable, isOptional: true,
        attributeValueClassName: "CLLocation")),
      .attribute(AttributeDescription(
        name: "price", type: .transformable, isOptional: true,
        attributeValueClassName: "NSDecimalNumber")),
      .attribute(AttributeDescription(
        name: "tags", type: .transformable, isOptional: true,
        valueTransformerName: "NSSecureUnarchiveFromData", attributeValueClassName: "Set<String>")),
      .attribute(AttributeDescription(
        name: "theme", type: .transformable, isOptional: true,
        valueTransformerName: "ThemeTransformer", attributeValueClassName: "Written.UITheme")),
    ]
  )
}

/// An object of the entity `Sample`.
nonisolated public class Sample: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Sample.self ? [] : .all
  }
}

nonisolated extension Sample {
  /// The attribute `anything`; nil if it has no value.
  public var anything: Any? {
    get { transformableValue(at: PropertySlot(0, "anything")) }
    set { setTransformableValue(newValue, at: PropertySlot(0, "anything")) }
  }

  /// The attribute `array`; nil if it has no value.
  public var array: [Any]? {
    get { transformableValue(at: PropertySlot(1, "array")) }
    set { setTransformableValue(newValue, at: PropertySlot(1, "array")) }
  }

  /// The attribute `bareArray`; nil if it has no value.
  public var bareArray: [Any]? {
    get { transformableValue(at: PropertySlot(2, "bareArray")) }
    set { setTransformableValue(newValue, at: PropertySlot(2, "bareArray")) }
  }

  /// The attribute `bytes`; nil if it has no value.
  public var bytes: Data? {
    get { transformableValue(at: PropertySlot(3, "bytes")) }
    set { setTransformableValue(newValue, at: PropertySlot(3, "bytes")) }
  }

  /// The attribute `colour`, as the bytes that are stored; nil if it has no value.
  public var colour: Data? {
    get { transformableData(at: PropertySlot(4, "colour")) }
    set { setTransformableData(newValue, at: PropertySlot(4, "colour")) }
  }

  /// The attribute `counts`; nil if it has no value.
  public var counts: Dictionary<String, [Int16]>? {
    get { transformableValue(at: PropertySlot(5, "counts")) }
    set { setTransformableValue(newValue, at: PropertySlot(5, "counts")) }
  }

  /// The attribute `draft`; nil if it has no value.
  public var draft: Any? {
    get { transformableValue(at: PropertySlot(-1, "draft")) }
    set { setTransformableValue(newValue, at: PropertySlot(-1, "draft")) }
  }

  /// The attribute `images`, as the bytes that are stored; nil if it has no value.
  public var images: Data? {
    get { transformableData(at: PropertySlot(6, "images")) }
    set { setTransformableData(newValue, at: PropertySlot(6, "images")) }
  }

  /// The attribute `links`; nil if it has no value.
  public var links: [String: URL?]? {
    get { transformableValue(at: PropertySlot(7, "links")) }
    set { setTransformableValue(newValue, at: PropertySlot(7, "links")) }
  }

  /// The attribute `map`; nil if it has no value.
  public var map: [AnyHashable: Any]? {
    get { transformableValue(at: PropertySlot(8, "map")) }
    set { setTransformableValue(newValue, at: PropertySlot(8, "map")) }
  }

  /// The attribute `marker`, as the bytes that are stored; nil if it has no value.
  public var marker: Data? {
    get { transformableData(at: PropertySlot(9, "marker")) }
    set { setTransformableData(newValue, at: PropertySlot(9, "marker")) }
  }

  /// The attribute `member`; nil if it has no value.
  public var member: Sample.`default`? {
    get { transformableValue(at: PropertySlot(10, "member")) }
    set { setTransformableValue(newValue, at: PropertySlot(10, "member")) }
  }

  /// The attribute `nameless`; nil if it has no value.
  public var nameless: Any? {
    get { transformableValue(at: PropertySlot(11, "nameless")) }
    set { setTransformableValue(newValue, at: PropertySlot(11, "nameless")) }
  }

  /// The attribute `number`; nil if it has no value.
  public var number: Any? {
    get { transformableValue(at: PropertySlot(12, "number")) }
    set { setTransformableValue(newValue, at: PropertySlot(12, "number")) }
  }

  /// The attribute `place`, as the bytes that are stored; nil if it has no value.
  public var place: Data? {
    get { transformableData(at: PropertySlot(13, "place")) }
    set { setTransformableData(newValue, at: PropertySlot(13, "place")) }
  }

  /// The attribute `price`; nil if it has no value.
  public var price: Decimal? {
    get { transformableValue(at: PropertySlot(14, "price")) }
    set { setTransformableValue(newValue, at: PropertySlot(14, "price")) }
  }

  /// The attribute `tags`; nil if it has no value.
  public var tags: Set<String>? {
    get { transformableValue(at: PropertySlot(15, "tags")) }
    set { setTransformableValue(newValue, at: PropertySlot(15, "tags")) }
  }

  /// The attribute `theme`; nil if it has no value.
  public var theme: Written.UITheme? {
    get { transformableValue(at: PropertySlot(16, "theme")) }
    set { setTransformableValue(newValue, at: PropertySlot(16, "theme")) }
  }
}

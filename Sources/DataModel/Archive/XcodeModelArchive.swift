import DataFormats

/// A model as Xcode archives it inside a mapping model: the parts that affect the version hashes.
///
///     let archive = XcodeModelArchive(bytes)
///     archive?.versionHash(of: "Dog")
///
/// It is the archive format of Xcode 3's models. Default values, bounds and delete rules, which do
/// not affect the hashes, are omitted.
package struct XcodeModelArchive: Sendable {
  /// The entities with their own attributes and relationships.
  package let model: ManagedObjectModel
  /// The entities with settings in the archive that are not understood here.
  private let uncertainNames: Set<String>

  /// Reads an archive; nil if the bytes are not one of a model.
  ///
  /// Safe for untrusted bytes.
  package init?(_ bytes: some Sequence<UInt8>) {
    guard let list = try? PropertyList(binary: bytes), let archive = KeyedArchive(list),
      let root = archive.root, root.className == "XDPMModel",
      let package = root.object("_xd_rootPackage")
    else { return nil }
    var entities: [String: EntityDescription] = [:]
    var uncertainNames: Set<String> = []
    for (name, value) in package.dictionary("XDBucketForClassesstorage") {
      guard let object = root.object(of: value), object.className == "XDPMEntity" else { continue }
      var reader = EntityReader(object, named: name)
      entities[name] = reader.entity()
      if !reader.isCertain { uncertainNames.insert(name) }
    }
    model = ManagedObjectModel(entities: entities.values.sorted { $0.name < $1.name })
    self.uncertainNames = uncertainNames
  }

  /// The version hash of an entity; nil if there is no such entity, or the hash is uncertain.
  ///
  /// It is uncertain for features that Xcode has added since: a derived attribute, a composite.
  package func versionHash(of name: String) -> VersionHash? {
    guard let entity = model.entitiesByName[name],
      !model.lineage(of: entity).contains(where: { uncertainNames.contains($0.name) })
    else { return nil }
    return model.entityVersionHashesByName[name]
  }
}

/// Reads an entity of an archive, and records whether everything in it is understood.
private struct EntityReader {
  private let object: KeyedArchive.Object
  private let name: String
  private(set) var isCertain = true

  init(_ object: KeyedArchive.Object, named name: String) {
    self.object = object
    self.name = name
  }

  mutating func entity() -> EntityDescription {
    let values = values(of: object)
    var properties: [PropertyDescription] = []
    var names: Set<String> = []
    for (name, value) in object.dictionary("XDBucketForOwnedAttributesstorage") {
      guard let property = object.object(of: value), names.insert(name).inserted else { continue }
      switch property.className {
      case "XDPMAttribute": properties.append(.attribute(attribute(property, name)))
      case "XDPMRelationship": properties.append(.relationship(relationship(property, name)))
      // It is not stored, and does not affect the hash.
      case "XDPMFetchedProperty": continue
      default: isCertain = false
      }
    }
    return EntityDescription(
      name: name,
      isAbstract: object.flag(in: values["XD_PSK_isAbstract"]),
      superentityName: object.members("XDBucketForGeneralizationsstorage").first
        .flatMap(object.object(of:))?.object("_general")?.text("_name"),
      properties: properties.sorted { $0.name < $1.name },
      uniquenessConstraints: object.lists(in: values["XDPMUniquenessConstraints"]),
      versionHashModifier: object.text(in: values["XD_PSK_versionHashModifier"]),
      renamingIdentifier: object.text(in: values["XD_PSK_elementID"]))
  }

  private mutating func attribute(
    _ object: KeyedArchive.Object, _ name: String
  ) -> AttributeDescription {
    let values = values(of: object)
    var type: AttributeDescription.AttributeType?
    if case .integer(let number)? = values["XD_PAttK_attributeType"] {
      type = Int32(exactly: number).flatMap { .init(rawValue: $0) }
    }
    if type == .composite { isCertain = false }
    return AttributeDescription(
      name: name,
      type: type ?? .undefined,
      isOptional: object.flag(in: values["XD_PPSK_isOptional"]),
      isTransient: object.flag(in: values["XD_PPSK_isTransient"]),
      allowsExternalBinaryDataStorage: object.flag(
        in: values["XD_PAttK_allowsExternalBinaryDataStorage"]),
      versionHashModifier: object.text(in: values["XD_PPSK_versionHashModifier"]),
      renamingIdentifier: object.text(in: values["XD_PPSK_elementID"]))
  }

  private mutating func relationship(
    _ object: KeyedArchive.Object, _ name: String
  ) -> RelationshipDescription {
    let values = values(of: object)
    func count(_ key: String) -> Int {
      if case .integer(let count)? = values[key] { Int(count) } else { 0 }
    }
    func named(_ key: String) -> String? {
      values[key].flatMap(object.object(of:))?.text("_name")
    }
    let isToMany = object.flag(in: values["XD_PRK_isToMany"])
    return RelationshipDescription(
      name: name,
      destinationEntityName: named("XD_PRK_destination") ?? "",
      inverseName: named("XD_PRK_inverseRelationship"),
      isOptional: object.flag(in: values["XD_PPSK_isOptional"]),
      isTransient: object.flag(in: values["XD_PPSK_isTransient"]),
      minCount: count("XD_PRK_minCount"),
      maxCount: isToMany ? count("XD_PRK_maxCount") : 1,
      isOrdered: object.flag(in: values["XD_PRK_ordered"]),
      versionHashModifier: object.text(in: values["XD_PPSK_versionHashModifier"]),
      renamingIdentifier: object.text(in: values["XD_PPSK_elementID"]))
  }

  /// The values of an object's stereotypes.
  ///
  /// The hash is uncertain if one with a value is unknown.
  private mutating func values(of object: KeyedArchive.Object) -> [String: PropertyList] {
    let values = object.stereotypeValues
    for (key, value) in values where !Self.knownKeys.contains(key) {
      let says = object.flag(in: value) || object.text(in: value) != nil
      let holds = object.object(of: value)?.directMembers.isEmpty == false
      if says || holds { isCertain = false }
    }
    return values
  }

  private static let knownKeys: Set<String> = [
    "XDPMCompoundIndexes", "XDPMUniquenessConstraints", "XD_PAttK_allowsExternalBinaryDataStorage",
    "XD_PAttK_attributeType", "XD_PAttK_defaultValueAsString", "XD_PAttK_maxValueString",
    "XD_PAttK_minValueString", "XD_PAttK_regularExpressionString", "XD_PAttK_valueTransformerName",
    "XD_PPSK_elementID", "XD_PPSK_isIndexed", "XD_PPSK_isOptional", "XD_PPSK_isSpotlightIndexed",
    "XD_PPSK_isStoredInTruthFile", "XD_PPSK_isTransient", "XD_PPSK_userInfo",
    "XD_PPSK_versionHashModifier", "XD_PRK_deleteRule", "XD_PRK_destination",
    "XD_PRK_inverseRelationship", "XD_PRK_isToMany", "XD_PRK_maxCount", "XD_PRK_minCount",
    "XD_PRK_ordered", "XD_PSK_classMapping", "XD_PSK_elementID", "XD_PSK_entityClassName",
    "XD_PSK_fetchRequestsArray", "XD_PSK_isAbstract", "XD_PSK_userInfo",
    "XD_PSK_versionHashModifier",
  ]
}

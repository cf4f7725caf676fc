import DataFormats
import DataModel

/// Reads a compiled mapping model (`.cdm`): a keyed archive of `NSMappingModel`.
///
///     var reader = try MappingArchiveReader(bytes, values: .all)
///     let mappings = try reader.entityMappings()
struct MappingArchiveReader {
  private let root: KeyedArchive.Object
  private let values: MappingValues
  private var expressions: MappingExpressionReader

  /// Reads an archive's list of objects.
  ///
  /// - Throws: `MappingModelError.Reason` if the bytes are no archive of a mapping model.
  init(_ bytes: [UInt8], values: MappingValues) throws(MappingModelError.Reason) {
    let list: PropertyList
    do throws(PropertyListError) {
      list = try PropertyList(binary: bytes)
    } catch {
      throw .damagedArchive(String(error.description.dropLast()))
    }
    guard let archive = KeyedArchive(list), let root = archive.root,
      root.className == "NSMappingModel"
    else { throw .notAMappingModel }
    self.root = root
    self.values = values
    expressions = MappingExpressionReader(archive)
  }

  /// The entity mappings, in the order of the archive.
  mutating func entityMappings() throws(MappingModelError.Reason) -> [EntityMapping] {
    var mappings: [EntityMapping] = []
    for value in root.members("NSEntityMappings") {
      guard let object = root.object(of: value), object.className == "NSEntityMapping" else {
        throw .damagedArchive("a member of its entity mappings is not an entity mapping")
      }
      mappings.append(try entityMapping(object))
    }
    return mappings
  }

  private mutating func entityMapping(
    _ object: KeyedArchive.Object
  ) throws(MappingModelError.Reason) -> EntityMapping {
    try count()
    guard let name = object.text("NSMappingName") else {
      throw .damagedArchive("an entity mapping has no name")
    }
    var mapping = EntityMapping(
      name: name, from: object.text("NSSourceEntityName"),
      to: object.text("NSDestinationEntityName"))
    mapping.mappingType =
      object.integer("NSMappingType").flatMap { Int(exactly: $0) }
      .flatMap(EntityMapping.MappingType.init) ?? .undefined
    mapping.sourceEntityVersionHash = try hash(object, "NSSourceEntityVersionHash")
    mapping.destinationEntityVersionHash = try hash(object, "NSDestinationEntityVersionHash")
    mapping.entityMigrationPolicyClassName = object.text("NSEntityMigrationPolicyClassName")
      .flatMap { $0.isEmpty ? nil : $0 }
    mapping.userInfo = object.userInfo
    if let source = object.object("NSSourceExpression") {
      if values != .none { try mapping.takeSource(source, expressions) }
    } else if mapping.sourceEntityName != nil, mapping.mappingType != .remove {
      // Without an expression Core Data fetches nothing.
      mapping.sourcePredicate = .constant(false)
    }
    mapping.attributeMappings = try properties(object, "NSAttributeMappings", mapping)
    mapping.relationshipMappings = try properties(object, "NSRelationshipMappings", mapping)
    return mapping
  }

  private mutating func properties(
    _ object: KeyedArchive.Object, _ key: String, _ mapping: EntityMapping
  ) throws(MappingModelError.Reason) -> [PropertyMapping] {
    var properties: [PropertyMapping] = []
    for value in object.members(key) {
      try count()
      guard let property = object.object(of: value),
        let name = property.text("NSDestinationPropertyName")
      else { throw .damagedArchive("a property mapping of \(mapping.name) has no name") }
      var value: PropertyMapping.Value?
      if let expression = property.object("NSValueExpression") {
        value = try expressions.value(expression, of: name, in: mapping, values)
      }
      var mapping = PropertyMapping(name: name, value: value)
      mapping.userInfo = property.userInfo
      properties.append(mapping)
    }
    return properties
  }

  private func hash(
    _ object: KeyedArchive.Object, _ key: String
  ) throws(MappingModelError.Reason) -> VersionHash? {
    guard let value = object[key] else { return nil }
    guard case .data(let data) = value, let hash = VersionHash(bytes: Array(data)) else {
      throw .damagedArchive("a version hash does not have 32 bytes")
    }
    return hash
  }

  private mutating func count() throws(MappingModelError.Reason) {
    do throws(MappingExpressionReader.Problem) {
      try expressions.count()
    } catch {
      throw .damagedArchive("it \(error.text)")
    }
  }
}

@available(*, unavailable) extension MappingArchiveReader: Sendable {}

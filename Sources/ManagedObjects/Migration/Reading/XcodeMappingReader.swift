import DataFormats
import DataModel

/// Reads Xcode's source of a mapping model: `xcmapping.xml`, an XML store of Xcode's own objects.
///
///     var reader = try XcodeMappingReader(bytes, values: .all)
///     let mappings = try reader.entityMappings()
///
/// Values that only Xcode's compiler writes are computed here in the same way, as far as pairs of
/// source and compiled file reveal it.
struct XcodeMappingReader {
  /// The property mappings that are not assigned to an entity mapping yet, and the other objects,
  /// by ID.
  private var objects: [Int64: XMLStoreObject]
  /// The entity mappings, in their order.
  private let mappingObjects: [XMLStoreObject]
  private let models: XcodeMappingModels
  private let values: MappingValues

  /// Reads a document's objects.
  ///
  /// - Throws: `MappingModelError.Reason` if it is not well-formed XML, or no mapping model.
  init(_ bytes: [UInt8], values: MappingValues) throws(MappingModelError.Reason) {
    guard bytes.looksLikeXML else { throw .notAMappingModel }
    let found: [XMLStoreObject]?
    do throws(DataError) {
      found = try XMLStoreObject.all(in: bytes)
    } catch {
      throw .damagedXML(line: error.line, error.reason)
    }
    guard let all = found,
      let model = all.first(where: { $0.entityName == "XDDEVMAPPINGMODEL" })
    else { throw .notAMappingModel }
    objects = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    mappingObjects = Set(model.relationships["entitymappings"] ?? [])
      .compactMap { [objects] in objects[$0] }
      .filter { $0.entityName == "XDDEVENTITYMAPPING" }
      .sorted { ($0.integer("mappingnumber"), $0.id) < ($1.integer("mappingnumber"), $1.id) }
    models = try XcodeMappingModels(model)
    self.values = values
  }

  /// The entity mappings, in the order of their numbers, their properties by name.
  mutating func entityMappings() throws(MappingModelError.Reason) -> [EntityMapping] {
    var mappings: [EntityMapping] = []
    for object in mappingObjects { mappings.append(try entityMapping(object)) }
    for (index, object) in mappingObjects.enumerated() {
      let sources = models.sources(of: mappings[index])
      var attributes: [PropertyMapping] = []
      for property in take(object, "attributemappings") {
        attributes.append(
          try propertyMapping(property, of: mappings[index]) { name, path in
            (path ?? sources.attributes[name].map(FetchExpression.source)).map { .expression($0) }
          })
      }
      var relationships: [PropertyMapping] = []
      for property in take(object, "relationshipmappings") {
        let mappedBy = property.text("sourcemappingname")
        relationships.append(
          try propertyMapping(property, of: mappings[index]) { [models] name, path in
            if path != nil || mappedBy != nil {
              return .destinationInstances(of: path ?? .source(name), mappedBy: mappedBy)
            }
            guard let source = sources.relationships[name] else { return nil }
            let mapping = models.onlyMapping(
              of: source, to: name, among: mappings, for: mappings[index])
            return .destinationInstances(of: .source(source), mappedBy: mapping?.name)
          })
      }
      mappings[index].attributeMappings = attributes
      mappings[index].relationshipMappings = relationships
      if mappings[index].mappingType == .undefined { mappings[index].inferType() }
    }
    return mappings
  }

  /// An entity mapping without its properties.
  private func entityMapping(
    _ object: XMLStoreObject
  ) throws(MappingModelError.Reason) -> EntityMapping {
    let (source, destination) = (object.text("sourcename"), object.text("destinationname"))
    let name =
      object.text("name") ?? [source, destination].compactMap(\.self).joined(separator: "To")
    guard !name.isEmpty else {
      throw .damagedXML(line: object.line, "an entity mapping has neither source nor destination")
    }
    var mapping = EntityMapping(name: name, from: source, to: destination)
    mapping.mappingType = Self.types[object.text("mappingtypename") ?? ""] ?? .undefined
    mapping.sourceEntityVersionHash = source.flatMap { models.source?.versionHash(of: $0) }
    mapping.destinationEntityVersionHash = destination.flatMap {
      models.destination?.versionHash(of: $0)
    }
    mapping.entityMigrationPolicyClassName = object.text("migrationpolicyclassname")
    mapping.userInfo = try object.userInfo()
    guard values != .none, source != nil else { return mapping }
    if let archive = try object.archive("sourceexpressiondata"), let root = archive.root {
      try mapping.takeSource(root, MappingExpressionReader(archive))
    } else if let condition = object.text("sourcefilterpredicatestring") {
      try mapping.takeCondition(condition)
    }
    return mapping
  }

  private static let types: [String: EntityMapping.MappingType] = [
    "Custom": .custom, "Add": .add, "Remove": .remove, "Copy": .copy, "Transform": .transform,
  ]

  /// Removes the property mappings of an entity mapping, sorted by name; each belongs to one.
  private mutating func take(_ object: XMLStoreObject, _ relationship: String) -> [XMLStoreObject] {
    (object.relationships[relationship] ?? []).compactMap { objects.removeValue(forKey: $0) }
      .sorted { ($0.text("name") ?? "") < ($1.text("name") ?? "") }
  }

  /// A property mapping with its explicit value, or one generated like Xcode's.
  ///
  /// A generated value is derived from the property's name and the key path in the source.
  private func propertyMapping(
    _ object: XMLStoreObject, of mapping: EntityMapping,
    _ generated: (_ name: String, _ path: FetchExpression?) -> PropertyMapping.Value?
  ) throws(MappingModelError.Reason) -> PropertyMapping {
    guard let name = object.text("name") else {
      throw .damagedXML(line: object.line, "a property mapping of \(mapping.name) has no name")
    }
    var result = PropertyMapping(name: name, value: nil)
    result.userInfo = try object.userInfo()
    if values == .none { return result }
    if let archive = try object.archive("valueexpressiondata") {
      var reader = MappingExpressionReader(archive)
      if let root = archive.root {
        result.value = try reader.value(root, of: name, in: mapping, values)
      }
      return result
    }
    let isGenerated = object.text("autogenerateexpression") != "0"
    guard isGenerated, mapping.sourceEntityName != nil else { return result }
    let path = try sourcePath(object, of: mapping)
    result.value = generated(name, path)
    return result
  }

  /// The source key path in Xcode's field for it: `$source`, or a key path after it.
  private func sourcePath(
    _ object: XMLStoreObject, of mapping: EntityMapping
  ) throws(MappingModelError.Reason) -> FetchExpression? {
    guard let path = object.text("sourcekeypath") else { return nil }
    if path == "$source" { return .variable("source") }
    if path.hasPrefix("$source.") { return .source(String(path.dropFirst("$source.".count))) }
    guard !path.hasPrefix("$") else {
      throw .unsupportedExpression(
        entityMapping: mapping.name, property: object.text("name"), "has the key path \(path)")
    }
    return .source(path)
  }
}

@available(*, unavailable) extension XcodeMappingReader: Sendable {}

extension XMLStoreObject {
  /// The integer value of an attribute; 0 if there is none.
  fileprivate func integer(_ name: String) -> Int64 { text(name).flatMap { Int64($0) } ?? 0 }

  /// The user info; strings only.
  fileprivate func userInfo() throws(MappingModelError.Reason) -> [String: String] {
    guard let root = try archive("userinfodata")?.root else { return [:] }
    let entries = zip(root.directKeys, root.directMembers).compactMap { key, value in
      root.text(of: key).flatMap { key in root.text(of: value).map { (key, $0) } }
    }
    return Dictionary(entries, uniquingKeysWith: { first, _ in first })
  }

  /// The archive of a binary attribute; nil if there is none.
  fileprivate func archive(_ name: String) throws(MappingModelError.Reason) -> KeyedArchive? {
    guard text(name) != nil else { return nil }
    guard let data = data(name), let list = try? PropertyList(binary: data),
      let archive = KeyedArchive(list)
    else { throw .damagedXML(line: line, "\(name) of z\(id) is not an archive") }
    return archive
  }
}

extension [UInt8] {
  /// Whether they begin like XML: with `<`, after white space or a byte order mark.
  fileprivate var looksLikeXML: Bool {
    first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) } == UInt8(ascii: "<")
  }
}

extension FetchExpression {
  /// A key path from the source's object.
  fileprivate static func source(_ path: String) -> FetchExpression {
    .property(of: .variable("source"), path)
  }
}

extension EntityMapping {
  /// Sets the type of a mapping that Xcode leaves undefined, as Xcode's compiler does.
  ///
  /// One in which all attributes keep their names is a copy, even if relationships change.
  fileprivate mutating func inferType() {
    mappingType =
      if sourceEntityName == nil {
        .add
      } else if destinationEntityName == nil {
        .remove
      } else if entityMigrationPolicyClassName != nil {
        .custom
      } else {
        attributeMappings.allSatisfy({ $0.sourceName == $0.name }) ? .copy : .transform
      }
  }
}

import DataFormats
import DataModel
import SystemLibraries

/// Reading the objects of an XML store without its model.
extension XMLStoreDocument {
  /// Reads all objects without a model.
  static func objects(in bytes: [UInt8]) throws(DataError) -> [DocumentReader.Object] {
    var reader = XMLStoreReader(bytes)
    _ = try reader.readHead()
    return try objects(&reader)
  }

  private static func objects(_ reader: inout XMLStoreReader) throws(DataError) -> [DocumentReader
    .Object]
  {
    var objects: [DocumentReader.Object] = []
    var entities: [Int64: String] = [:]
    var parts: [(XMLStoreReader.Object, [XMLStoreReader.Part])] = []
    while let object = try reader.nextObject() {
      guard entities.updateValue(object.type, forKey: object.id) == nil else {
        throw DataError(line: object.line, "another object has the id z\(object.id)")
      }
      var found: [XMLStoreReader.Part] = []
      while let part = try reader.nextPart() { found.append(part) }
      parts.append((object, found))
    }
    for (object, parts) in parts {
      var properties: [DocumentReader.Property] = []
      for part in parts { properties.append(try property(part, of: object, entities)) }
      objects.append(
        DocumentReader.Object(
          entityName: object.type, primaryKey: object.id,
          properties: properties.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
          line: object.line))
    }
    return objects
  }

  private static func property(
    _ part: XMLStoreReader.Part, of object: XMLStoreReader.Object, _ entities: [Int64: String]
  ) throws(DataError) -> DocumentReader.Property {
    guard part.isRelationship else {
      let attribute = AttributeDescription(
        name: part.name, type: XMLValue.type(named: part.type), isOptional: true)
      guard let value = StoredValue(part.text, attribute.type) else {
        throw DataError(
          line: part.line,
          "the attribute '\(part.name)' of z\(object.id) is not of the type \(part.type)")
      }
      return DocumentReader.Property(name: part.name, value: .attribute(value, attribute))
    }
    var members: [StoredReference] = []
    for id in try part.ids() {
      guard let entity = entities[id] else {
        throw DataError(
          line: part.line,
          "the relationship '\(part.name)' of z\(object.id) refers to z\(id), which does not exist")
      }
      members.append(StoredReference(entityName: entity, primaryKey: id))
    }
    return DocumentReader.Property(
      name: part.name,
      value: part.type.hasSuffix("/1") ? .toOne(members.first) : .toMany(members))
  }
}

extension DocumentReader {
  /// The objects of an XML store with the names that a model uses.
  func xmlEntities(_ objects: [Object], of model: ManagedObjectModel) throws(DataError) -> [Entity]
  {
    let bound = ModelBinding(model, store: PersistentStoreIdentity(identifier: identifier))
    let names = bound.entities.map { XMLEntityNames($0) }
    let indices = Dictionary(
      names.enumerated().map { ($0.element.name, $0.offset) }
    ) { one, _ in one }
    var entities = bound.entities.map {
      Entity(name: $0.name, description: $0.description, objects: [])
    }
    func reference(_ reference: StoredReference) -> StoredReference {
      StoredReference(
        entityName: indices[reference.entityName].map { entities[$0].name } ?? reference.entityName,
        primaryKey: reference.primaryKey)
    }
    for object in objects {
      guard let index = indices[object.entityName] else {
        throw DataError(line: object.line, "the model has no entity \(object.entityName)")
      }
      entities[index].objects.append(object.spelled(by: names[index], reference))
    }
    for index in entities.indices {
      entities[index].objects.sort { $0.primaryKey < $1.primaryKey }
    }
    return entities
  }
}

extension DocumentReader.Object {
  /// The object with the names that the model uses, and all the properties of its entity.
  fileprivate func spelled(
    by names: XMLEntityNames, _ reference: (StoredReference) -> StoredReference
  ) -> Self {
    let found = Dictionary(properties.map { ($0.name, $0.value) }) { one, _ in one }
    var spelled: [DocumentReader.Property] = []
    for (key, property) in names.properties {
      switch (property, found[key]) {
      case (.attribute(var attribute, _), let value):
        // Documents hold the bytes themselves, without the prefix that external storage uses.
        attribute.allowsExternalBinaryDataStorage = false
        var stored: StoredValue?
        if case .attribute(let found, _)? = value { stored = found }
        spelled.append(.init(name: attribute.name, value: .attribute(stored, attribute)))
      case (.toOne(let toOne), .toOne(let member)?):
        spelled.append(
          .init(name: toOne.description.name, value: .toOne(member.map(reference))))
      case (.toOne(let toOne), _):
        spelled.append(.init(name: toOne.description.name, value: .toOne(nil)))
      case (.toMany(let toMany), .toMany(let members)?):
        spelled.append(
          .init(name: toMany.description.name, value: .toMany(members.map(reference))))
      case (.toMany(let toMany), _):
        spelled.append(.init(name: toMany.description.name, value: .toMany([])))
      }
    }
    return Self(
      entityName: names.entity.name, primaryKey: primaryKey,
      properties: spelled.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
      line: line)
  }
}

extension XMLValue {
  /// The attribute type with a name; String if it is unknown.
  fileprivate static func type(named name: String) -> AttributeDescription.AttributeType {
    let types: [AttributeDescription.AttributeType] = [
      .integer16, .integer32, .integer64, .boolean, .float, .double, .decimal, .string, .date,
      .uri, .uuid, .transformable, .binaryData,
    ]
    return types.first { self.name(of: $0) == name } ?? .string
  }
}

extension StoredValue {
  /// Parses a text as a value of a type; nil if it is not one.
  fileprivate init?(_ text: String, _ type: AttributeDescription.AttributeType) {
    switch (XMLValue.value(text, type), type) {
    case (nil, _): return nil
    case (.bytes(let bytes)?, .string), (.bytes(let bytes)?, .uri):
      self = .text(String(decoding: bytes, as: UTF8.self))
    case (.bytes(let bytes)?, _): self = .bytes(bytes)
    case (.bits(let bits)?, .double), (.bits(let bits)?, .float), (.bits(let bits)?, .date),
      (.bits(let bits)?, .decimal):
      self = .real(Double(bitPattern: bits))
    case (.bits(let bits)?, _): self = .integer(Int64(bitPattern: bits))
    }
  }
}

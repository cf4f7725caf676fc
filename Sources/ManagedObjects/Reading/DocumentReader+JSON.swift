import DataFormats
import DataModel

/// Reading the objects of a JSON store without its model.
extension JSONStoreDocument {
  /// Reads all objects without a model.
  ///
  /// A text that is the key of an object in the document counts as a reference.
  static func objects(in bytes: [UInt8]) throws(DataError) -> [DocumentReader.Object] {
    var keys: [String: StoredReference] = [:]
    var reader = JSONStoreReader(bytes)
    if try reader.beginObjects() {
      while let object = try reader.nextObject() {
        let reference = StoredReference(
          entityName: String(object.key.entityName), primaryKey: object.key.id)
        guard keys.updateValue(reference, forKey: object.name) == nil else {
          throw reader.json.error("\(object.name) occurs twice", at: object.position)
        }
        try reader.json.skip()
      }
    }
    var objects: [DocumentReader.Object] = []
    reader = JSONStoreReader(bytes)
    guard try reader.beginObjects() else { return [] }
    while let object = try reader.nextObject() {
      var properties: [DocumentReader.Property] = []
      try reader.json.beginObject()
      while let name = try reader.json.nextName() {
        properties.append(
          DocumentReader.Property(name: name, value: try value(named: name, &reader, keys)))
      }
      objects.append(
        DocumentReader.Object(
          entityName: String(object.key.entityName), primaryKey: object.key.id,
          properties: properties.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
          line: object.position.line))
    }
    return objects
  }

  private static func value(
    named name: String, _ reader: inout JSONStoreReader, _ keys: [String: StoredReference]
  ) throws(DataError) -> DocumentReader.Value {
    func attribute(
      _ value: StoredValue?, _ type: AttributeDescription.AttributeType
    ) -> DocumentReader.Value {
      .attribute(value, AttributeDescription(name: name, type: type, isOptional: true))
    }
    switch try reader.json.next() {
    case .null:
      _ = try reader.json.null()
      return attribute(nil, .string)
    case .boolean: return attribute(.integer(try reader.json.boolean() ? 1 : 0), .boolean)
    case .number:
      let text = try reader.json.numberText()
      return Int64(text).map { attribute(.integer($0), .integer64) }
        ?? attribute(Double(text).map { .real($0) }, .double)
    case .string:
      let text = try reader.json.string()
      return keys[text].map { .toOne($0) } ?? attribute(.text(text), .string)
    case .array, .object:
      let value = try reader.value()
      var json = JSONReader(value)
      var found: [StoredReference] = []
      guard try json.next() == .array else {
        return attribute(.text(String(decoding: value, as: UTF8.self)), .string)
      }
      try json.beginArray()
      while try json.nextElement() {
        guard try json.next() == .string, let reference = keys[try json.string()] else {
          return attribute(.text(String(decoding: value, as: UTF8.self)), .string)
        }
        found.append(reference)
      }
      return .toMany(found)
    }
  }
}

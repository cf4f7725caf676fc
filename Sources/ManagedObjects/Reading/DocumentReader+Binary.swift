import DataFormats
import DataModel

/// Reading the objects of a binary store without its model.
extension BinaryStoreDocument {
  /// Reads all objects; without a model, attributes have numbers for names.
  static func objects(in bytes: [UInt8]) throws(DataError) -> [DocumentReader.Object] {
    let reader = try BinaryStoreReader(bytes)
    var names: [Int64: String] = [:]
    var nodes = try BinaryStoreReader.Nodes(reader.map)
    while let node = nodes.next() {
      guard names.updateValue(node.entityName, forKey: node.key) == nil else {
        throw BinaryStoreReader.error("another object has the key \(node.key)")
      }
    }
    if let problem = nodes.problem { throw problem }
    var objects: [DocumentReader.Object] = []
    nodes = try BinaryStoreReader.Nodes(reader.map)
    while let node = nodes.next() {
      let digits = String(node.values.count).utf8.count
      var properties: [DocumentReader.Property] = []
      for (place, value) in node.values.enumerated() {
        let number = String(place + 1)
        // Padded to the same number of digits, so that they sort in numeric order.
        let name = String(repeating: "0", count: digits - number.utf8.count) + number
        properties.append(property(named: name, value, nodes.archive))
      }
      for (name, keys) in node.related {
        var members: [StoredReference] = []
        for key in keys {
          guard let entity = names[key] else {
            throw BinaryStoreReader.error(
              "the relationship '\(name)' of \(node.entityName) \(node.key) refers to \(key), which is "
                + "not there")
          }
          members.append(StoredReference(entityName: entity, primaryKey: key))
        }
        properties.append(DocumentReader.Property(name: name, value: .toMany(members)))
      }
      objects.append(
        DocumentReader.Object(
          entityName: node.entityName, primaryKey: node.key,
          properties: properties.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
          line: 0))
    }
    return objects
  }

  private static func property(
    named name: String, _ value: Int, _ archive: BinaryArchive
  ) -> DocumentReader.Property {
    let types: [AttributeDescription.AttributeType] = [
      .string, .integer64, .double, .date, .decimal, .uuid, .uri, .binaryData,
    ]
    for type in types {
      var draft = RowDraft()
      draft.begin(slotCount: 1)
      guard BinaryValue.read(value, archive, type, into: &draft, at: 0) != nil else { continue }
      let row = draft.makeRow()
      defer { row.free(slotCount: 1) }
      return DocumentReader.Property(
        name: name,
        value: .attribute(
          row.storedValue(0, SlotKind(type)),
          AttributeDescription(name: name, type: type, isOptional: true)))
    }
    // An instance of an application's own class is shown by the name of its class.
    let text = archive.className(of: value).map { StoredValue.text("<\($0)>") }
    return DocumentReader.Property(
      name: name,
      value: .attribute(text, AttributeDescription(name: name, type: .string, isOptional: true)))
  }
}

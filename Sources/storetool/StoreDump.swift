import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects

/// A dump of everything in a store as one JSON document, written row by row.
///
/// ```json
/// {"entities": [{"count": 1, "name": "Dog", "objects": [
///   {"attributes": {"name": "Fido"}, "id": "x-coredata://…/Dog/p1",
///    "relationships": {"walks": ["x-coredata://…/Walk/p1"]}}]}],
///  "uuid": "…"}
/// ```
///
/// If a store is shown without its model, its `metadata` come before the UUID.
///
/// Keys are sorted; entities are in the order of their numbers, objects sorted by primary key.
struct StoreDump {
  let output: OutputSink
  private let identifier: String
  private let metadata: [String: PropertyList]?

  /// Creates a dump of the store with a UUID, including metadata if they are given.
  init(_ output: OutputSink, identifier: String, metadata: [String: PropertyList]? = nil) {
    self.output = output
    self.identifier = identifier
    self.metadata = metadata
  }

  /// Writes a SQLite store's entities.
  func write(_ entities: [StoredEntity]) throws {
    try writeDocument(entities) { entity, json in
      try writeEntity(entity.name, count: entity.count(), &json) { json in
        let rows = try entity.rows()
        while try rows.next() {
          json.startLine()
          try write(rows, of: entity, &json)
          try json.drain(into: output)
        }
      }
    }
  }

  /// Writes the document that encloses all entities.
  func writeDocument<Entity>(
    _ entities: [Entity], _ write: (Entity, inout JSONWriter) throws -> Void
  ) throws {
    var json = JSONWriter()
    try json.object { json in
      try json.member("entities") { json in
        try json.array { json in
          for entity in entities {
            json.startLine()
            try write(entity, &json)
          }
        }
      }
      if let metadata {
        json.startLine()
        json.key("metadata")
        json.value(.dictionary(metadata), indentation: 2)
      }
      json.startLine()
      json.member("uuid", identifier)
    }
    json.endLine()
    try json.drain(into: output)
  }

  /// Writes an entity that encloses its objects.
  func writeEntity(
    _ name: String, count: Int, _ json: inout JSONWriter,
    objects: (inout JSONWriter) throws -> Void
  ) throws {
    try json.object { json in
      json.member("count", count)
      json.member("name", name)
      try json.member("objects") { json in
        try json.array { json in try objects(&json) }
      }
    }
  }

  private func write(
    _ row: StoredRows, of entity: StoredEntity, _ json: inout JSONWriter
  ) throws {
    try json.object { json in
      json.member("attributes") { json in
        json.object { json in
          for (index, attribute) in entity.attributes.enumerated() {
            json.key(attribute.name)
            json.value(row.value(of: index), of: attribute)
          }
        }
      }
      json.member("id", uri(of: row.reference))
      try json.member("relationships") { json in
        try json.object { json in
          for (index, relationship) in entity.relationships.enumerated() {
            json.key(relationship.name)
            try writeLink(index, isToMany: relationship.isToMany, row, &json)
          }
        }
      }
    }
  }

  private func writeLink(
    _ index: Int, isToMany: Bool, _ row: StoredRows, _ json: inout JSONWriter
  ) throws {
    guard isToMany else {
      if let destination = row.destination(of: index) {
        json.value(uri(of: destination))
      } else {
        json.null()
      }
      return
    }
    try json.array { json in
      var count = 0
      try row.forEachMember(of: index) { member in
        json.value(uri(of: member))
        count += 1
        // A single list may be as long as the store.
        if count % 1000 == 0 { try json.drain(into: output) }
      }
    }
  }

  func uri(of row: StoredReference) -> String {
    "x-coredata://\(identifier)/\(row.entityName)/p\(row.primaryKey)"
  }
}

@available(*, unavailable) extension StoreDump: Sendable {}

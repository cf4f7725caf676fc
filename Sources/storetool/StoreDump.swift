import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects

/// Everything a store holds as one JSON document, written row by row.
///
/// ```json
/// {"entities": [{"count": 1, "name": "Dog", "objects": [
///   {"attributes": {"name": "Fido"}, "id": "x-coredata://…/Dog/p1",
///    "relationships": {"walks": ["x-coredata://…/Walk/p1"]}}]}],
///  "uuid": "…"}
/// ```
///
/// Keys are sorted; entities stand in the order of their numbers, objects by primary key.
struct StoreDump {
  private let output: OutputSink
  private let identifier: String

  /// A dump of the store with that UUID.
  init(_ output: OutputSink, identifier: String) {
    self.output = output
    self.identifier = identifier
  }

  /// Writes the whole document.
  func write(_ entities: [StoredEntity]) throws {
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
      json.startLine()
      json.member("uuid", identifier)
    }
    json.endLine()
    try json.drain(into: output)
  }

  private func write(_ entity: StoredEntity, _ json: inout JSONWriter) throws {
    try json.object { json in
      json.member("count", try entity.count())
      json.member("name", entity.name)
      try json.member("objects") { json in
        try json.array { json in
          let rows = try entity.rows()
          while try rows.next() {
            json.startLine()
            try write(rows, of: entity, &json)
            try json.drain(into: output)
          }
        }
      }
    }
  }

  private func write(
    _ row: StoredRows, of entity: StoredEntity, _ json: inout JSONWriter
  ) throws {
    try json.object { json in
      json.member("attributes") { json in
        json.object { json in
          for (place, attribute) in entity.attributes.enumerated() {
            json.key(attribute.name)
            json.value(row.value(of: place), of: attribute)
          }
        }
      }
      json.member("id", uri(of: row.reference))
      try json.member("relationships") { json in
        try json.object { json in
          for (place, relationship) in entity.relationships.enumerated() {
            json.key(relationship.name)
            try writeLink(place, isToMany: relationship.isToMany, row, &json)
          }
        }
      }
    }
  }

  private func writeLink(
    _ place: Int, isToMany: Bool, _ row: StoredRows, _ json: inout JSONWriter
  ) throws {
    guard isToMany else {
      if let destination = row.destination(of: place) {
        json.value(uri(of: destination))
      } else {
        json.null()
      }
      return
    }
    try json.array { json in
      var count = 0
      try row.forEachMember(of: place) { member in
        json.value(uri(of: member))
        count += 1
        // One list may be as long as the store.
        if count % 1000 == 0 { try json.drain(into: output) }
      }
    }
  }

  private func uri(of row: StoredReference) -> String {
    "x-coredata://\(identifier)/\(row.entityName)/p\(row.primaryKey)"
  }
}

@available(*, unavailable) extension StoreDump: Sendable {}

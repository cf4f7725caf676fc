import CommandLineKit
import DataFormats
import ManagedObjects

extension StoreDump {
  /// Writes the entities of a store that is read as a whole.
  func write(_ entities: [DocumentReader.Entity]) throws {
    try writeDocument(entities) { entity, json in
      try writeEntity(entity.name, count: entity.objects.count, &json) { json in
        for object in entity.objects {
          json.startLine()
          write(object, &json)
          try json.drain(into: output)
        }
      }
    }
  }

  private func write(_ object: DocumentReader.Object, _ json: inout JSONWriter) {
    json.object { json in
      json.member("attributes") { json in
        json.object { json in
          for property in object.properties {
            guard case .attribute(let value, let attribute) = property.value else { continue }
            json.key(property.name)
            json.value(value, of: attribute)
          }
        }
      }
      json.member("id", uri(of: object.reference))
      json.member("relationships") { json in
        json.object { json in
          for property in object.properties { write(property, &json) }
        }
      }
    }
  }

  private func write(_ property: DocumentReader.Property, _ json: inout JSONWriter) {
    switch property.value {
    case .attribute: return
    case .toOne(let member):
      json.key(property.name)
      if let member { json.value(uri(of: member)) } else { json.null() }
    case .toMany(let members):
      json.key(property.name)
      json.array { json in
        for member in members { json.value(uri(of: member)) }
      }
    }
  }
}

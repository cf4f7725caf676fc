import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import SystemLibraries

/// `storetool inspect` of an XML store, with its model or without.
struct DocumentInspection {
  let run: ToolRun
  let document: StoredDocument
  let model: ManagedObjectModel?
  /// With what the store was made, for people; nil where there is no model.
  let version: (name: String, place: String)?

  func perform() throws {
    let entities = try document.entities(of: model)
    if run.values.contains(.json) {
      try writeJSON(entities)
    } else if run.terminal.isTerminal {
      try writeTable(entities)
    } else {
      if let version { try run.writeFields(["version", version.name]) }
      try run.writeFields(["uuid", document.identifier])
      for entity in entities {
        try run.writeFields(["entity", entity.name, String(entity.objects.count)])
      }
    }
  }

  private func writeTable(_ entities: [StoredDocument.Entity]) throws {
    let origin =
      version.map { "Made with \($0.name)\($0.place)." }
      ?? "An XML store, shown without its model: names are as they stand in it."
    try run.output.writeLine(origin.escapingControls)
    try run.output.writeLine("UUID \(document.identifier.escapingControls)")
    try run.output.writeLine()
    var table = TextTable(alignments: [.left, .right, .left])
    table.append(["Entity", "Objects", ""])
    for entity in entities {
      let depth = entity.description.flatMap { model?.lineage(of: $0).count } ?? 1
      table.append([
        String(repeating: "  ", count: depth - 1) + entity.name.escapingControls,
        String(entity.objects.count), entity.description?.isAbstract == true ? "abstract" : "",
      ])
    }
    for (number, line) in table.lines(width: run.terminal.columns).enumerated() {
      try run.output.writeLine(number == 0 ? run.terminal.styled(line, .bold) : line)
    }
  }

  // MARK: JSON

  private func writeJSON(_ entities: [StoredDocument.Entity]) throws {
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
      json.member("uuid", document.identifier)
    }
    json.endLine()
    try json.drain(into: run.output)
  }

  private func write(_ entity: StoredDocument.Entity, _ json: inout JSONWriter) throws {
    try json.object { json in
      json.member("count", entity.objects.count)
      json.member("name", entity.name)
      try json.member("objects") { json in
        try json.array { json in
          for object in entity.objects {
            json.startLine()
            write(object, &json)
            try json.drain(into: run.output)
          }
        }
      }
    }
  }

  private func write(_ object: StoredDocument.Object, _ json: inout JSONWriter) {
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
      json.member("id", uri(object.reference))
      json.member("relationships") { json in
        json.object { json in
          for property in object.properties { write(property, &json) }
        }
      }
    }
  }

  private func write(_ property: StoredDocument.Property, _ json: inout JSONWriter) {
    switch property.value {
    case .attribute: return
    case .toOne(let member):
      json.key(property.name)
      if let member { json.value(uri(member)) } else { json.null() }
    case .toMany(let members):
      json.key(property.name)
      json.array { json in
        for member in members { json.value(uri(member)) }
      }
    }
  }

  private func uri(_ row: StoredReference) -> String {
    "x-coredata://\(document.identifier)/\(row.entityName)/p\(row.primaryKey)"
  }
}

@available(*, unavailable) extension DocumentInspection: Sendable {}

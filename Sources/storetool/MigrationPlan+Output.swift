import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import ModelComparison
import ModelCompiler

extension MigrationPlan {
  /// Writes the plan: as a table for a terminal, as lines or as JSON for a program.
  func write(_ run: ToolRun) throws {
    if run.values.contains(.json) {
      try writeJSON(run)
    } else if run.terminal.isTerminal {
      try writeTable(run)
    } else {
      try writeLines(run)
    }
  }

  private func writeLines(_ run: ToolRun) throws {
    if steps.isEmpty {
      try run.writeFields(["from", source.name])
      try run.writeFields(["to", destination.name])
    }
    for step in steps {
      try run.writeFields(["from", step.sourceName])
      try run.writeFields(["to", step.destinationName])
      for entity in step.entities {
        try run.writeFields([
          "entity", entity.name, entity.type.name, entity.oldName ?? "", String(entity.objectCount),
        ])
        for change in entity.changes {
          try run.writeFields([
            "change", entity.name, change.property ?? "", change.kind.rawValue, change.aspect ?? "",
            change.old ?? "", change.new ?? "",
          ])
        }
      }
    }
  }

  private func writeTable(_ run: ToolRun) throws {
    if steps.isEmpty {
      return try run.output.writeSentence(
        "\(path) has the version \(destination.name) already: there is nothing to do.",
        columns: run.terminal.columns)
    }
    for step in steps {
      let title = "\(path): \(step.sourceName) → \(step.destinationName)".escapingControls
      try run.output.writeLine(run.terminal.styled(title, .bold))
      try run.output.writeLine()
      for (number, line) in step.table.lines(width: run.terminal.columns).enumerated() {
        try run.output.writeLine(number == 0 ? run.terminal.styled(line, .bold) : line)
      }
      try run.output.writeLine()
    }
  }

  private func writeJSON(_ run: ToolRun) throws {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", 1)
      json.member("from", source.name)
      json.member("to", destination.name)
      json.member("steps") { json in
        json.lines(steps) { json, step in
          json.object { json in
            json.member("from", step.sourceName)
            json.member("to", step.destinationName)
            json.member("entities") { json in
              json.lines(step.entities) { json, entity in json.value(entity) }
            }
          }
        }
      }
    }
    json.endLine()
    try json.drain(into: run.output)
  }
}

extension MigrationStep {
  /// The changes of each entity as a table.
  fileprivate var table: TextTable {
    var table = TextTable(alignments: [.left, .right, .left, .left, .left])
    table.append(["Entity", "Objects", "", "", ""])
    for entity in entities {
      table.append([
        entity.name.escapingControls, String(entity.objectCount), "", "",
        entity.reading.escapingControls,
      ])
      for change in entity.changes {
        table.append([
          "", "", change.sign, (change.property ?? "").escapingControls,
          change.reading.escapingControls,
        ])
      }
    }
    return table
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ entity: MigrationStep.Entity) {
    object { json in
      json.member("name", entity.name)
      json.member("was", entity.oldName)
      json.member("mapping", entity.type.name)
      json.member("objects", entity.objectCount)
      json.member("changes") { json in
        json.array { json in for change in entity.changes { json.value(change) } }
      }
    }
  }
}

extension MigrationStep.Entity {
  /// The change of the entity in a few words.
  fileprivate var reading: String {
    switch type {
    case .add: "new"
    case .remove: objectCount == 0 ? "removed" : "removed, with its objects"
    case .copy where changes.isEmpty: "stays"
    case .copy, .transform: oldName == name ? "changes" : "renamed from \(oldName ?? "")"
    case .custom, .undefined: "made from \(oldName ?? "nothing")"
    }
  }
}

extension EntityMapping.MappingType {
  fileprivate var name: String {
    switch self {
    case .add: "add"
    case .remove: "remove"
    case .copy: "copy"
    case .transform: "transform"
    case .custom: "custom"
    case .undefined: "undefined"
    }
  }
}

import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import ModelComparison
import ModelCompiler

extension MigrationPlan {
  /// Writes the plan: as a table for a person, in lines or as JSON for a program.
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
    try run.writeFields(["from", source.name])
    try run.writeFields(["to", destination.name])
    for step in steps {
      try run.writeFields([
        "entity", step.name, step.type.name, step.oldName ?? "", String(step.objectCount),
      ])
      for change in step.changes {
        try run.writeFields([
          "change", step.name, change.property ?? "", change.kind.rawValue, change.aspect ?? "",
          change.old ?? "", change.new ?? "",
        ])
      }
    }
  }

  private func writeTable(_ run: ToolRun) throws {
    guard mapping != nil else {
      return try run.output.writeSentence(
        "\(path) is of \(destination.name) already: there is nothing to do.",
        columns: run.terminal.columns)
    }
    let title = "\(path): \(source.name) → \(destination.name)".escapingControls
    try run.output.writeLine(run.terminal.styled(title, .bold))
    try run.output.writeLine()
    var table = TextTable(alignments: [.left, .right, .left, .left, .left])
    table.append(["Entity", "Objects", "", "", ""])
    for step in steps {
      table.append([
        step.name.escapingControls, String(step.objectCount), "", "", step.reading.escapingControls,
      ])
      for change in step.changes {
        table.append([
          "", "", change.sign, (change.property ?? "").escapingControls,
          change.reading.escapingControls,
        ])
      }
    }
    for (number, line) in table.lines(width: run.terminal.columns).enumerated() {
      try run.output.writeLine(number == 0 ? run.terminal.styled(line, .bold) : line)
    }
    try run.output.writeLine()
  }

  private func writeJSON(_ run: ToolRun) throws {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", 1)
      json.member("from", source.name)
      json.member("to", destination.name)
      json.member("needed", mapping != nil)
      json.member("entities") { json in
        json.lines(steps) { json, step in json.value(step) }
      }
    }
    json.endLine()
    try json.drain(into: run.output)
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ step: MigrationPlan.Step) {
    object { json in
      json.member("name", step.name)
      json.member("was", step.oldName)
      json.member("mapping", step.type.name)
      json.member("objects", step.objectCount)
      json.member("changes") { json in
        json.array { json in for change in step.changes { json.value(change) } }
      }
    }
  }
}

extension MigrationPlan.Step {
  /// What becomes of the entity, in a few words.
  fileprivate var reading: String {
    switch type {
    case .add: "new"
    case .remove: objectCount == 0 ? "removed" : "removed, with its objects"
    case .copy: "stays"
    case .transform: oldName == name ? "changes" : "renamed from \(oldName ?? "")"
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

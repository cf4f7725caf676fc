import CommandLineKit
import DataFormats
import DataModel
import ModelCompiler

/// `storetool model`: the versions of a model, their entities and properties, and the hashes.
struct ModelListing {
  private let run: ToolRun

  init(_ run: ToolRun) {
    self.run = run
  }

  /// Shows the model; what is doubtful about it goes to standard error.
  func perform() throws {
    let file = try ModelFile(at: run.operand, run)
    for warning in file.compiled.warnings {
      try run.errors.writeLine(warning.description.escapingControls)
    }
    if run.values.contains(.json) {
      try writeJSON(file.compiled)
    } else {
      for version in file.compiled.versions {
        if run.terminal.isTerminal {
          try writeTable(version, isCurrent: version.name == file.compiled.currentVersion.name)
        } else {
          try writeLines(version)
        }
      }
    }
  }

  private func writeLines(_ version: CompiledModel.Version) throws {
    for entity in version.model.entitiesInNumberOrder {
      let hash = version.model.entityVersionHashesByName[entity.name]?.description ?? ""
      try run.writeFields([version.name, entity.name, "", hash])
      for property in entity.sortedProperties {
        try run.writeFields([version.name, entity.name, property.name, property.reading])
      }
    }
  }

  private func writeTable(_ version: CompiledModel.Version, isCurrent: Bool) throws {
    let title = version.name.escapingControls + (isCurrent ? " (current)" : "")
    try run.output.writeLine(run.terminal.styled(title, .bold))
    for entity in version.model.entitiesInNumberOrder {
      let hash = version.model.entityVersionHashesByName[entity.name]?.description ?? ""
      let parent = entity.superentityName.map { " : \($0)" } ?? ""
      let name = "\(entity.name)\(parent)".escapingControls
      try run.output.writeLine("  \(name)\(entity.isAbstract ? ", abstract" : "")")
      try run.output.writeLine("    \(run.terminal.styled(hash, .dim))")
      var table = TextTable(alignments: [.left, .left])
      for property in entity.sortedProperties {
        table.append([property.name.escapingControls, property.reading.escapingControls])
      }
      for line in table.lines(width: max(20, run.terminal.columns - 4)) {
        try run.output.writeLine("    \(line)")
      }
    }
  }

  private func writeJSON(_ compiled: CompiledModel) throws {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", 1)
      json.member("name", compiled.name)
      json.member("current", compiled.currentVersion.name)
      json.member("versions") { json in
        json.lines(compiled.versions) { $0.value($1) }
      }
    }
    json.endLine()
    try json.drain(into: run.output)
  }
}

@available(*, unavailable) extension ModelListing: Sendable {}

extension EntityDescription {
  /// Its own properties, sorted literally by name.
  var sortedProperties: [PropertyDescription] {
    properties.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

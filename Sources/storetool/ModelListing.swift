import CommandLineKit
import DataFormats
import DataModel
import ModelCompiler

/// `storetool model`: lists the versions of a model, their entities, properties and hashes.
struct ModelListing {
  private let run: ToolRun

  init(_ run: ToolRun) {
    self.run = run
  }

  /// Shows the model; writes warnings to standard error.
  func perform() throws {
    let file = try ModelFile(at: run.operand, run)
    for warning in file.model.warnings {
      try run.errors.writeLine(warning.description.escapingControls)
    }
    if let path = run.values[.modelOutput] {
      try write(try file.version(named: run.values[.modelVersion]), to: path)
    } else if run.values.contains(.json) {
      try writeJSON(file.model)
    } else {
      for version in file.model.versions {
        if run.terminal.isTerminal {
          try writeTable(version, isCurrent: version.name == file.model.currentVersion.name)
        } else {
          try writeLines(version)
        }
      }
    }
  }

  /// Writes a version as a `.mom` file, like Core Data's model compiler.
  private func write(_ version: VersionedModel.Version, to path: String) throws {
    do {
      let file = try OutputFile(path)
      try file.sink.write(contentsOf: version.model.archive)
      try file.finish()
    } catch {
      switch error {
      case let error as OutputFile.Failure: throw Complaint(writing: path, error)
      case OutputError.failed(let code): throw Complaint(writing: path, errno: code)
      default: throw error
      }
    }
    if !run.values.contains(.quiet) {
      try run.errors.writeLine("Wrote \(version.name) to \(path).".escapingControls)
    }
  }

  private func writeLines(_ version: VersionedModel.Version) throws {
    for entity in version.model.entitiesInNumberOrder {
      let hash = version.model.entityVersionHashesByName[entity.name]?.description ?? ""
      try run.writeFields([version.name, entity.name, "", hash])
      for property in entity.sortedProperties {
        try run.writeFields([version.name, entity.name, property.name, property.reading])
      }
    }
  }

  private func writeTable(_ version: VersionedModel.Version, isCurrent: Bool) throws {
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

  private func writeJSON(_ model: VersionedModel) throws {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", 1)
      json.member("name", model.name)
      json.member("current", model.currentVersion.name)
      json.member("versions") { json in
        json.lines(model.versions) { $0.value($1) }
      }
    }
    json.endLine()
    try json.drain(into: run.output)
  }
}

@available(*, unavailable) extension ModelListing: Sendable {}

extension EntityDescription {
  /// Its own properties, sorted bytewise by name.
  var sortedProperties: [PropertyDescription] {
    properties.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

import CommandLineKit
import DataModel
import Foundation
import ManagedObjects
import ModelCompiler

/// `storetool inspect`: what a store holds.
struct Inspection {
  private let run: ToolRun

  init(_ run: ToolRun) {
    self.run = run
  }

  /// Reads the store in one read transaction, row by row.
  func perform() throws {
    let file = try ModelFile(run, for: "inspect")
    let path = run.operand
    do {
      let reader = try StoreReader(contentsOf: URL(filePath: path))
      let version = try file.version(of: path, metadata: reader.metadata)
      let entities = try reader.entities(of: version.model)
      if run.values.contains(.json) {
        try StoreDump(run.output, identifier: reader.identifier).write(entities)
      } else if run.terminal.isTerminal {
        try writeTable(entities, reader, version, file)
      } else {
        try writeLines(entities, reader, version)
      }
      try reader.checkUnchanged()
    } catch let error as PersistentStoreError {
      throw Complaint(error, reading: path)
    }
  }

  private func writeLines(
    _ entities: [StoredEntity], _ reader: StoreReader, _ version: CompiledModel.Version
  ) throws {
    try run.writeFields(["version", version.name])
    try run.writeFields(["uuid", reader.identifier])
    for entity in entities {
      try run.writeFields(["entity", entity.name, String(try entity.count())])
    }
  }

  private func writeTable(
    _ entities: [StoredEntity], _ reader: StoreReader, _ version: CompiledModel.Version,
    _ file: ModelFile
  ) throws {
    let current = file.compiled.currentVersion.name
    let place =
      version.name == current
      ? ", the current version of \(file.name)."
      : "; the current version of \(file.name) is \(current)."
    try run.output.writeLine("Made with \(version.name + place)".escapingControls)
    try run.output.writeLine("UUID \(reader.identifier.escapingControls)")
    try run.output.writeLine()
    var table = TextTable(alignments: [.left, .right, .left])
    table.append(["Entity", "Objects", ""])
    for entity in entities {
      let depth = version.model.lineage(of: entity.description).count - 1
      table.append([
        String(repeating: "  ", count: depth) + entity.name.escapingControls,
        String(try entity.count()), entity.description.isAbstract ? "abstract" : "",
      ])
    }
    for (number, line) in table.lines(width: run.terminal.columns).enumerated() {
      try run.output.writeLine(number == 0 ? run.terminal.styled(line, .bold) : line)
    }
  }
}

@available(*, unavailable) extension Inspection: Sendable {}

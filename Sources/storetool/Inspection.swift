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

  /// The model that a store is read with.
  private struct Reading {
    let reader: StoreReader
    let model: ManagedObjectModel
    let entities: [StoredEntity]
    /// The version's name, and where the model is from, for people; nil for the store's own model.
    let version: (name: String, place: String)?
  }

  /// Reads the store in one read transaction, row by row.
  func perform() throws {
    let path = run.operand
    do {
      let reading = try reading(of: path)
      if run.values.contains(.json) {
        try StoreDump(run.output, identifier: reading.reader.identifier).write(reading.entities)
      } else if run.terminal.isTerminal {
        try writeTable(reading)
      } else {
        try writeLines(reading)
      }
      try reading.reader.checkUnchanged()
    } catch let error as PersistentStoreError {
      throw Complaint(error, reading: path)
    }
  }

  private func reading(of path: String) throws -> Reading {
    guard run.values[.model] != nil else { return try readingWithItsOwnModel(path) }
    let file = try ModelFile(run, for: "inspect")
    let reader = try StoreReader(contentsOf: URL(filePath: path))
    let version = try file.version(of: path, metadata: reader.metadata)
    let current = file.compiled.currentVersion.name
    let place =
      version.name == current
      ? ", the current version of \(file.name)"
      : "; the current version of \(file.name) is \(current)"
    return Reading(
      reader: reader, model: version.model, entities: try reader.entities(of: version.model),
      version: (version.name, place))
  }

  /// Reads the store with the model that Core Data left in it.
  private func readingWithItsOwnModel(_ path: String) throws -> Reading {
    let reader = try StoreReader(contentsOf: URL(filePath: path))
    let start = "cannot read the objects of \(path.escapingControls): "
    let hint = "Name the model of the app with --model X.xcdatamodeld."
    do {
      guard let model = try reader.embeddedModel() else {
        throw Complaint(.usage, start + "the store does not carry its model", hint: hint)
      }
      return Reading(
        reader: reader, model: model, entities: try reader.entities(of: model), version: nil)
    } catch is ModelArchiveError {
      throw Complaint(.badData, start + "the model that it carries is damaged", hint: hint)
    }
  }

  private func writeLines(_ reading: Reading) throws {
    if let version = reading.version { try run.writeFields(["version", version.name]) }
    try run.writeFields(["uuid", reading.reader.identifier])
    for entity in reading.entities {
      try run.writeFields(["entity", entity.name, String(try entity.count())])
    }
  }

  private func writeTable(_ reading: Reading) throws {
    let origin = reading.version.map { $0.name + $0.place } ?? "the model that it carries"
    try run.output.writeLine("Made with \(origin).".escapingControls)
    try run.output.writeLine("UUID \(reading.reader.identifier.escapingControls)")
    try run.output.writeLine()
    var table = TextTable(alignments: [.left, .right, .left])
    table.append(["Entity", "Objects", ""])
    for entity in reading.entities {
      let depth = reading.model.lineage(of: entity.description).count - 1
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

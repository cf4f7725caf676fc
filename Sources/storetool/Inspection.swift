import CommandLineKit
import DataModel
import ManagedObjects
import ModelCompiler
import SystemLibraries

/// `storetool inspect`: shows the contents of a store.
struct Inspection {
  private let run: ToolRun

  init(_ run: ToolRun) {
    self.run = run
  }

  /// A model, and its version if it comes from a file.
  private typealias Choice = (model: ManagedObjectModel, version: Version?)

  /// A version in a model's file, in words.
  private struct Version {
    let name: String
    /// The file, and the position of the version in it.
    let place: String
  }

  /// An opened store with its model; the version is nil for the embedded model.
  private struct Reading {
    let reader: StoreReader
    let model: ManagedObjectModel
    let entities: [StoredEntity]
    let version: Version?
  }

  /// Reads the store in one read transaction, row by row.
  func perform() throws {
    let path = run.operand
    let file = run.values[.model] == nil ? nil : try ModelFile(run, for: "inspect")
    do {
      let url = URL(filePath: path).storeFile
      if let type = url.documentType {
        return try inspection(of: url.objects(type), file).perform()
      }
      let reader = try StoreReader(contentsOf: url)
      let (model, version) =
        try file.map { try choice(of: $0, reader.metadata) } ?? ownModel(reader)
      let reading = Reading(
        reader: reader, model: model, entities: try reader.entities(of: model), version: version)
      if run.values.contains(.json) {
        try StoreDump(run.output, identifier: reader.identifier).write(reading.entities)
      } else if run.terminal.isTerminal {
        try writeTable(reading)
      } else {
        try writeLines(reading)
      }
    } catch let error as PersistentStoreError {
      throw Complaint(error, reading: path)
    }
  }

  /// The inspection of a store that is read as a whole, with its model if that was given.
  private func inspection(
    of document: any StoredObjects, _ file: ModelFile?
  ) throws -> DocumentInspection {
    let choice = try file.map { try self.choice(of: $0, document.metadata) }
    return DocumentInspection(
      run: run, document: document, model: choice?.model,
      version: choice?.version.map { ($0.name, $0.place) })
  }

  /// The version in a file that the store was created with.
  private func choice(of file: ModelFile, _ metadata: [String: PropertyList]) throws -> Choice {
    let version = try file.version(of: run.operand, metadata: metadata)
    let current = file.model.currentVersion.name
    let place =
      version.name == current
      ? ", the current version of \(file.name)"
      : "; the current version of \(file.name) is \(current)"
    return (version.model, Version(name: version.name, place: place))
  }

  /// The model embedded in the store.
  private func ownModel(_ reader: StoreReader) throws -> Choice {
    let start = "cannot read the objects of \(run.operand.escapingControls): "
    let hint = "Name the model of the app with --model X.xcdatamodeld."
    do {
      guard let model = try reader.embeddedModel() else {
        throw Complaint(.usage, start + "the store does not hold its model", hint: hint)
      }
      return (model, nil)
    } catch is ModelArchiveError {
      throw Complaint(.badData, start + "the model that it holds is damaged", hint: hint)
    }
  }

  private func writeLines(_ reading: Reading) throws {
    if let version = reading.version { try run.writeFields(["version", version.name]) }
    try run.writeFields(["uuid", reading.reader.identifier])
    for entity in reading.entities {
      try run.writeFields(["entity", entity.name, String(try entity.count())])
    }
    for file in try reading.reader.unusedExternalDataFiles() {
      try run.writeFields(["stray", file.filePath])
    }
  }

  private func writeTable(_ reading: Reading) throws {
    let origin = reading.version.map { $0.name + $0.place } ?? "the model that it holds"
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
    let strays = try reading.reader.unusedExternalDataFiles()
    guard !strays.isEmpty else { return }
    try run.output.writeLine()
    let title =
      "Files of large values that nothing refers to, left by killed programs:"
    for line in title.wrapped(to: run.terminal.columns) { try run.output.writeLine(line) }
    for file in strays { try run.output.writeLine("  \(file.filePath.escapingControls)") }
  }
}

@available(*, unavailable) extension Inspection: Sendable {}

import CSVStores
import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import SystemLibraries

/// `storetool inspect` for a store that is read as a whole, with or without its model.
struct DocumentInspection {
  let run: ToolRun
  let document: any StoredObjects
  let model: ManagedObjectModel?
  /// The model version that the store was created with, in words; nil without a model.
  let version: (name: String, place: String)?

  func perform() throws {
    let entities = try document.entities(of: model)
    if run.values.contains(.json) {
      try StoreDump(
        run.output, identifier: document.identifier, metadata: model == nil ? metadata : nil
      )
      .write(entities)
    } else if run.terminal.isTerminal {
      try writeTable(entities)
    } else {
      if let version { try run.writeFields(["version", version.name]) }
      try run.writeFields(["uuid", document.identifier])
      for entity in entities {
        try run.writeFields(["entity", entity.name, String(entity.objects.count)])
      }
      for (key, value) in shownMetadata { try run.writeFields(["metadata", key, value.line]) }
    }
  }

  /// The metadata except for those that are always shown.
  private var metadata: [String: PropertyList] {
    document.metadata.filter { !["NSStoreType", "NSStoreUUID"].contains($0.key) }
  }

  /// The metadata to show without the model, which would explain them.
  private var shownMetadata: [(key: String, value: PropertyList)] {
    model == nil ? metadata.sorted { $0.key < $1.key } : []
  }

  /// A clause on what remains unknown if a store is shown without its model.
  private var unknown: String {
    switch document.type {
    case .binary: "it has no names of attributes"
    case .csv: "all values are as they are in its files"
    default: "names are as they are in the file"
    }
  }

  private func writeTable(_ entities: [DocumentReader.Entity]) throws {
    let origin =
      version.map { "Made with \($0.name)\($0.place)." }
      ?? "This is \(document.type.described), shown without its model: \(unknown)."
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
    try write(table)
    guard !shownMetadata.isEmpty else { return }
    try run.output.writeLine()
    var list = TextTable(alignments: [.left, .left])
    list.append(["Metadata", ""])
    for (key, value) in shownMetadata {
      list.append([key.escapingControls, value.line.escapingControls])
    }
    try write(list)
  }

  /// Writes a table whose first line is a heading.
  private func write(_ table: TextTable) throws {
    for (number, line) in table.lines(width: run.terminal.columns).enumerated() {
      try run.output.writeLine(number == 0 ? run.terminal.styled(line, .bold) : line)
    }
  }
}

@available(*, unavailable) extension DocumentInspection: Sendable {}

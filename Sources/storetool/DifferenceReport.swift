import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import ModelComparison

/// The difference between two models, in the three formats of the tool.
struct DifferenceReport {
  private let difference: ModelDifference
  private let old: DiffSide
  private let new: DiffSide
  private let run: ToolRun

  init(_ difference: ModelDifference, from old: DiffSide, to new: DiffSide, _ run: ToolRun) {
    self.difference = difference
    self.old = old
    self.new = new
    self.run = run
  }

  // MARK: Lines

  /// Writes a line for each difference.
  func writeLines() throws {
    for change in difference.changes { try writeLine(change, of: "") }
    for entity in difference.entities {
      for change in entity.summary { try writeLine(change, of: entity.name) }
      for change in entity.changes {
        try writeLine(change.described(in: entity, old.model, new.model), of: entity.name)
      }
    }
    switch inference {
    case .success?: try run.writeFields(["", "", "inferred", "migration", "", "", ""])
    case .failure(let error)?:
      try run.writeFields(["", "", "refused", "migration", "", error.description, ""])
    case nil: break
    }
  }

  private func writeLine(_ change: ModelDifference.Change, of entity: String) throws {
    try run.writeFields([
      entity, change.property ?? "", change.kind.rawValue, change.aspect ?? "", change.old ?? "",
      change.new ?? "", change.movesVersionHash ? "moved" : "",
    ])
  }

  // MARK: The table

  /// Writes a block for each entity, and the consequences for a store.
  func writeTable() throws {
    let title = "\(old.name) → \(new.name)".escapingControls
    try run.output.writeLine(run.terminal.styled(title, .bold))
    try run.output.writeLine()
    if !difference.changes.isEmpty {
      try write(difference.changes)
      try run.output.writeLine()
    }
    for entity in difference.entities {
      try run.output.writeLine(run.terminal.styled(entity.title.escapingControls, .bold))
      let changes = entity.changes.map { $0.described(in: entity, old.model, new.model) }
      try write(changes)
      try run.output.writeLine()
    }
    for line in verdict { try run.output.writeSentence(line, columns: run.terminal.columns) }
  }

  private func write(_ changes: [ModelDifference.Change]) throws {
    var table = TextTable(alignments: [.left, .left, .left, .left])
    for change in changes {
      table.append([
        change.sign, (change.property ?? "").escapingControls,
        change.movesVersionHash ? "hash" : "",
        change.reading.escapingControls,
      ])
    }
    for line in table.lines(width: max(20, run.terminal.columns - 2)) {
      try run.output.writeLine("  \(line)")
    }
  }

  /// The consequences for a store.
  private var verdict: [String] {
    let (from, to) = (old.name, new.name)
    if difference.isEmpty { return ["Nothing differs between \(from) and \(to)."] }
    let store = old.metadata == nil ? "a store of \(from)" : from
    if difference.keepsVersionHashes {
      return ["No version hash changes: \(store) opens with \(to) as it is."]
    }
    let reasons = [
      (names { $0.kind == .added }, "is new", "are new"),
      (names { $0.kind == .removed }, "was removed", "were removed"),
      (
        names { ![.added, .removed].contains($0.kind) }, "has another version hash",
        "have other version hashes"
      ),
    ].compactMap { names, one, several in
      names.isEmpty ? nil : "\(ModelFile.list(names)) \(names.count == 1 ? one : several)"
    }
    var sentences = [
      "\(to) does not open \(store): \(reasons.joined(separator: ", "))."
    ]
    if old.model == nil || new.model == nil {
      sentences.append(
        "\(old.model == nil ? from : to) holds no model, so only the version hashes were compared.")
    }
    switch inference {
    case .success?: sentences.append("A migration can be inferred: storetool migrate.")
    case .failure(let error)?: sentences.append("A migration cannot be inferred: \(error)")
    case nil: break
    }
    return sentences
  }

  /// The inferred mapping from one to the other, or why there is none; nil if a model is missing or
  /// no mapping is needed.
  private var inference: Result<MappingModel, MigrationError>? {
    guard let before = old.model, let now = new.model, !difference.keepsVersionHashes else {
      return nil
    }
    return Result { () throws(MigrationError) in try .inferred(from: before, to: now) }
  }

  /// The entities selected by a condition that prevent a store from opening.
  private func names(where isOne: (ModelDifference.Entity) -> Bool) -> [String] {
    difference.entities.filter { $0.movesVersionHash && isOne($0) }.map(\.name)
  }

  // MARK: JSON

  /// Writes one document.
  func writeJSON() throws {
    var isInferred: Bool?
    var refusal: String?
    switch inference {
    case .success?: isInferred = true
    case .failure(let error)?: (isInferred, refusal) = (false, error.description)
    case nil: break
    }
    var json = JSONWriter()
    json.object { json in
      json.member("schema", 1)
      json.member("from", old.name)
      json.member("to", new.name)
      json.member("same", difference.isEmpty)
      json.member("compatible", difference.keepsVersionHashes)
      json.member("inferred", isInferred)
      json.member("refusal", refusal)
      json.member("changes") { json in
        json.lines(difference.changes) { $0.value($1) }
      }
      json.member("entities") { json in
        json.lines(difference.entities) { json, entity in
          json.value(entity, entity.changes.map { $0.described(in: entity, old.model, new.model) })
        }
      }
    }
    json.endLine()
    try json.drain(into: run.output)
  }
}

@available(*, unavailable) extension DifferenceReport: Sendable {}

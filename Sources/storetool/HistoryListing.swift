import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import ModelCompiler
import SystemLibraries

/// `storetool history`: lists who changed what and when.
struct HistoryListing {
  private let run: ToolRun

  init(_ run: ToolRun) {
    self.run = run
  }

  /// Reads the history in one read transaction, one change at a time.
  func perform() throws {
    let path = run.operand
    let after = try run.values[.after].map(number)
    do {
      let url = URL(filePath: path).storeFile
      if let type = url.documentType {
        throw Complaint(
          .badData,
          "\(path.escapingControls) keeps no history: it is \(type.described)",
          hint: "Name a SQLite store; only those keep one.")
      }
      let reader = try StoreReader(contentsOf: url)
      guard let history = try reader.history(of: model(of: reader)) else {
        throw Complaint(
          .badData, "\(path.escapingControls) keeps no history",
          hint: "An app keeps one whose store is opened with NSPersistentHistoryTrackingKey.")
      }
      history.after = after ?? 0
      history.author = run.values[.author]
      if let entity = run.values[.entity] {
        guard history.hasEntity(entity) else {
          throw ValidationError(
            "\(path.escapingControls) has no entity \(entity.escapingControls)",
            hint: "See storetool inspect \(path.escapingControls).")
        }
        history.entityName = entity
      }
      if run.values.contains(.json) {
        try writeJSON(history, reader.identifier)
      } else if run.terminal.isTerminal {
        try writeTable(history)
      } else {
        try writeLines(history)
      }
    } catch let error as PersistentStoreError {
      throw Complaint(error, reading: path)
    }
  }

  private func number(_ text: String) throws -> Int64 {
    guard let number = Int64(text), number >= 0 else {
      throw ValidationError(
        "--after takes the number of a transaction, not \(text.escapingControls)",
        hint: "It is the first on each line.")
    }
    return number
  }

  /// The model for the names of properties: that of `--model`, or the one embedded in the store.
  private func model(of reader: StoreReader) throws -> ManagedObjectModel? {
    guard run.values[.model] == nil else {
      return try ModelFile(run, for: "history").version(of: run.operand, metadata: reader.metadata)
        .model
    }
    // Without a model, changes are shown without the names of properties.
    return try? reader.embeddedModel()
  }

  private func forEachChange(
    of history: StoredHistory,
    _ body: (PersistentHistoryTransaction, StoredHistoryChange) throws -> Void
  ) throws {
    try history.forEachTransaction { transaction in
      try history.forEachChange(of: transaction) { try body(transaction, $0) }
    }
  }

  // MARK: Lines

  private func writeLines(_ history: StoredHistory) throws {
    try forEachChange(of: history) { transaction, change in
      try run.writeFields([
        String(transaction.transactionNumber), transaction.timestamp.utcText ?? "",
        transaction.author ?? "", transaction.processID ?? "", change.type.word,
        change.reference.entityName, String(change.reference.primaryKey),
        change.updatedProperties.joined(separator: ", "),
      ])
    }
  }

  /// The number of lines that are aligned into columns together.
  private static let linesAtOnce = 1_000

  private func writeTable(_ history: StoredHistory) throws {
    var table = Self.table
    var count = 0
    func write() throws {
      for (number, line) in table.lines(width: run.terminal.columns).enumerated() {
        let isHead = number == 0 && count <= Self.linesAtOnce
        try run.output.writeLine(isHead ? run.terminal.styled(line, .bold) : line)
      }
      table = Self.table
    }
    table.append(["No", "Time (UTC)", "Who", "What", "Object", "Properties"])
    try forEachChange(of: history) { transaction, change in
      table.append([
        String(transaction.transactionNumber), transaction.timestamp.utcText ?? "",
        (transaction.author ?? transaction.processID ?? "").escapingControls, change.type.word,
        "\(change.reference.entityName) p\(change.reference.primaryKey)".escapingControls,
        change.updatedProperties.joined(separator: ", ").escapingControls,
      ])
      count += 1
      if count % Self.linesAtOnce == 0 { try write() }
    }
    if count == 0 { return try run.output.writeLine("No changes.") }
    if count % Self.linesAtOnce > 0 { try write() }
  }

  private static var table: TextTable {
    TextTable(alignments: [.right, .left, .left, .left, .left, .left])
  }

  // MARK: JSON

  private func writeJSON(_ history: StoredHistory, _ identifier: String) throws {
    var json = JSONWriter()
    try json.object { json in
      json.member("schema", 1)
      json.member("uuid", identifier)
      try json.member("transactions") { json in
        try json.array { json in
          try history.forEachTransaction { transaction in
            json.startLine()
            try write(transaction, of: history, identifier, &json)
          }
        }
      }
    }
    json.endLine()
    try json.drain(into: run.output)
  }

  private func write(
    _ transaction: PersistentHistoryTransaction, of history: StoredHistory, _ identifier: String,
    _ json: inout JSONWriter
  ) throws {
    try json.object { json in
      json.member("number", Int(transaction.transactionNumber))
      json.member("date", transaction.timestamp.utcText)
      json.member("author", transaction.author)
      json.member("context", transaction.contextName)
      json.member("bundle", transaction.bundleID)
      json.member("process", transaction.processID)
      try json.member("changes") { json in
        try json.array { json in
          try history.forEachChange(of: transaction) { change in
            json.startLine()
            json.value(change, in: identifier)
            try json.drain(into: run.output)
          }
        }
      }
    }
  }
}

@available(*, unavailable) extension HistoryListing: Sendable {}

extension PersistentHistoryChangeType {
  /// The word for the type.
  fileprivate var word: String {
    switch self {
    case .insert: "insert"
    case .update: "update"
    case .delete: "delete"
    }
  }
}

extension Date {
  /// The date in UTC, like `2024-05-10T09:00:51Z`; nil outside of the years 1 to 9999.
  fileprivate var utcText: String? {
    InstantText.text(of: timeIntervalSinceReferenceDate.rounded(.down))
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ change: StoredHistoryChange, in store: String) {
    object { json in
      json.member("type", change.type.word)
      json.member("entity", change.reference.entityName)
      json.member(
        "id",
        "x-coredata://\(store)/\(change.reference.entityName)/p\(change.reference.primaryKey)")
      json.member("properties") { json in
        json.array { json in for name in change.updatedProperties { json.value(name) } }
      }
      json.member("tombstone") { json in
        json.object { json in
          for (name, value) in change.tombstone.sorted(by: { $0.key < $1.key }) {
            json.key(name)
            json.value(value)
          }
        }
      }
    }
  }

  /// Writes a value as in the dump of a store: dates as seconds since 2001, bytes in base64.
  private mutating func value(_ value: AttributeValue) {
    switch value {
    case .integer(let number): self.value(Int(number))
    case .boolean(let flag): self.value(flag)
    case .double(let number): self.value(unbounded: number)
    case .decimal(let number): self.value(number.description)
    case .date(let date): self.value(unbounded: date.timeIntervalSinceReferenceDate)
    case .string(let text): self.value(text)
    case .uri(let url): self.value(url.absoluteString)
    case .uuid(let uuid): self.value(uuid.uuidString)
    case .binary(let data): self.value(base64: data)
    }
  }
}

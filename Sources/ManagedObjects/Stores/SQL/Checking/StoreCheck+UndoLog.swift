/// The check of the log of commands that can be undone.
extension StoreCheck {
  /// Checks that each command that was run with this model can be read.
  mutating func checkUndoLog() throws {
    let log = SQLUndoLog(database: database, limit: .max, schema: schema)
    let pageSize = 100
    var unreadable: [Int64] = []
    var condition: String?
    while true {
      let entries = try log.entries(where: condition, ascending: true, limit: pageSize)
      unreadable += entries.filter { !log.isReadable($0) }.map(\.serial)
      guard entries.count == pageSize, let last = entries.last else { break }
      condition = "SERIAL > \(last.serial)"
    }
    guard !unreadable.isEmpty else { return }
    let count = "\(unreadable.count) \(unreadable.count == 1 ? "command" : "commands")"
    let serials = unreadable.prefix(StoreProblem.maximumKeyCount).map { "\($0)" }
    let more = unreadable.count > serials.count ? ", …" : ""
    report(
      .undoLog,
      "\(SQLUndoLog.table): \(count) that cannot be read (SERIAL \(serials.joined(separator: ", "))\(more))"
    )
  }
}

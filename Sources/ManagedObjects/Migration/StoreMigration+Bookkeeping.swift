import DataModel

/// Updating the store's tables about itself.
extension StoreMigration {
  func writeBookkeeping() throws {
    try writeEntities()
    try SQLiteStore.changeMetadata(connection, at: url, nil) {
      $0.merge(StoredMetadata.modelMetadata(model)) { $1 }
      $0[StoredMetadata.deferredKey] = try deferredColumns(before: $0[StoredMetadata.deferredKey])
    }
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB); DELETE FROM Z_MODELCACHE")
    let cache = try connection.statement("INSERT INTO Z_MODELCACHE VALUES (?)")
    cache.bind(model.modelCache, at: 1)
    try cache.run()
    try migrateHistory()
    try dropUndoLog()
  }

  /// The columns that are kept in their tables though the model no longer has them, by table.
  ///
  /// nil for none.
  private func deferredColumns(before: PropertyList?) throws -> PropertyList? {
    var deferred: [String: PropertyList] = [:]
    for table in tables where table.isInPlace {
      guard let origin = table.origin else { continue }
      var gone = DeferredColumns(before)[origin] ?? []
      gone += mapping.source.tables.first { $0.name == origin }?.columns.map(\.name) ?? []
      let known = Set(table.table.columns.map(\.name))
      let kept = try contents.columns(of: table.table.name).map(\.name)
        .filter { gone.contains($0) && !known.contains($0) }
      if !kept.isEmpty { deferred[table.table.name] = .array(kept.map { .string($0) }) }
    }
    return deferred.isEmpty ? nil : .dictionary(deferred)
  }

  /// Writes the entities' new numbers; the highest key ever assigned in a table is kept.
  private func writeEntities() throws {
    var highest: [Int: Int64] = [:]
    let found = try connection.statement("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY")
    while try found.step() { highest[Int(found.integer(at: 0))] = found.integer(at: 1) }
    found.reset()
    try connection.execute(
      "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < \(HistoryTables.leastNumber)")
    let insert = try connection.statement("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)")
    for binding in mapping.destination.bindings {
      let parent = mapping.destination.bindings.first {
        $0.name == binding.description.superentityName
      }
      insert.bind(Int64(binding.number), at: 1)
      insert.bind(binding.name, at: 2)
      insert.bind(Int64(parent?.number ?? 0), at: 3)
      insert.bind(highestKey(of: binding, in: highest), at: 4)
      try insert.run()
    }
  }

  private func highestKey(of binding: EntityBinding, in highest: [Int: Int64]) -> Int64 {
    guard binding.root == binding.index else { return 0 }
    return binding.family.compactMap { index in
      mapping.origins[index].flatMap { highest[mapping.source.bindings[$0.root].number] }
    }.max() ?? (keysAreOfAllEntities ? highest.values.max() ?? 0 : 0)
  }

  /// Gives the entities of a persistent history their new numbers, and marks the migration in it.
  private func migrateHistory() throws {
    guard let history = try MigratedHistory(connection) else { return }
    var numbers: [(old: Int, new: Int)] = []
    var removed: [Int] = []
    for old in mapping.source.bindings {
      guard let index = mapping.destinationIndexes[old.index] else {
        removed.append(old.number)
        continue
      }
      let new = mapping.destination.bindings[index]
      try history.rearrange(old, as: new, in: mapping)
      if new.number != old.number { numbers.append((old.number, new.number)) }
    }
    try history.renumber(numbers, removed: removed)
    try history.addMarker()
  }

  /// Whether the undo log refers to rows in their old form.
  var losesUndoLog: Bool {
    contents.tables.contains(SQLUndoLog.table)
      && (mapping.source.layoutNumber != mapping.destination.layoutNumber
        || mapping.renumbersSome(of: mapping.destinationIndexes.indices))
  }

  private func dropUndoLog() throws {
    guard losesUndoLog else { return }
    for table in [SQLUndoLog.table, SQLUndoLog.versions] {
      try connection.execute("DROP TABLE IF EXISTS \(table)")
    }
  }
}

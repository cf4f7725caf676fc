import DataModel
import SystemLibraries

/// The persistent history of a store that is migrated, in Core Data's format.
///
///     try MigratedHistory(connection)?.addMarker()
///
/// It survives a migration. A transaction without changes, by Core Data's schema migrator, notifies
/// its readers that earlier transactions are of another version of the model.
struct MigratedHistory {
  private static let author = "com.apple.coredata.schemamigrator"

  private let connection: Connection
  private let tables: HistoryTables

  /// The history of a store; nil if it has none.
  init?(_ connection: Connection) throws {
    self.connection = connection
    guard let tables = try HistoryTables(connection) else { return nil }
    self.tables = tables
  }

  /// Gives the changes' entities their new numbers; deletes the changes of removed entities.
  func renumber(_ numbers: [(old: Int, new: Int)], removed: [Int]) throws {
    guard tables.found.contains(HistoryTables.change) else { return }
    if !removed.isEmpty {
      try connection.execute("DELETE FROM ACHANGE WHERE ZENTITY IN (\(removed.sqlList))")
    }
    try connection.renumber(numbers, column: "ZENTITY", of: HistoryTables.change)
  }

  /// Moves what the changes of an entity contain, the values of deleted objects and the marks of
  /// changed properties, to where the new model has these properties.
  ///
  /// Values of properties that the new model lacks, or has with another type, are removed. Called
  /// before the entities get their new numbers. O(changes).
  func rearrange(_ old: EntityBinding, as new: EntityBinding, in mapping: BoundMapping) throws {
    guard tables.hasRequiredColumns else { return }
    let (before, after) = (HistoryColumns(old), HistoryColumns(new))
    try moveTombstones(of: old, before, to: new, after, in: mapping)
    try moveMarks(of: old, before, to: new, after, in: mapping)
  }

  private func moveTombstones(
    of old: EntityBinding, _ before: HistoryColumns, to new: EntityBinding,
    _ after: HistoryColumns, in mapping: BoundMapping
  ) throws {
    let origins = after.tombstoneSlots.map { slot -> Int? in
      guard let origin = mapping.origin(of: slot, in: new),
        case .attribute(let attribute) = new.slots[slot],
        case .attribute(let former) = old.slots[origin],
        attribute.type == former.type
      else { return nil }
      return before.tombstoneSlots.firstIndex(of: origin)
    }
    let count = tables.tombstoneCount
    guard origins != Array(before.tombstoneSlots.indices) else { return }
    let needed = origins.lastIndex { $0.map { $0 < count } ?? false }.map { $0 + 1 } ?? 0
    if needed > count { try HistoryTables.make(on: connection, tombstones: needed) }
    let values = (0..<max(count, needed)).map { index in
      let origin = index < origins.count ? origins[index].flatMap { $0 < count ? $0 : nil } : nil
      return "\(HistoryTables.tombstone(index)) = \(origin.map(HistoryTables.tombstone) ?? "NULL")"
    }
    guard !values.isEmpty else { return }
    try connection.execute(
      """
      UPDATE \(HistoryTables.change) SET \(values.joined(separator: ", "))
      WHERE ZENTITY = \(old.number) AND ZCHANGETYPE = \(PersistentHistoryChangeType.delete.rawValue)
      """)
  }

  private func moveMarks(
    of old: EntityBinding, _ before: HistoryColumns, to new: EntityBinding,
    _ after: HistoryColumns, in mapping: BoundMapping
  ) throws {
    var names: [String: [String]] = [:]
    for (slot, kind) in new.slots.prefix(new.storedSlotCount).enumerated() {
      guard case .attribute(let attribute) = kind,
        let origin = mapping.origin(of: slot, in: new),
        case .attribute(let former) = old.slots[origin]
      else { continue }
      names[HistoryColumns.name(of: former), default: []].append(HistoryColumns.name(of: attribute))
    }
    for toOne in new.toOnes {
      guard let former = mapping.toOneOrigin(toOne.description.name, in: new) else { continue }
      names[former.description.name, default: []].append(toOne.description.name)
    }
    for toMany in new.toManys {
      let name = toMany.description.name
      if let former = mapping.relationshipOrigin(name, in: new) {
        names[former, default: []].append(name)
      }
    }
    guard before.names.map({ names[$0]?.first }) != after.names else { return }
    let read = try connection.prepared(
      """
      SELECT Z_PK, ZCOLUMNS FROM ACHANGE
      WHERE Z_PK > ? AND ZENTITY = ? AND ZCOLUMNS IS NOT NULL ORDER BY Z_PK LIMIT 1000
      """)
    let write = try connection.prepared("UPDATE ACHANGE SET ZCOLUMNS = ? WHERE Z_PK = ?")
    var last = Int64.min
    while true {
      read.bind(last, at: 1)
      read.bind(Int64(old.number), at: 2)
      var marks: [(key: Int64, bytes: [UInt8])] = []
      while try read.step() {
        last = read.integer(at: 0)
        guard let bytes = read.blob(at: 1) else { continue }
        let changed = before.properties(in: bytes).flatMap { names[$0] ?? [] }
        marks.append((last, after.bytes(of: Set(changed))))
      }
      read.reset()
      guard !marks.isEmpty else { return }
      for (key, bytes) in marks {
        write.bind(bytes, at: 1)
        write.bind(key, at: 2)
        try write.run()
      }
    }
  }

  /// Deletes all changes: they refer to rows whose keys now belong to others.
  func forgetChanges() throws {
    for table in [HistoryTables.change, HistoryTables.transaction]
    where tables.found.contains(table) {
      try connection.execute("DELETE FROM \(table)")
    }
  }

  /// Adds the transaction that marks the migration.
  func addMarker() throws {
    guard tables.found.contains(HistoryTables.transaction) else { return }
    _ = try tables.addTransaction(by: TransactionOrigin(author: Self.author))
  }
}

import DataFormats
import DataModel
import ManagedObjects

/// The objects of a CSV store, assembled from the rows of all files.
struct CSVObjects {
  private let tables: [CSVTable]
  private let store: CSVStore
  /// The objects of each root entity.
  private var numbers: [String: CSVNumbers] = [:]
  /// The entities that an object of an entity belongs to: its own and its superentities.
  private let lineages: [String: Set<String>]

  /// - Throws: `PersistentStoreError.malformedDocument` if a number occurs twice.
  init(_ tables: [CSVTable], in store: CSVStore) throws {
    (self.tables, self.store) = (tables, store)
    let model = store.managedObjectModel
    lineages = Dictionary(
      uniqueKeysWithValues: model.entities.map { ($0.name, Set(model.lineage(of: $0).map(\.name))) }
    )
    for table in tables {
      let objects = try AtomicStoreTable(of: table.layout.entity, columns: [], in: store)
      var known = numbers.removeValue(forKey: table.layout.root) ?? CSVNumbers()
      try table.forEachNumber { number, _ in
        known.append(number, objects.objectID(for: ReferenceObject(number)))
      }
      numbers[table.layout.root] = known
    }
    for root in numbers.keys where numbers[root]?.sort() == false {
      try refuseDouble(tables.filter { $0.layout.root == root })
    }
  }

  /// Throws an error with the position of a number that occurs twice.
  private func refuseDouble(_ tables: [CSVTable]) throws {
    var names: [Int64: String] = [:]
    for table in tables {
      try table.forEachNumber { number, field in
        if let other = names.updateValue(table.layout.entity.name, forKey: number) {
          throw table.error("another \(other) has the number \(number)", at: field)
        }
      }
    }
  }

  /// Adds all objects to the store.
  func load() throws {
    for table in tables { try load(table) }
  }

  private func load(_ table: CSVTable) throws {
    let columns = CSVColumns(table.columns)
    var rows = try AtomicStoreTable(
      of: table.layout.entity, columns: columns.properties, in: store)
    // Used where a to-one and the position in its ordered inverse have separate columns.
    var owners: [ManagedObjectID?] = columns.properties.map { _ in nil }
    var positions: [Int64?] = columns.properties.map { _ in nil }
    var listed: [Int] = []
    var number: Int64 = 0
    try table.forEachRow { field, index, text in
      switch columns.contents[index] {
      case .number: number = CSVValue.objectNumber(text) ?? 0
      case .attribute(.string, let column) where text[0] != UInt8(ascii: "'"):
        guard text.isUTF8 else { throw table.mismatch(.string, at: field, index) }
        try rows.set(utf8: text, at: column)
      case .attribute(let type, let column):
        guard let value = CSVValue.value(text, type, table.spelling) else {
          throw table.mismatch(type, at: field, index)
        }
        try rows.set(.attribute(value), at: column)
      case .toOne(let column, let hasPosition):
        let id = try object(text, table.columns[index], field, table)
        if hasPosition {
          owners[column] = id
          listed.append(column)
        } else {
          try rows.set(id, position: nil, at: column)
        }
      case .position(let column):
        guard let position = CSVValue.objectNumber(text) else {
          throw table.error(
            "\(table.text(field)) is not a position in a list, such as 7", at: field)
        }
        if let column { positions[column] = position }
      case .toMany(let column, _):
        var members: [ManagedObjectID] = []
        for word in table.bytes(of: field).split(separator: 0x20) {
          members.append(try object(word.span, table.columns[index], field, table))
        }
        try rows.set(.toMany(members), at: column)
      }
    } end: {
      guard let id = numbers[table.layout.root]?[number] else {
        fatalError("A row has another number than when it was read first.")
      }
      for column in listed {
        // Objects without a position come last.
        if let owner = owners[column] {
          try rows.set(owner, position: positions[column] ?? .max, at: column)
        }
      }
      for column in positions.indices { positions[column] = nil }
      listed.removeAll(keepingCapacity: true)
      try rows.addRow(id)
    }
  }

  private func object(
    _ word: Span<UInt8>, _ column: CSVLayout.Column, _ field: CSVCursor.Field, _ table: CSVTable
  ) throws -> ManagedObjectID {
    guard let number = CSVValue.objectNumber(word) else {
      let text = CSVTable.text(word.withUnsafeBufferPointer { Array($0) }[...])
      throw table.error(
        "'\(column.name)' has \(text), which is not the number of an object", at: field)
    }
    guard let id = numbers[column.root]?[number] else {
      throw table.error(
        "'\(column.name)' refers to \(column.destination) \(number), which does not exist",
        at: field)
    }
    if column.destination != column.root,
      lineages[id.entity.name]?.contains(column.destination) != true
    {
      throw table.error(
        "'\(column.name)' refers to \(id.entity.name) \(number), which is not of the entity \(column.destination)",
        at: field)
    }
    return id
  }
}

@available(*, unavailable) extension CSVObjects: Sendable {}

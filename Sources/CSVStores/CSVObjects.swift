import DataModel
import ManagedObjects

/// The objects of a CSV store, put together from the rows of all files.
struct CSVObjects {
  private let tables: [CSVTable]
  private let store: CSVStore
  /// The objects of each root entity by their numbers.
  private var ids: [String: [Int64: ManagedObjectID]] = [:]
  /// The objects of each table, in its order.
  private var rows: [[ManagedObjectID]] = []
  /// The entities that an entity's objects may stand for: itself, and those that it inherits from.
  private let lineages: [String: Set<String>]
  /// The members of ordered lists, with their places.
  private var lists: [List: [(place: Int64, number: Int64, id: ManagedObjectID)]] = [:]

  /// A to-many that has an order.
  private struct List: Hashable {
    let owner: ManagedObjectID
    let name: String
  }

  /// - Throws: `PersistentStoreError.malformedDocument` where a number is there twice.
  init(_ tables: [CSVTable], in store: CSVStore) throws {
    (self.tables, self.store) = (tables, store)
    let model = store.managedObjectModel
    lineages = Dictionary(
      uniqueKeysWithValues: model.entities.map { ($0.name, Set(model.lineage(of: $0).map(\.name))) }
    )
    for table in tables {
      var found: [ManagedObjectID] = []
      var known = ids.removeValue(forKey: table.layout.root) ?? [:]
      try table.forEachNumber { number, field in
        let id = store.objectID(
          for: table.layout.entity, referenceObject: ReferenceObject(number))
        if let other = known.updateValue(id, forKey: number) {
          throw table.error("the number \(number) is another \(other.entity.name)'s", at: field)
        }
        found.append(id)
      }
      ids[table.layout.root] = known
      rows.append(found)
    }
  }

  /// Hands over a node for every object.
  mutating func forEachNode(_ body: (AtomicStoreCacheNode) -> Void) throws {
    var owners: [ManagedObjectID: AtomicStoreCacheNode] = [:]
    let withLists = Set(
      tables.flatMap { $0.columns.filter { $0.kind == .position }.map(\.root) })
    for (table, ids) in zip(tables, rows) {
      var index = 0
      try table.forEachRow { fields, _ in
        let node = AtomicStoreCacheNode(
          objectID: ids[index], propertyCache: try values(of: fields, table, ids[index]))
        index += 1
        if withLists.contains(table.layout.root) { owners[node.objectID] = node }
        body(node)
      }
    }
    for (list, members) in lists {
      let sorted = members.sorted { ($0.place, $0.number) < ($1.place, $1.number) }
      owners[list.owner]?.propertyCache?[list.name] = .toMany(sorted.map(\.id))
    }
  }

  private mutating func values(
    of fields: [CSVTable.Field], _ table: CSVTable, _ id: ManagedObjectID
  ) throws -> [String: PropertyValue] {
    var values = [String: PropertyValue](minimumCapacity: fields.count)
    var positions: [String: Int64] = [:]
    var number: Int64 = 0
    for field in fields {
      let column = table.columns[field.index]
      switch column.kind {
      case .number: number = CSVValue.objectNumber(field.bytes) ?? 0
      case .attribute(let type):
        guard let value = CSVValue.value(field.bytes, type, table.spelling) else {
          throw table.error("'\(column.name)' is not \(CSVValue.example(of: type))", at: field)
        }
        values[column.property] = .attribute(value)
      case .toOne:
        values[column.property] = .toOne(try object(field.bytes, column, field, table))
      case .position:
        guard let position = CSVValue.objectNumber(field.bytes) else {
          throw table.error("\(table.text(field)) is no place in a list, such as 7", at: field)
        }
        positions[column.property] = position
      case .toMany:
        var members: [ManagedObjectID] = []
        for word in field.bytes.split(separator: 0x20) {
          members.append(try object(word, column, field, table))
        }
        values[column.property] = .toMany(members)
      }
    }
    for column in table.columns where column.kind == .position {
      guard case .toOne(let owner)? = values[column.property] else { continue }
      // Those without a place come last.
      lists[List(owner: owner, name: column.list), default: []]
        .append((positions[column.property] ?? .max, number, id))
    }
    return values
  }

  private func object(
    _ word: ArraySlice<UInt8>, _ column: CSVLayout.Column, _ field: CSVTable.Field,
    _ table: CSVTable
  ) throws -> ManagedObjectID {
    guard let number = CSVValue.objectNumber(word) else {
      throw table.error(
        "'\(column.name)' has \(CSVTable.text(word)), which is no number of an object", at: field)
    }
    guard let id = ids[column.root]?[number] else {
      throw table.error(
        "'\(column.name)' leads to \(column.destination) \(number), which is not there", at: field)
    }
    if column.destination != column.root,
      lineages[id.entity.name]?.contains(column.destination) != true
    {
      throw table.error(
        "'\(column.name)' leads to \(id.entity.name) \(number), which is no \(column.destination)",
        at: field)
    }
    return id
  }
}

@available(*, unavailable) extension CSVObjects: Sendable {}

/// A sequential reader of an entity's rows and their relationships.
///
///     while try rows.next() {
///       rows.value(of: 0)
///       try rows.forEachMember(of: 1) { member in print(member) }
///     }
///
/// Attributes and relationships are addressed by their indexes in the entity's lists. Not Sendable.
package final class StoredRows {
  private let entity: StoredEntity
  private let statement: Statement
  private let links: [Link]

  /// How a relationship of the current row is read.
  private enum Link {
    /// From two columns of the row: the key and the entity number of the destination.
    case toOne(key: Int32, entity: Int32, destination: String)
    /// By a statement of its own that selects the members of one owner.
    case toMany(Statement, destination: String)
  }

  init(of entity: StoredEntity) throws {
    self.entity = entity
    let schema = entity.store.schema
    let names = schema.columnNames[entity.binding.index]
    var columns = ["Z_PK"] + entity.attributeSlots.map { names[$0].quoted }
    var links: [Link] = []
    for relationship in entity.relationships {
      let destination = relationship.destinationEntityName
      if let toOne = entity.binding.toOnes.first(where: { $0.description == relationship }) {
        let table = schema.tableNames[toOne.destination]
        let column = "r.\(names[toOne.slot].quoted)"
        links.append(
          .toOne(
            key: Int32(columns.count), entity: Int32(columns.count + 1), destination: destination))
        columns += [column, "(SELECT Z_ENT FROM \(table.quoted) WHERE Z_PK = \(column))"]
      } else if let toMany = entity.binding.toManys.first(where: { $0.description == relationship })
      {
        let sql = Self.members(of: toMany, in: entity.store)
        links.append(
          .toMany(try entity.store.connection.statement(sql), destination: destination))
      }
    }
    self.links = links
    statement = try entity.store.connection.statement(
      """
      SELECT \(columns.joined(separator: ", ")) FROM \(entity.table.quoted) AS r
      WHERE Z_ENT = ? ORDER BY Z_PK
      """)
    statement.bind(Int64(entity.binding.number), at: 1)
  }

  /// Advances to the next row; returns false when there is none.
  ///
  /// - Throws: `PersistentStoreError`.
  package func next() throws -> Bool {
    try entity.store.mappingErrors { try statement.step() }
  }

  /// The identity of the current row.
  package var reference: StoredReference {
    StoredReference(entityName: entity.name, primaryKey: statement.integer(at: 0))
  }

  /// A copy of the value of the attribute at an index; `nil` if there is none.
  package func value(of attribute: Int) -> StoredValue? {
    statement.storedValue(at: Int32(attribute + 1))
  }

  /// The destination of the to-one at an index; `nil` if there is none.
  ///
  /// - Precondition: The relationship is a to-one.
  package func destination(of relationship: Int) -> StoredReference? {
    guard case .toOne(let key, let number, let destination) = links[relationship] else {
      fatalError("\(entity.relationships[relationship].name) is not a to-one.")
    }
    guard !statement.isNull(at: key) else { return nil }
    return reference(
      key: statement.integer(at: key), number: statement.integer(at: number), or: destination)
  }

  /// Calls a body with each member of the to-many at an index, in the relationship's order; an
  /// unordered one is sorted by entity number and primary key.
  ///
  /// Takes one index look-up; memory does not grow with the number of members.
  ///
  /// - Throws: `PersistentStoreError`, and whatever the body throws.
  /// - Precondition: The relationship is a to-many.
  package func forEachMember(
    of relationship: Int, _ body: (StoredReference) throws -> Void
  ) throws {
    guard case .toMany(let members, let destination) = links[relationship] else {
      fatalError("\(entity.relationships[relationship].name) is not a to-many.")
    }
    defer { members.reset() }
    members.bind(statement.integer(at: 0), at: 1)
    while try entity.store.mappingErrors({ try members.step() }) {
      try body(
        reference(
          key: members.integer(at: 0), number: members.integer(at: 1), or: destination))
    }
  }

  private func reference(key: Int64, number: Int64, or destination: String) -> StoredReference {
    StoredReference(
      entityName: entity.store.namesByNumber[Int(number)] ?? destination, primaryKey: key)
  }

  /// The SQL that selects the members of an owner.
  private static func members(
    of toMany: EntityBinding.ToMany, in store: StoredEntity.Store
  ) -> String {
    let schema = store.schema
    let table = schema.tableNames[toMany.destination].quoted
    switch toMany.storage {
    case .foreignKey(let slot):
      let columns = schema.columnNames[toMany.destination]
      let inverse = store.bindings[toMany.destination].toOnesBySlot[slot]
      let orderKey = toMany.description.isOrdered ? inverse?.orderKeySlot : nil
      let order = orderKey.map { columns[$0].quoted } ?? "Z_ENT"
      return """
        SELECT Z_PK, Z_ENT FROM \(table)
        WHERE \(columns[slot].quoted) = ? ORDER BY \(order), Z_PK
        """
    case .memory: fatalError("\(toMany.description.name) is not stored.")
    case .join(let end):
      let join = schema.joins[end.join]
      let (owner, member, order) =
        end.isFirst
        ? (join.firstKey, join.secondKey, join.secondOrder)
        : (join.secondKey, join.firstKey, join.firstOrder)
      return """
        SELECT d.Z_PK, d.Z_ENT FROM \(join.table.quoted) AS j
        JOIN \(table) AS d ON d.Z_PK = j.\(member.quoted)
        WHERE j.\(owner.quoted) = ? ORDER BY \(order.map { "j.\($0.quoted)" } ?? "d.Z_ENT"), d.Z_PK
        """
    }
  }
}

@available(*, unavailable) extension StoredRows: Sendable {}

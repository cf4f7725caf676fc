import DataModel

extension SQLSchema {
  /// An index of a table.
  struct Index {
    let name: String
    let table: String
    /// Its columns as SQL, in order.
    let parts: [String]
    var isUnique = false
    /// Whether a server may exclude rows without a value (a partial index).
    var skipsNulls = false

    /// The statement that creates it.
    var statement: String {
      """
      CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.quoted) ON \(table.quoted) \
      (\(parts.joined(separator: ", ")))
      """
    }
  }

  /// The entities' indexes, used only for new stores and migrations.
  var indexes: [Index] {
    var list = SQLIndexList()
    for binding in bindings {
      let table = tableNames[binding.index - offset]
      let columns = columnNames[binding.index - offset]
      addRelationshipIndexes(of: binding, on: table, columns, to: &list)
      addFetchIndexes(of: binding, on: table, columns, to: &list)
      for constraint in binding.description.uniquenessConstraints {
        let found = constraint.compactMap { Self.column($0, of: binding, columns) }
        guard found.count == constraint.count else { continue }
        list.add(
          Self.uniqueIndex(of: binding, on: constraint), on: table,
          found.map { dialect.part($0) }, isUnique: true)
      }
    }
    return list.indexes
  }

  /// The name of the unique index for a uniqueness constraint.
  static func uniqueIndex(of binding: EntityBinding, on properties: [String]) -> String {
    "Z_\(binding.name)_UNIQUE_\(properties.joined(separator: "_"))"
  }

  private func addRelationshipIndexes(
    of binding: EntityBinding, on table: String, _ columns: [String], to list: inout SQLIndexList
  ) {
    if binding.root == binding.index, binding.family.count > 1 {
      list.add("\(table)_Z_ENT_INDEX", on: table, ["Z_ENT"])
    }
    let own = inheritedSlots(binding)..<binding.storedSlotCount
    for toOne in binding.toOnes where own.contains(toOne.slot) {
      let column = columns[toOne.slot]
      list.add("\(table)_\(column)_INDEX", on: table, [column.quoted], skipsNulls: true)
      // Not in Core Data: without it, appending to a list and reading it would scan the table.
      if let slot = toOne.orderKeySlot {
        list.add(
          "\(table)_\(column)_\(columns[slot])_INDEX", on: table,
          [column.quoted, columns[slot].quoted])
      }
    }
  }

  /// The fetch indexes that the model defines.
  ///
  /// Indexes over expressions and R-tree indexes are left out: an index affects no result.
  private func addFetchIndexes(
    of binding: EntityBinding, on table: String, _ columns: [String], to list: inout SQLIndexList
  ) {
    for index in binding.description.indexes {
      let parts = index.elements.compactMap { element -> String? in
        guard element.collationType == .binary else { return nil }
        return Self.column(element.propertyName, of: binding, columns).map {
          dialect.part($0, isAscending: element.isAscending)
        }
      }
      guard parts.count == index.elements.count else { continue }
      list.add("Z_\(binding.name)_\(index.name)", on: table, parts)
    }
    // Models made before Xcode 9 mark attributes as indexed; newer frameworks treat these as fetch
    // indexes named after the properties.
    let own = inheritedSlots(binding)..<binding.storedSlotCount
    let indexed = own.compactMap { slot -> [String]? in
      guard case .attribute(let attribute) = binding.slots[slot], attribute.isIndexed else {
        return nil
      }
      return [attribute.name]
    }
    for names in binding.description.compoundIndexes + indexed {
      let found = names.compactMap { Self.column($0, of: binding, columns) }
      guard found.count == names.count else { continue }
      list.add(
        "Z_\(binding.name)_\(names.joined(separator: "_"))", on: table,
        found.map { dialect.part($0) })
    }
  }

  /// The quoted column of a stored property.
  private static func column(
    _ name: String, of binding: EntityBinding, _ columns: [String]
  ) -> String? {
    guard let slot = binding.slotsByName[name], slot < columns.count else { return nil }
    return columns[slot].quoted
  }
}

/// The indexes to create, each name once: two entities of one table may define the same one.
private struct SQLIndexList {
  private(set) var indexes: [SQLSchema.Index] = []
  private var names: Set<String> = []

  mutating func add(
    _ name: String, on table: String, _ parts: [String], isUnique: Bool = false,
    skipsNulls: Bool = false
  ) {
    guard !parts.isEmpty, names.insert(name).inserted else { return }
    indexes.append(
      SQLSchema.Index(
        name: name, table: table, parts: parts, isUnique: isUnique, skipsNulls: skipsNulls))
  }
}

import DataModel

extension SQLSchema {
  /// An index of a table.
  struct Index {
    let name: String
    let table: String
    /// Its columns as SQL, the most significant first.
    let parts: [String]
    var isUnique = false
    /// Whether a server may leave rows without a value out of it (a partial index).
    var skipsNulls = false

    /// What makes it.
    var statement: String {
      """
      CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.quoted) ON \(table.quoted) \
      (\(parts.joined(separator: ", ")))
      """
    }
  }

  /// The entities' indexes, for new stores and migrations only.
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

  /// The name of the index that keeps values from standing twice.
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
      // Beyond Core Data's: appending to a list and reading it must not cost what the table is
      // long.
      if let slot = toOne.orderKeySlot {
        list.add(
          "\(table)_\(column)_\(columns[slot])_INDEX", on: table,
          [column.quoted, columns[slot].quoted])
      }
    }
  }

  /// The indexes that the developer asked for.
  ///
  /// Those over expressions and places on a map are left out: an index changes no answer.
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
    // As models before Xcode 9 say it; frameworks since then take them for fetch indexes, named by
    // the properties.
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

  /// The column of a stored property, ready to stand in SQL.
  private static func column(
    _ name: String, of binding: EntityBinding, _ columns: [String]
  ) -> String? {
    guard let slot = binding.slotsByName[name], slot < columns.count else { return nil }
    return columns[slot].quoted
  }
}

/// Indexes to be made, each name once: two entities of one table may ask for the same.
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

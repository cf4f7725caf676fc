/// The names of join tables and their columns.
extension SQLSchema {
  /// Joins with the names that a store uses.
  ///
  /// - Parameter contents: the store's schema; nil for a new store.
  func named(_ bindings: [JoinBinding], in contents: StoreContents?) throws -> [Join] {
    if bindings.isEmpty { return [] }
    let columns = memberColumns(bindings)
    var joins: [Join] = []
    for (index, binding) in bindings.enumerated() {
      let first = number(binding.first.entity)
      var table = "Z_\(first)\(binding.first.name.uppercased())"
      var isTurned = false
      if let second = binding.second, !binding.isItsOwnInverse,
        second.entity == binding.first.entity
      {
        // Two relationships of one entity: the table is named after the later one or, if a
        // migration created it, after the other.
        isTurned = true
        let later = "Z_\(first)\(second.name.uppercased())"
        if contents?.tables.contains(later) ?? true { table = later }
      }
      // Two relationships of one entity may differ only in case.
      table = Self.unused(table) { name in joins.contains { $0.table == name } }
      var (firstKey, secondKey) = (columns[index].first.name, columns[index].second.name)
      // The numbering of equal names differs between stores.
      if let contents, columns[index].first.isShared || columns[index].second.isShared {
        let found = try contents.columns(of: table).map(\.name)
        (firstKey, secondKey) = (
          columns[index].first.name(among: found, but: secondKey),
          columns[index].second.name(among: found, but: firstKey)
        )
      }
      joins.append(
        Join(
          table: table, firstKey: firstKey, secondKey: secondKey,
          firstOrder: binding.second?.isOrdered == true && !binding.isItsOwnInverse
            ? "Z_FOK_\(firstKey.dropFirst(2))" : nil,
          secondOrder: binding.first.isOrdered ? "Z_FOK_\(secondKey.dropFirst(2))" : nil,
          keys: isTurned ? [secondKey, firstKey] : [firstKey, secondKey]))
    }
    return joins
  }

  /// A column with the keys of a join's objects.
  private struct MemberColumn {
    /// The name without a number.
    var stem: String
    var name: String
    /// Whether other columns have the same stem.
    var isShared = false

    init(_ name: String) { (stem, self.name) = (name, name) }

    /// Its name in a table: the expected one, or else the only column with its stem and a number.
    ///
    /// - Parameter other: the table's other key column, which is excluded.
    func name(among columns: [String], but other: String) -> String {
      guard isShared, !columns.contains(name) else { return name }
      let candidates = columns.filter { column in
        column != other && column.hasPrefix(stem)
          && column.utf8.dropFirst(stem.utf8.count).allSatisfy { (0x30...0x39).contains($0) }
      }
      return candidates.count == 1 ? candidates[0] : name
    }
  }

  /// The columns that hold the keys of each join's objects, by join.
  ///
  /// A column is named after the destination entity and the relationship whose members it holds;
  /// equal names are numbered per destination entity, in the order of the inverses' names.
  private func memberColumns(
    _ joins: [JoinBinding]
  ) -> [(first: MemberColumn, second: MemberColumn)] {
    struct Member {
      let join: Int
      let isSecond: Bool
      let name: String
      let pointedAt: Int
      let inverse: String
    }
    var members: [Member] = []
    for (index, join) in joins.enumerated() {
      guard let second = join.second else { continue }
      members.append(
        Member(
          join: index, isSecond: true, name: join.first.name, pointedAt: number(second.entity),
          inverse: second.name))
      guard !join.isItsOwnInverse else { continue }
      members.append(
        Member(
          join: index, isSecond: false, name: second.name, pointedAt: number(join.first.entity),
          inverse: join.first.name))
    }
    // No Apple store with these is known, so the names are this library's: a relationship without
    // an inverse, and one that is its own inverse.
    var columns = joins.map { join in
      join.second == nil
        ? (
          first: MemberColumn("Z_\(number(join.first.entity))OWNER"),
          second: MemberColumn("Z_\(number(join.secondEntity))\(join.first.name.uppercased())")
        ) : (first: MemberColumn("REFLEXIVE"), second: MemberColumn(""))
    }
    // A name begins with the number of the destination entity, so those of different entities never
    // clash.
    var used: (pointedAt: Int, names: [String]) = (0, [])
    var shared: [String] = []
    for member in members.sorted(by: { ($0.pointedAt, $0.inverse) < ($1.pointedAt, $1.inverse) }) {
      var column = MemberColumn("Z_\(member.pointedAt)\(member.name.uppercased())")
      if used.pointedAt != member.pointedAt { used = (member.pointedAt, []) }
      column.name = Self.unused(column.stem, isUsed: used.names.contains)
      used.names.append(column.name)
      if column.name != column.stem { shared.append(column.stem) }
      if member.isSecond {
        columns[member.join].second = column
      } else {
        columns[member.join].first = column
      }
    }
    for index in columns.indices where !shared.isEmpty {
      columns[index].first.isShared = shared.contains(columns[index].first.stem)
      columns[index].second.isShared = shared.contains(columns[index].second.stem)
    }
    return columns
  }
}

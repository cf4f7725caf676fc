import DataModel

/// The migration of the links in one table of the destination.
struct JoinMigration {
  /// Links of the source, with the first objects of the destination's join as first objects.
  struct Links: Hashable {
    let table: String
    /// The columns with the keys.
    var first: String
    var second: String
    /// The columns with the order of the first objects in a second one's list, and vice versa.
    var firstOrder: String?
    var secondOrder: String?
    /// The source's join; nil if the links are stored in a to-one's column.
    let join: Int?
    /// The entities of the source that the objects may be of.
    var firstFamily: [Int]
    var secondFamily: [Int]

    fileprivate mutating func turn() {
      swap(&first, &second)
      swap(&firstOrder, &secondOrder)
      swap(&firstFamily, &secondFamily)
    }
  }

  let join: SQLSchema.Join
  let binding: JoinBinding
  /// The sources of the links: none, one, or several that have been merged.
  let links: [Links]
  /// Whether the rows stay in their table.
  private(set) var isInPlace = false

  /// Whether some order keys have to be created.
  var makesOrder: (first: Bool, second: Bool) {
    (
      join.firstOrder != nil && links.contains { $0.firstOrder == nil },
      join.secondOrder != nil && links.contains { $0.secondOrder == nil }
    )
  }

  init(
    _ index: Int, _ mapping: BoundMapping, contents: StoreContents
  ) throws {
    join = mapping.destination.joins[index]
    binding = mapping.destinationJoins[index]
    var links: [Links] = []
    for found in Self.links(of: binding.first, mapping) where !links.contains(found) {
      links.append(found)
    }
    if let second = binding.second, !binding.isItsOwnInverse {
      for var found in Self.links(of: second, mapping) {
        found.turn()
        if !links.contains(found) { links.append(found) }
      }
    }
    self.links = links
    isInPlace = try fits(contents)
  }

  /// The former links of one end's relationship.
  private static func links(of end: JoinBinding.End, _ mapping: BoundMapping) -> [Links] {
    mapping.destination.bindings[end.entity].family.compactMap { index in
      guard let old = mapping.origins[index],
        let name = mapping.relationshipOrigin(
          end.name, in: mapping.destination.bindings[index])
      else { return nil }
      if let number = old.toManysByName[name] { return links(of: old.toManys[number], mapping) }
      guard let slot = old.slotsByName[name], slot < old.storedSlotCount,
        let toOne = old.toOnesBySlot[slot]
      else { return nil }
      let declarer = mapping.sourceModel.declarer(of: name, for: old.name)
      let owner = mapping.source.bindings.first { $0.name == declarer } ?? old
      return Links(
        table: mapping.source.tableNames[old.index], first: "Z_PK",
        second: mapping.sourceColumn(slot, of: old),
        firstOrder: toOne.orderKeySlot.map { mapping.sourceColumn($0, of: old) }, secondOrder: nil,
        join: nil, firstFamily: owner.family,
        secondFamily: mapping.source.bindings[toOne.destination].family)
    }
  }

  private static func links(
    of toMany: EntityBinding.ToMany, _ mapping: BoundMapping
  ) -> Links? {
    let member = mapping.source.bindings[toMany.destination]
    switch toMany.storage {
    case .memory: return nil
    case .foreignKey(let slot):
      // The slot belongs to a to-one, otherwise the storage would be another.
      let toOne = member.toOnesBySlot[slot]!
      return Links(
        table: mapping.source.tableNames[member.index],
        first: mapping.sourceColumn(slot, of: member), second: "Z_PK", firstOrder: nil,
        secondOrder: toOne.orderKeySlot.map { mapping.sourceColumn($0, of: member) }, join: nil,
        firstFamily: mapping.source.bindings[toOne.destination].family, secondFamily: member.family)
    case .join(let end):
      let (join, binding) = (mapping.source.joins[end.join], mapping.sourceJoins[end.join])
      var links = Links(
        table: join.table, first: join.firstKey, second: join.secondKey,
        firstOrder: join.firstOrder, secondOrder: join.secondOrder, join: end.join,
        firstFamily: mapping.source.bindings[binding.first.entity].family,
        secondFamily: mapping.source.bindings[binding.secondEntity].family)
      if !end.isFirst { links.turn() }
      return links
    }
  }

  /// Whether the table can stay: its rows are the links, and no column is dropped or moved.
  private func fits(_ contents: StoreContents) throws -> Bool {
    guard links.count == 1, links[0].join != nil,
      links[0].firstOrder == nil || join.firstOrder != nil,
      links[0].secondOrder == nil || join.secondOrder != nil
    else { return false }
    let keys =
      join.keys[0] == join.firstKey
      ? [links[0].first, links[0].second]
      : [links[0].second, links[0].first]
    let orders = [links[0].firstOrder, links[0].secondOrder].compactMap(\.self)
    let found = try contents.columns(of: links[0].table).map(\.name)
    return Array(found.prefix(2)) == keys && found.count == keys.count + orders.count
  }

  /// The columns that are kept under another name.
  var renamedColumns: [(old: String, new: String)] {
    let pairs =
      [
        (links[0].first, join.firstKey), (links[0].second, join.secondKey),
        (links[0].firstOrder, join.firstOrder), (links[0].secondOrder, join.secondOrder),
      ] as [(String?, String?)]
    return pairs.compactMap { old, new in
      guard let old, let new, old != new else { return nil }
      return (old, new)
    }
  }

  /// The order key columns that are new.
  var addedColumns: [String] {
    [
      links[0].firstOrder == nil ? join.firstOrder : nil,
      links[0].secondOrder == nil ? join.secondOrder : nil,
    ].compactMap(\.self)
  }
}

import DataFormats
import DataModel
import SystemLibraries

/// The rows of a document under construction: a reader adds object by object, and they are
/// assembled once all are known.
///
/// A document may contain both a to-one and the inverse list. One of them is enough; if they
/// contradict each other, the document is refused.
struct DocumentRows {
  /// An object, identified by its index among all objects.
  struct Object {
    let key: Int64
    let entity: EntityBinding
    let line: Int
    let row: PackedRow
  }

  /// The members of one object's to-many.
  private struct List {
    let owner: Int
    let toMany: EntityBinding.ToMany
    let members: ArraySlice<Int64>
  }

  /// The entity that a reference gives for its destination, still to be checked.
  private struct Claim {
    /// The index of the object that contains the reference.
    let owner: Int
    let property: String
    let key: Int64
    let entity: EntityBinding
  }

  /// The name of an object in error messages.
  private let nameOf: (_ key: Int64, _ entity: EntityBinding) -> String
  let bindings: [EntityBinding]
  let joins: [JoinBinding]
  /// The index of the first binding among those of the coordinator.
  let offset: Int
  /// Whether properties and entities unknown to the model are kept rather than refused.
  let keepsUnknown: Bool
  /// The contents last read from the same document.
  let previous: InMemoryStore.Contents?
  var objects: [Object] { memory.objects }
  /// The objects' indexes by their keys.
  private(set) var indices: [Int64: Int] = [:]
  private var lists: [List] = []
  private var claims: [Claim] = []
  /// Finds the position of an object or of one of its properties, by the object's name; for errors
  /// only.
  var locate: ((_ name: String, _ property: String?) -> (line: Int, column: Int)?)?
  /// The highest key ever assigned, according to the document.
  var highestKey: Int64 = 0
  private let memory = Memory()

  /// The objects; frees their rows if the document is discarded.
  private final class Memory {
    var objects: [Object] = []
    deinit { for object in objects { object.row.free(slotCount: object.entity.slotCount) } }
  }

  /// - Parameter name: the name of an object in error messages.
  init(
    name: @escaping (_ key: Int64, _ entity: EntityBinding) -> String, bindings: [EntityBinding],
    joins: [JoinBinding], offset: Int,
    keepsUnknown: Bool,
    previous: InMemoryStore.Contents?
  ) {
    nameOf = name
    self.bindings = bindings
    self.joins = joins
    self.offset = offset
    self.keepsUnknown = keepsUnknown
    self.previous = previous
  }

  // MARK: Adding rows

  /// Adds an object.
  ///
  /// - Parameter row: its values, with to-ones as keys; an order key determines its position
  ///   among objects that are in no list. This method takes ownership of the row.
  /// - Throws: `DataError` if its key is invalid or already used.
  mutating func add(
    _ key: Int64, _ entity: EntityBinding, _ row: PackedRow, line: Int
  ) throws(DataError) {
    memory.objects.append(Object(key: key, entity: entity, line: line, row: row))
    guard key > 0 else {
      throw DataError(line: line, "\(nameOf(key, entity)) is not the id of an object")
    }
    guard indices.updateValue(objects.count - 1, forKey: key) == nil else {
      throw DataError(line: line, "another object has the id \(nameOf(key, entity))")
    }
    highestKey = max(highestKey, key)
  }

  /// Adds the members of a to-many of the last added object, in order.
  mutating func add(_ members: ArraySlice<Int64>, of toMany: EntityBinding.ToMany) {
    lists.append(List(owner: objects.count - 1, toMany: toMany, members: members))
  }

  /// Records that a reference of the next object to be added gives an entity for its destination.
  mutating func claim(_ key: Int64, is entity: EntityBinding, by property: String) {
    claims.append(Claim(owner: objects.count, property: property, key: key, entity: entity))
  }

  /// The name of the object with a key in error messages; nil if no such object was added.
  func name(of key: Int64) -> String? {
    indices[key].map { nameOf(key, objects[$0].entity) }
  }

  // MARK: Errors

  private func name(_ object: Object) -> String { nameOf(object.key, object.entity) }

  /// The error about a property of an object.
  private func error(_ owner: Object, _ property: String, _ reason: String) -> DataError {
    let position = locate?(name(owner), property)
    return DataError(line: position?.line ?? owner.line, column: position?.column, reason)
  }

  // MARK: Finishing

  /// The assembled contents of the store.
  ///
  /// - Throws: `DataError` if a reference has no destination, or two contradict each other.
  mutating func finish(
    metadata: [String: PropertyList]
  ) throws(DataError) -> InMemoryStore.Contents {
    for claim in claims { try check(claim) }
    claims = []
    for object in objects { try checkToOnes(object) }
    var links: [Int: [SaveRequest.Link: InMemoryStore.LinkOrder]] = [:]
    var ordered: [OrderedList] = []
    for list in lists { try take(list, &links, &ordered) }
    try pairToOnes()
    setOrderKeys(of: ordered)
    var contents = InMemoryStore.Contents()
    contents.keysAreOfAllEntities = true
    contents.links = links
    contents.metadata = metadata
    contents.setHighestKey(max(highestKey, previous?.highestKey(of: 0) ?? 0), of: 0)
    contents.rows = rows()
    return contents
  }

  private func destination(_ index: Int) -> EntityBinding { bindings[index - offset] }

  private func check(_ claim: Claim) throws(DataError) {
    guard let index = indices[claim.key], objects[index].entity === claim.entity else {
      let owner = objects[claim.owner]
      throw error(
        owner, claim.property,
        "the relationship '\(claim.property)' of \(name(owner)) refers to "
          + "\(nameOf(claim.key, claim.entity)), which does not exist")
    }
  }

  /// The destination of a relationship.
  private func object(
    _ key: Int64, of name: String, from owner: Object, as destination: Int
  ) throws(DataError) -> Object {
    guard let index = indices[key] else {
      throw error(
        owner, name,
        "the relationship '\(name)' of \(self.name(owner)) refers to "
          + "\(nameOf(key, self.destination(destination))), which does not exist")
    }
    guard self.destination(destination).family.contains(objects[index].entity.index) else {
      throw error(
        owner, name,
        "the relationship '\(name)' of \(self.name(owner)) refers to "
          + "\(self.name(objects[index])), which is not of the entity \(self.destination(destination).name)"
      )
    }
    return objects[index]
  }

  private func checkToOnes(_ owner: Object) throws(DataError) {
    for toOne in owner.entity.toOnes
    where toOne.slot < owner.entity.storedSlotCount && owner.row.hasValue(toOne.slot) {
      let other = try object(
        owner.row.integer(toOne.slot), of: toOne.description.name, from: owner,
        as: toOne.destination)
      owner.set(toOne, to: other.key, other.entity)
    }
  }

  private func take(
    _ list: List, _ links: inout [Int: [SaveRequest.Link: InMemoryStore.LinkOrder]],
    _ ordered: inout [OrderedList]
  ) throws(DataError) {
    let owner = objects[list.owner]
    let name = list.toMany.description.name
    var found: [Int64] = []
    var seen: Set<Int64> = []
    for key in list.members {
      let member = try object(key, of: name, from: owner, as: list.toMany.destination)
      guard seen.insert(key).inserted else {
        throw error(
          owner, name,
          "the relationship '\(name)' of \(self.name(owner)) has \(self.name(member)) twice")
      }
      found.append(key)
      guard case .foreignKey(let slot) = list.toMany.storage,
        let toOne = member.entity.toOnesBySlot[slot]
      else { continue }
      if member.row.hasValue(slot), member.row.integer(slot) != owner.key {
        throw error(
          owner, name,
          "\(self.name(owner)) has \(self.name(member)) in '\(name)', but its "
            + "'\(toOne.description.name)' is "
            + nameOf(member.row.integer(slot), destination(toOne.destination)))
      }
      member.set(toOne, to: owner.key, owner.entity)
    }
    switch list.toMany.storage {
    case .foreignKey(let slot):
      let entity = destination(list.toMany.destination)
      if let toOne = entity.toOnesBySlot[slot], toOne.orderKeySlot != nil {
        ordered.append(OrderedList(owner: owner.key, toOne: toOne, members: found))
      }
    case .join(let end):
      link(owner.key, found, end, &links)
    case .memory: break
    }
  }

  private func link(
    _ owner: Int64, _ members: [Int64], _ end: EntityBinding.JoinEnd,
    _ links: inout [Int: [SaveRequest.Link: InMemoryStore.LinkOrder]]
  ) {
    func link(_ member: Int64) -> SaveRequest.Link {
      SaveRequest.Link(
        join: end.join, first: end.isFirst ? owner : member, second: end.isFirst ? member : owner)
    }
    let old = members.map { previous?.links[end.join]?[link($0)] }
    let orders =
      end.isOrdered ? Self.orderKeys(old.map { end.isFirst ? $0?.second : $0?.first }) : []
    for (index, member) in members.enumerated() {
      var order = links[end.join]?[link(member)] ?? InMemoryStore.LinkOrder()
      if end.isOrdered {
        if end.isFirst { order.second = orders[index] } else { order.first = orders[index] }
      }
      links[end.join, default: [:]][link(member)] = order
    }
  }

  /// Sets the missing side of to-ones that are each other's inverses.
  private func pairToOnes() throws(DataError) {
    for owner in objects {
      for toOne in owner.entity.toOnes
      where toOne.slot < owner.entity.storedSlotCount && owner.row.hasValue(toOne.slot) {
        guard case .toOne(let slot) = toOne.inverse,
          let index = indices[owner.row.integer(toOne.slot)],
          let back = objects[index].entity.toOnesBySlot[slot]
        else { continue }
        let other = objects[index]
        if other.row.hasValue(slot), other.row.integer(slot) != owner.key {
          throw error(
            owner, toOne.description.name,
            "\(name(owner)) refers to \(name(other)) by '\(toOne.description.name)', but its "
              + "'\(back.description.name)' is "
              + nameOf(other.row.integer(slot), destination(back.destination)))
        }
        other.set(back, to: owner.key, owner.entity)
      }
    }
  }

  // MARK: Rows

  /// All rows; unchanged ones are reused from the previous contents.
  private mutating func rows() -> [Int: [Int64: InMemoryStore.StoredRow]] {
    var rows: [Int: [Int64: InMemoryStore.StoredRow]] = [:]
    var highest: UInt32 = 0
    for row in previous?.rows.values.lazy.flatMap(\.values) ?? [] {
      highest = max(highest, row.row.version)
    }
    var counts: [Int: Int] = [:]
    for object in objects { counts[object.entity.root, default: 0] += 1 }
    for (root, count) in counts { rows[root] = Dictionary(minimumCapacity: count) }
    let objects = memory.objects
    memory.objects = []
    for object in objects {
      let root = object.entity.root
      let stored = InMemoryStore.StoredRow(taking: object.row, entity: object.entity)
      if let old = previous?.rows[root]?[object.key], old.isEqual(to: stored) {
        rows[root]?[object.key] = old
      } else {
        stored.row.version = highest &+ 1
        rows[root]?[object.key] = stored
      }
    }
    return rows
  }
}

@available(*, unavailable) extension DocumentRows: Sendable {}

extension DocumentRows.Object {
  /// Sets the destination of a to-one.
  fileprivate func set(_ toOne: EntityBinding.ToOne, to key: Int64, _ entity: EntityBinding) {
    row.setBits(UInt64(bitPattern: key), toOne.slot)
    if let slot = toOne.entitySlot { row.setBits(UInt64(entity.number), slot) }
  }
}

extension InMemoryStore.StoredRow {
  /// Whether a row of the same entity has the same values.
  fileprivate func isEqual(to other: InMemoryStore.StoredRow) -> Bool {
    entity === other.entity
      && (0..<entity.storedSlotCount).allSatisfy {
        row.isEqual($0, to: other.row, isTail: entity.kinds[$0].isTail)
      }
  }
}

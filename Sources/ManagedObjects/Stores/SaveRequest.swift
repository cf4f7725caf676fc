/// All changes of one save, as rows.
///
/// The rows belong to the objects: a store reads them, and tells in its result what they get.
struct SaveRequest {
  /// A row to insert.
  struct Insert {
    let entity: EntityBinding
    /// A negative number to be replaced, or the key of a row that was deleted and comes back.
    let temporaryKey: Int64
    let row: PackedRow
    /// Whose value leads to a row to take over, if there is one; nil to insert in any case.
    let lookUp: LookUp?
  }

  /// A slot by whose value a row was looked up, and not found.
  struct LookUp {
    let slot: Int
    /// The state that the store was in; nil where it does not count its states.
    let state: UInt32?
  }

  /// A row to update: what differs from the snapshot.
  struct Update {
    let entity: EntityBinding
    let key: Int64
    let row: PackedRow
    let snapshot: PackedRow

    /// Puts the slots that a save writes into an array, order keys that it gives among them.
    ///
    /// - Parameters:
    ///   - slots: the array to fill; its contents are replaced, and its capacity is kept.
    ///   - orderKey: the order key that the row gets in a slot, or nil.
    func findChangedSlots(_ slots: inout [Int], orderKey: (_ slot: Int) -> Int64?) {
      slots.removeAll(keepingCapacity: true)
      let kinds = entity.kinds
      for slot in entity.writtenSlots {
        let kind = kinds[slot]
        let isChanged =
          if kind == .orderKey, let key = orderKey(slot) {
            !snapshot.hasValue(slot) || snapshot.integer(slot) != key
          } else {
            !row.isEqual(slot, to: snapshot, isTail: kind.isTail)
          }
        if isChanged { slots.append(slot) }
      }
    }
  }

  /// A row that the save writes, by its index in the request.
  enum WrittenRow {
    case insert(Int)
    case update(Int)
  }

  /// A row to delete.
  struct Delete {
    let entity: EntityBinding
    let key: Int64
    /// The optimistic-lock count that was read; nil where the row was never read.
    let version: UInt32?
  }

  /// A link between two rows by a join.
  struct Link: Hashable {
    let join: Int
    /// The key of the join's first object; negative for one inserted in this save.
    let first: Int64
    /// The key of its second object, likewise.
    let second: Int64
  }

  /// An ordered to-many whose list has changed.
  struct OrderedList {
    /// Where the order keys are.
    enum Storage {
      /// In the members, beside the to-one that leads to the owner.
      case foreignKey(EntityBinding.ToOne, EntityBinding)
      /// In the links.
      case join(EntityBinding.JoinEnd)
    }

    let storage: Storage
    /// The owner's key; negative for one inserted in this save.
    let owner: Int64
    /// All members in their order, or only those to go to the end.
    let members: ContiguousArray<Member>
    let isWhole: Bool
  }

  /// A member of an ordered list.
  struct Member {
    /// Its key; negative for one inserted in this save.
    let key: Int64
    /// Its row where this save writes it anyway; nil for one that only moves.
    let written: WrittenRow?
  }

  /// A row that has to be there, though the save does not write it.
  struct Check {
    let entity: EntityBinding
    let key: Int64
    /// The optimistic-lock count that it must have; nil for any.
    let version: UInt32?
  }

  /// Who saves, for a persistent history.
  var origin = TransactionOrigin()
  var checks: ContiguousArray<Check> = []
  var inserts: ContiguousArray<Insert> = []
  var updates: ContiguousArray<Update> = []
  var deletes: ContiguousArray<Delete> = []
  var addedLinks: Set<Link> = []
  var removedLinks: Set<Link> = []
  /// Links along which a deletion has cascaded: where one of them is gone, its member stays.
  var followedLinks: Set<Link> = []
  var lists: ContiguousArray<OrderedList> = []
  /// Whether what rows and links lead to has to be there when the save ends.
  ///
  /// Not where a store is filled in several parts, of which the last makes it whole.
  var checksDestinations = true

  /// Whether a row gets another value in this save than the one it has in a slot.
  func givesAway(_ slot: Int, of entity: EntityBinding, _ key: Int64) -> Bool {
    updates.contains { update in
      update.key == key && update.entity.root == entity.root
        && !update.row.isEqual(slot, to: update.snapshot, isTail: entity.kinds[slot].isTail)
    }
  }

  /// The rows that new to-ones and links lead to, by the index of an entity of their family; each
  /// once, in the order of their keys.
  ///
  /// Not those that this save inserts itself, nor those it deletes: the model lets it lead there.
  /// Nor those that it checks.
  ///
  /// - Parameter takenOver: the indexes of inserts that are not written.
  func destinations(
    in bindings: [EntityBinding], _ joins: [JoinBinding], but takenOver: [Int]
  ) -> [(entity: Int, keys: [Int64])] {
    var destinations = Destinations(bindings)
    let skipped = Set(takenOver)
    for (index, insert) in inserts.enumerated() where skipped.isEmpty || !skipped.contains(index) {
      destinations.add(insert.entity, insert.row, insteadOf: nil)
    }
    for update in updates {
      destinations.add(update.entity, update.row, insteadOf: update.snapshot)
    }
    for link in addedLinks {
      destinations.add(link.first, of: joins[link.join].first.entity)
      destinations.add(link.second, of: joins[link.join].secondEntity)
    }
    for delete in deletes { destinations.remove(delete.key, of: delete.entity) }
    for check in checks { destinations.remove(check.key, of: check.entity) }
    return destinations.sorted()
  }

  /// The members that leave an owner's list by being given another owner, or none.
  func membersLeaving(
    _ owner: Int64, by toOne: EntityBinding.ToOne, of entity: EntityBinding
  ) -> Set<Int64> {
    var keys: Set<Int64> = []
    let slot = toOne.slot
    for update in updates
    where update.entity.root == entity.root && update.snapshot.hasValue(slot)
      && update.snapshot.integer(slot) == owner
      && !(update.row.hasValue(slot) && update.row.integer(slot) == owner)
    {
      keys.insert(update.key)
    }
    return keys
  }
}

/// What a save did that its request could not know.
struct SaveResult {
  /// The permanent keys of the inserts.
  var keys: PermanentKeys
  /// The optimistic-lock count of each update's row, in the request's order.
  var versions: ContiguousArray<UInt32> = []
  /// Which inserts took over a row that was there: their indexes in the request.
  var takenOver: [Int] = []
  /// The order keys of rows that the request wrote.
  var orderKeys: SavedOrderKeys
  /// Rows that the store changed although the request did not write them.
  var moves: [Move] = []

  init(of request: SaveRequest) {
    keys = PermanentKeys(for: request.inserts)
    orderKeys = SavedOrderKeys(for: request)
  }

  /// A row that got another order key, or only another lock count, since lists of its object have
  /// changed.
  struct Move {
    let entity: EntityBinding
    let key: Int64
    /// The slot of the order key; nil where the row has the one that it had.
    var slot: Int?
    var orderKey: Int64 = 0
    let version: UInt32
  }
}

/// Collects what rows lead to.
///
/// In arrays: of a few rows, which most saves have, a set costs more than all else that a save
/// does.
private struct Destinations {
  /// What was met of one family.
  private struct Family {
    let root: Int
    /// The index of the entity that was met first.
    let entity: Int
    var keys: [Int64] = []
    var removed: [Int64] = []
  }

  private let bindings: [EntityBinding]
  private let offset: Int
  private var families: [Family] = []
  /// What was added last: members of one owner mostly come one after the other.
  private var last: (key: Int64, entity: Int) = (0, -1)

  init(_ bindings: [EntityBinding]) {
    self.bindings = bindings
    offset = bindings[0].index
  }

  mutating func add(_ entity: EntityBinding, _ row: PackedRow, insteadOf old: PackedRow?) {
    for toOne in entity.toOnes
    where toOne.slot < entity.storedSlotCount && row.hasValue(toOne.slot) {
      if let old, row.isEqual(toOne.slot, to: old, isTail: false) { continue }
      add(row.integer(toOne.slot), of: toOne.destination)
    }
  }

  mutating func add(_ key: Int64, of entity: Int) {
    guard key > 0, last != (key, entity) else { return }
    last = (key, entity)
    let root = bindings[entity - offset].root
    if let index = families.firstIndex(where: { $0.root == root }) {
      families[index].keys.append(key)
    } else {
      families.append(Family(root: root, entity: entity, keys: [key]))
    }
  }

  mutating func remove(_ key: Int64, of entity: EntityBinding) {
    guard let index = families.firstIndex(where: { $0.root == entity.root }) else { return }
    families[index].removed.append(key)
  }

  /// What was added and not removed.
  func sorted() -> [(entity: Int, keys: [Int64])] {
    families.map { family in
      var removed = family.removed.sorted()[...]
      var keys: [Int64] = []
      for key in family.keys.sorted() where key != keys.last {
        while let first = removed.first, first < key { removed.removeFirst() }
        if removed.first != key { keys.append(key) }
      }
      return (family.entity, keys)
    }
  }
}

extension SaveRequest.Link {
  /// The conflict about a link that has to be there and is not: one of the objects at its ends.
  func conflict(in store: PersistentStore, _ joins: [JoinBinding]) -> ConflictError {
    let (first, second) = (joins[join].first.entity, joins[join].secondEntity)
    return ConflictError(objectIDs: [
      ManagedObjectID(binding: store.binding(at: first), key: self.first),
      ManagedObjectID(binding: store.binding(at: second), key: self.second),
    ])
  }
}

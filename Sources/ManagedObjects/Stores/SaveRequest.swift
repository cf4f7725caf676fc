/// All changes of one save, as rows.
///
/// The rows belong to the objects: a store only reads them, and returns what they get in its
/// result.
struct SaveRequest {
  /// A row to insert.
  struct Insert {
    let entity: EntityBinding
    /// A negative temporary key to be replaced, or the key of a deleted row that is restored.
    let temporaryKey: Int64
    let row: PackedRow
    /// The look-up by which an existing row is taken over, if there is one; nil to insert in any
    /// case.
    let lookUp: LookUp?
  }

  /// A slot by whose value a row was looked up and not found.
  struct LookUp {
    let slot: Int
    /// The state of the store at the look-up; nil if it does not number its states.
    let state: UInt32?
  }

  /// A row to update, with the snapshot that it differs from.
  struct Update {
    let entity: EntityBinding
    let key: Int64
    let row: PackedRow
    let snapshot: PackedRow

    /// Collects the slots that a save writes, including order keys that it assigns.
    ///
    /// - Parameters:
    ///   - slots: the array to fill; its contents are replaced, and its capacity is kept.
    ///   - orderKey: returns the new order key for a slot, or nil.
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
    /// The optimistic-lock count at the time of reading; nil if the row was never read.
    let version: UInt32?
  }

  /// A link between two rows in a join table.
  struct Link: Hashable {
    let join: Int
    /// The key of the join's first object; negative if this save inserts it.
    let first: Int64
    /// The key of its second object; negative if this save inserts it.
    let second: Int64
  }

  /// An ordered to-many whose list has changed.
  struct OrderedList {
    /// The storage of the order keys.
    enum Storage {
      /// In the members' rows, next to the to-one that refers to the owner.
      case foreignKey(EntityBinding.ToOne, EntityBinding)
      /// In the rows of the join table.
      case join(EntityBinding.JoinEnd)
    }

    let storage: Storage
    /// The owner's key; negative if this save inserts it.
    let owner: Int64
    /// All members in order, or only those to append.
    let members: ContiguousArray<Member>
    let isWhole: Bool
  }

  /// A member of an ordered list.
  struct Member {
    /// The key; negative if this save inserts the member.
    let key: Int64
    /// The row, if this save writes it anyway; nil if only its order key changes.
    let written: WrittenRow?
  }

  /// A row that must exist although the save does not write it.
  struct Check {
    let entity: EntityBinding
    let key: Int64
    /// The optimistic-lock count that it must have; nil for any.
    let version: UInt32?
  }

  /// The author and context of the save, for a persistent history.
  var origin = TransactionOrigin()
  var checks: ContiguousArray<Check> = []
  var inserts: ContiguousArray<Insert> = []
  var updates: ContiguousArray<Update> = []
  var deletes: ContiguousArray<Delete> = []
  var addedLinks: Set<Link> = []
  var removedLinks: Set<Link> = []
  /// Links along which a deletion has cascaded: if one of them no longer exists, its member is
  /// kept.
  var followedLinks: Set<Link> = []
  var lists: ContiguousArray<OrderedList> = []
  /// Whether the destinations of rows and links must exist when the save ends.
  ///
  /// False while a store is filled in several parts, which are consistent only after the last one.
  var checksDestinations = true

  /// The rows that new to-ones and links lead to, by the index of an entity of their hierarchy;
  /// each once, in the order of their keys.
  ///
  /// Excludes the rows that this save inserts, those that it deletes, since the model allows
  /// references to them, and those in `checks`.
  ///
  /// - Parameter adopted: the indexes of inserts that are not written because they took over a
  ///   row.
  func destinations(
    in bindings: [EntityBinding], _ joins: [JoinBinding], but adopted: [Int]
  ) -> [(entity: Int, keys: [Int64])] {
    var destinations = Destinations(bindings)
    let skipped = Set(adopted)
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
}

/// Collects the destinations of rows and links.
///
/// Uses arrays: for the few rows of a typical save, a set would cost more than the rest of the
/// save.
private struct Destinations {
  /// The destinations collected for one entity hierarchy.
  private struct Family {
    let root: Int
    /// The index of the entity that was encountered first.
    let entity: Int
    var keys: [Int64] = []
    var removed: [Int64] = []
  }

  private let bindings: [EntityBinding]
  private let offset: Int
  private var families: [Family] = []
  /// The last one added: rows with the same destination are mostly adjacent.
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

  /// The keys that were added and not removed.
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
  /// The conflict for a link that must exist and does not: it names both objects.
  func conflict(in store: PersistentStore, _ joins: [JoinBinding]) -> ConflictError {
    let (first, second) = (joins[join].first.entity, joins[join].secondEntity)
    return ConflictError(objectIDs: [
      ManagedObjectID(binding: store.binding(at: first), key: self.first),
      ManagedObjectID(binding: store.binding(at: second), key: self.second),
    ])
  }
}

import DataModel

/// Gathers what one transaction changes, for the persistent history: a change for each object.
///
/// An object to which members of a to-many come, or from which they go, counts as updated, as in
/// Core Data, though its row is not written.
final class HistoryRecorder {
  /// A row of the store.
  private struct RowKey: Hashable {
    let root: Int
    let key: Int64
  }

  /// What has become of a row.
  struct Entry {
    let key: Int64
    let root: Int
    /// The row's own entity; nil where only something that leads to the row was changed.
    var entity: EntityBinding?
    var type: PersistentHistoryChangeType
    /// The slots that an update has changed.
    var slots: Set<Int> = []
    /// The to-manys that have other members, by number.
    var toManys: Set<Int> = []
    /// The row that is gone, where a tombstone has something of it.
    var last: HeldRow?
  }

  /// What has become of each row, in the order in which they were met; nil of one that came and
  /// went.
  private(set) var entries: [Entry?] = []
  private var indices: [RowKey: Int] = [:]
  private let bindings: [EntityBinding]
  private let offset: Int
  private let joins: [JoinBinding]
  private let hasTombstone: (EntityBinding) -> Bool

  /// - Parameter hasTombstone: whether values of an entity's deleted objects are kept.
  init(
    _ bindings: [EntityBinding], offset: Int, joins: [JoinBinding],
    hasTombstone: @escaping (EntityBinding) -> Bool
  ) {
    self.bindings = bindings
    self.offset = offset
    self.joins = joins
    self.hasTombstone = hasTombstone
  }

  // MARK: Rows

  func inserted(_ entity: EntityBinding, _ key: Int64) {
    note(entity, key, .insert) {
      // One that was deleted before is back.
      $0.type = $0.type == .delete ? .update : .insert
      if $0.type == .update { $0.slots.formUnion(entity.writtenSlots) }
      $0.last = nil
    }
  }

  func updated(_ entity: EntityBinding, _ key: Int64, slots: [Int]) {
    note(entity, key, .update) {
      if $0.type == .update { $0.slots.formUnion(slots) }
    }
  }

  func deleted(_ entity: EntityBinding, _ key: Int64, _ row: PackedRow?) {
    let index = note(entity, key, .delete) { _ in }
    if entries[index]?.type == .insert {
      indices[RowKey(root: entity.root, key: key)] = nil
      entries[index] = nil
      return
    }
    entries[index]?.type = .delete
    if let row, hasTombstone(entity) {
      entries[index]?.last = HeldRow(row.copy(slotCount: entity.slotCount), of: entity)
    }
  }

  /// Notes a row's owners: the objects at the other ends of its to-ones, whose to-manys it comes to
  /// or leaves.
  ///
  /// - Parameters:
  ///   - slots: the slots that have changed; nil for all.
  ///   - permanent: gives the permanent key for one that may be temporary.
  func noteOwners(
    _ entity: EntityBinding, _ row: PackedRow, slots: [Int]? = nil,
    _ permanent: (Int64) -> Int64 = { $0 }
  ) {
    for toOne in entity.toOnes where toOne.slot < entity.storedSlotCount && row.hasValue(toOne.slot)
    {
      guard case .toMany(let number) = toOne.inverse else { continue }
      if let slots, !slots.contains(toOne.slot),
        toOne.orderKeySlot.map({ !slots.contains($0) }) ?? true
      {
        continue
      }
      noteList(number, of: toOne.destination, permanent(row.integer(toOne.slot)))
    }
  }

  // MARK: Links

  /// Notes both ends of a link that comes, goes or moves.
  func linked(_ join: Int, _ first: Int64, _ second: Int64) {
    let ends = joins[join]
    if let number = bindings[ends.first.entity - offset].toManysByName[ends.first.name] {
      noteList(number, of: ends.first.entity, first)
    }
    if let end = ends.second,
      let number = bindings[end.entity - offset].toManysByName[end.name]
    {
      noteList(number, of: end.entity, second)
    }
  }

  /// A superentity's to-manys are the first of its subentities', so the number is good for the
  /// row's own entity, which need not be known.
  private func noteList(_ number: Int, of entity: Int, _ key: Int64) {
    // A key that is still temporary leads to nothing.
    guard key > 0 else { return }
    let root = bindings[entity - offset].root
    // Thousands of members may have one owner.
    if let index = indices[RowKey(root: root, key: key)],
      entries[index]?.toManys.contains(number) == true
    {
      return
    }
    note(nil, root: root, key, .update) { $0.toManys.insert(number) }
  }

  // MARK: Underneath

  @discardableResult
  private func note(
    _ entity: EntityBinding, _ key: Int64, _ type: PersistentHistoryChangeType,
    _ change: (inout Entry) -> Void
  ) -> Int {
    note(entity, root: entity.root, key, type, change)
  }

  @discardableResult
  private func note(
    _ entity: EntityBinding?, root: Int, _ key: Int64, _ type: PersistentHistoryChangeType,
    _ change: (inout Entry) -> Void
  ) -> Int {
    let name = RowKey(root: root, key: key)
    let index: Int
    var entry: Entry
    if let known = indices[name], let noted = entries[known] {
      (index, entry) = (known, noted)
      entry.entity = entry.entity ?? entity
      change(&entry)
      entries[index] = entry
    } else {
      index = entries.count
      entry = Entry(key: key, root: root, entity: entity, type: type)
      change(&entry)
      entries.append(entry)
      indices[name] = index
    }
    return index
  }
}

@available(*, unavailable) extension HistoryRecorder: Sendable {}

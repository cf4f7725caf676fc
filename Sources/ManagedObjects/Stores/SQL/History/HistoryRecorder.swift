import DataModel

/// Collects the changes of one transaction for the persistent history: one change for each object.
///
/// As in Core Data, an object counts as updated if members of its to-many relationships are added
/// or removed, although its row is not written.
final class HistoryRecorder {
  /// The identity of a row in the store.
  private struct RowKey: Hashable {
    let root: Int
    let key: Int64
  }

  /// The changes of one row.
  struct Entry {
    let key: Int64
    let root: Int
    /// The row's own entity; nil if only something that refers to the row was changed.
    var entity: EntityBinding?
    var type: PersistentHistoryChangeType
    /// The slots that an update changed.
    var slots: Set<Int> = []
    /// The numbers of the to-manys whose members changed.
    var toManys: Set<Int> = []
    /// The deleted row, if a tombstone keeps values of it.
    var last: RowReference?
  }

  /// The changes of each row, in the order in which they were first recorded; nil for a row that
  /// was inserted and deleted again.
  private(set) var entries: [Entry?] = []
  private var indices: [RowKey: Int] = [:]
  private let bindings: [EntityBinding]
  private let offset: Int
  private let joins: [JoinBinding]
  private let hasTombstone: (EntityBinding) -> Bool

  /// - Parameter hasTombstone: whether the history keeps values of an entity's deleted objects.
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
      // A row deleted before in this transaction is back, which makes an update.
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
      entries[index]?.last = RowReference(row.copy(slotCount: entity.slotCount), of: entity)
    }
  }

  /// Records the owners of a row: the destinations of its to-ones, whose inverse to-manys it joins
  /// or leaves.
  ///
  /// - Parameters:
  ///   - slots: the changed slots; nil for all.
  ///   - permanent: returns the permanent key for a possibly temporary one.
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

  /// Records both ends of a link that is added, removed or moved.
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

  /// A superentity's to-manys come first in its subentities too, so the number is valid for the
  /// row's own entity, which need not be known.
  private func noteList(_ number: Int, of entity: Int, _ key: Int64) {
    // A key that is still temporary has no row.
    guard key > 0 else { return }
    let root = bindings[entity - offset].root
    // Thousands of members may have the same owner.
    if let index = indices[RowKey(root: root, key: key)],
      entries[index]?.toManys.contains(number) == true
    {
      return
    }
    note(nil, root: root, key, .update) { $0.toManys.insert(number) }
  }

  // MARK: Helpers

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

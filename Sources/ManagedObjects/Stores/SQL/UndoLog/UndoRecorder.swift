import DataModel

/// Records what one transaction changes, so that it can be reverted.
///
/// The bytes are a sequence of changes, each an `UndoOperation` followed by numbers; they hold the
/// previous values but not the new ones, which are in the rows. So a new row takes a few bytes, and
/// a hundred thousand rows with consecutive keys no more than one.
final class UndoRecorder {
  private(set) var bytes: [UInt8] = []
  /// A run of inserted rows with consecutive keys that is not written yet.
  private var run = (entity: 0, first: Int64(0), count: Int64(0))

  /// Whether nothing has changed.
  var isEmpty: Bool { bytes.isEmpty && run.count == 0 }

  /// All recorded changes.
  func finish() -> [UInt8] {
    endRun()
    return bytes
  }

  // MARK: Rows

  /// Records a new row of an entity, given by its index in the store, and its lock count: 1, or
  /// higher for a row that is inserted again.
  func inserted(_ entity: Int, _ key: Int64, version: Int64 = 1) {
    guard version == 1 else { return inserted(again: entity, key, known: version) }
    if run.count > 0, run.entity == entity, run.first + run.count == key {
      run.count += 1
    } else {
      endRun()
      run = (entity, key, 1)
    }
  }

  /// Records a restored row and the lock count by which older entries know it.
  func inserted(again entity: Int, _ key: Int64, known: Int64) {
    begin(.inserted)
    append(entity)
    append(key)
    append(1)
    append(known)
  }

  private func endRun() {
    guard run.count > 0 else { return }
    let (entity, first, count) = run
    run.count = 0
    begin(.inserted)
    append(entity)
    append(first)
    append(count)
    append(1)
  }

  /// Records an update of a row's slots with their previous values.
  func updated(
    _ entity: EntityBinding, at index: Int, _ key: Int64, before: Int64, after: Int64,
    _ row: PackedRow, slots: [Int]
  ) {
    begin(.updated)
    append(index)
    append(key)
    append(before)
    append(after)
    append(slots.count)
    for slot in slots { append(row, slot, kind: entity.kinds[slot]) }
  }

  /// Records a deleted row with all its values.
  ///
  /// - Parameters:
  ///   - known: the lock count by which older entries know the row.
  ///   - actual: its actual lock count.
  func deleted(
    _ entity: EntityBinding, at index: Int, _ key: Int64, known: Int64, actual: Int64,
    _ row: PackedRow
  ) {
    begin(.deleted)
    append(index)
    append(key)
    append(known)
    append(actual)
    let slots = entity.writtenSlots.filter { row.hasValue($0) }
    append(slots.count)
    for slot in slots { append(row, slot, kind: entity.kinds[slot]) }
  }

  // MARK: Links

  /// Records a new link of a join.
  func linked(_ join: Int, _ first: Int64, _ second: Int64) {
    begin(.linked)
    append(join)
    append(first)
    append(second)
  }

  /// Records a removed link with its order keys.
  func unlinked(
    _ join: Int, _ first: Int64, _ second: Int64, firstOrder: Int64?, secondOrder: Int64?
  ) {
    begin(.unlinked)
    append(join)
    append(first)
    append(second)
    append(optional: firstOrder)
    append(optional: secondOrder)
  }

  /// Records a link whose order key changes, with its previous order key.
  func moved(_ join: Int, _ first: Int64, _ second: Int64, isFirst: Bool, order: Int64?) {
    begin(.moved)
    append(join)
    append(first)
    append(second)
    append(isFirst ? 1 : 0)
    append(optional: order)
  }

  // MARK: Metadata

  /// Records the changed keys of the metadata.
  func changedMetadata(from old: [String: PropertyList], to new: [String: PropertyList]) {
    for key in Set(old.keys).union(new.keys) where old[key] != new[key] {
      changedMetadata(key, old: old[key]?.binary ?? [], new: new[key]?.binary ?? [])
    }
  }

  /// Records a changed key of the metadata, with its old and new property list; empty for none.
  func changedMetadata(_ key: String, old: [UInt8], new: [UInt8]) {
    begin(.metadata)
    append(Array(key.utf8))
    append(old)
    append(new)
  }

  // MARK: Bytes

  private func begin(_ operation: UndoOperation) {
    endRun()
    bytes.append(operation.rawValue)
  }

  private func append(_ row: PackedRow, _ slot: Int, kind: SlotKind) {
    append(slot)
    guard row.hasValue(slot) else { return bytes.append(UndoReader.none) }
    switch kind {
    case .integer, .key, .entityNumber, .orderKey:
      bytes.append(UndoReader.integer)
      append(row.integer(slot))
    case .real:
      bytes.append(UndoReader.real)
      append(littleEndian: row.bits(slot))
    case .text, .blob, .external:
      bytes.append(UndoReader.tail)
      let value = row.bytes(slot)
      append(value.count)
      bytes.append(contentsOf: value)
    }
  }

  private func append(littleEndian bits: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
  }

  private func append(_ text: [UInt8]) {
    append(text.count)
    bytes.append(contentsOf: text)
  }

  private func append(optional number: Int64?) {
    bytes.append(number == nil ? 0 : 1)
    if let number { append(number) }
  }

  private func append(_ number: Int) { append(Int64(number)) }

  /// Seven bits per byte, the lowest first, zigzag-encoded: small negative numbers are as short as
  /// small positive ones.
  private func append(_ number: Int64) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

@available(*, unavailable) extension UndoRecorder: Sendable {}

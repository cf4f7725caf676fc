/// A row that is freed when its last reference is released.
final class RowReference {
  let row: PackedRow
  let entity: EntityBinding

  init(_ row: PackedRow, of entity: EntityBinding) {
    self.row = row
    self.entity = entity
  }

  /// A copy that the caller frees.
  func copy() -> PackedRow { row.copy(slotCount: entity.slotCount) }

  deinit { row.free(slotCount: entity.slotCount) }
}

@available(*, unavailable) extension RowReference: Sendable {}

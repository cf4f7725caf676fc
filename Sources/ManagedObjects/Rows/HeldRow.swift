/// A row that is freed with its last reference.
final class HeldRow {
  let row: PackedRow
  let entity: EntityBinding

  init(_ row: PackedRow, of entity: EntityBinding) {
    self.row = row
    self.entity = entity
  }

  deinit { row.free(slotCount: entity.slotCount) }
}

@available(*, unavailable) extension HeldRow: Sendable {}

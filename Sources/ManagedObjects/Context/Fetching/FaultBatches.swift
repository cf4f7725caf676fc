/// The rows of a result that is fetched in batches; 16 bytes an object.
final class FaultBatches {
  private let rows: [RowIdentity]
  /// The indexes of the rows' entities, so that rows of other entities are not searched for.
  private let entities: Set<Int>
  private let size: Int
  /// The index of the last row found: the next one is mostly near.
  private var last = 0

  init(_ rows: [RowIdentity], size: Int) {
    self.rows = rows
    self.size = size
    var (entities, last): (Set<Int>, Int?) = ([], nil)
    for row in rows where row.entity != last {
      entities.insert(row.entity)
      last = row.entity
    }
    self.entities = entities
  }

  /// The batch that contains a row, or nil.
  ///
  /// O(1) for consecutive rows, O(n) for any other.
  func batch(with row: RowIdentity) -> ArraySlice<RowIdentity>? {
    guard entities.contains(row.entity),
      let index = rows[last...].firstIndex(of: row) ?? rows[..<last].firstIndex(of: row)
    else { return nil }
    last = index
    let start = index / size * size
    return rows[start..<min(start + size, rows.count)]
  }
}

/// The order keys that a save assigns to rows in its request.
///
/// Kept separately from the rows, which belong to the objects and are updated after the save.
struct SavedOrderKeys {
  private let insertCount: Int
  private let rowCount: Int
  /// The order-key slots encountered so far.
  private var slots: [Int] = []
  /// For each of those slots the keys of all rows, the inserts first.
  private var keys: ContiguousArray<Int64> = []

  /// Marks a row that was assigned none; no order key is that low.
  private static let none = Int64.min

  init(for request: SaveRequest) {
    insertCount = request.inserts.count
    rowCount = insertCount + request.updates.count
  }

  /// The order key assigned to a row in a slot, or nil; O(1).
  subscript(row: SaveRequest.WrittenRow, slot: Int) -> Int64? {
    get {
      guard let column = slots.firstIndex(of: slot) else { return nil }
      let key = keys[column * rowCount + index(of: row)]
      return key == Self.none ? nil : key
    }
    set {
      let known = slots.firstIndex(of: slot)
      if known == nil {
        slots.append(slot)
        keys += repeatElement(Self.none, count: rowCount)
      }
      keys[(known ?? slots.count - 1) * rowCount + index(of: row)] = newValue ?? Self.none
    }
  }

  private func index(of row: SaveRequest.WrittenRow) -> Int {
    switch row {
    case .insert(let index): index
    case .update(let index): insertCount + index
    }
  }

  /// Writes the keys into the rows of the request that they were collected for.
  func write(to request: SaveRequest) {
    for (column, slot) in slots.enumerated() {
      for index in 0..<rowCount {
        let key = keys[column * rowCount + index]
        guard key != Self.none else { continue }
        let row =
          index < insertCount
          ? request.inserts[index].row : request.updates[index - insertCount].row
        row.setBits(UInt64(bitPattern: key), slot)
      }
    }
  }
}

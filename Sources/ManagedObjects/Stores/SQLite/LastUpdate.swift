/// The last UPDATE used, kept since rows that change in the same slots mostly come one after
/// another.
struct LastUpdate {
  private let store: SQLiteStore
  private var last: (entity: Int, slots: [Int], statement: Statement)?

  init(_ store: SQLiteStore) { self.store = store }

  /// The statement for an entity and the slots that it sets.
  mutating func of(_ entity: EntityBinding, _ slots: [Int]) throws -> Statement {
    if let last, last.entity == entity.index, last.slots == slots { return last.statement }
    let statement = try store.updateStatement(entity, slots: slots)
    last = (entity.index, slots, statement)
    return statement
  }
}

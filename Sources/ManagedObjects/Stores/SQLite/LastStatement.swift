/// The last statement used, kept since rows of one entity mostly come one after another.
struct LastStatement {
  private let connection: Connection
  private var last: Statement?
  private var entity = -1
  private var slot = -1

  init(_ connection: Connection) { self.connection = connection }

  /// The statement for an entity and a slot; its SQL is built only if the last one was for others.
  mutating func of(
    _ entity: EntityBinding, _ slot: Int = -1, sql: () -> String
  ) throws(SQLiteError) -> Statement {
    if let last, self.entity == entity.index, self.slot == slot { return last }
    let statement = try connection.statement(sql())
    (last, self.entity, self.slot) = (statement, entity.index, slot)
    return statement
  }
}

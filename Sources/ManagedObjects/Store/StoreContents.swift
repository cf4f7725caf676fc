/// What a store's schema has: its tables, and what stands in a writer's way.
struct StoreContents {
  private(set) var tables: [String] = []
  private(set) var obstacles: [PersistentStoreError.WriteObstacle] = []

  /// Looks the schema through once.
  init(_ connection: Connection) throws {
    let statement = try connection.statement("SELECT type, name FROM sqlite_schema")
    defer { statement.reset() }
    while try statement.step() {
      let name = statement.string(at: 1) ?? ""
      switch statement.string(at: 0) {
      case "table":
        tables.append(name)
        if name.hasPrefix("ANSCK") { obstacles.append(.cloudKit) }
        if ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(name) {
          obstacles.append(.persistentHistory)
        }
      case "trigger" where name.hasPrefix("Z_DA_"): obstacles.append(.derivedAttributes)
      default: break
      }
    }
  }
}

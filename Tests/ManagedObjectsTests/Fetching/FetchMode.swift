import ManagedObjects

/// Where a fetch is evaluated: by SQL, or in memory over unsaved objects of some kind.
enum FetchMode: CaseIterable {
  case sql, sqlWithUpdates, sqlWithInserts, memory, memoryWithUpdates, memoryWithInserts
  /// On a server, available where `Scripts/with-postgres` has started one.
  case server, serverWithUpdates

  static let allCases: [FetchMode] =
    [.sql, .sqlWithUpdates, .sqlWithInserts, .memory, .memoryWithUpdates, .memoryWithInserts]
    + (Stack.server == nil ? [] : [.server, .serverWithUpdates])

  /// A stack of samples that a closure makes, in the state that the mode requires.
  ///
  /// - Parameter type: the type of the store; nil for that of the mode.
  func stack(
    on type: PersistentStore.StoreType? = nil, _ fill: (ManagedObjectContext) throws -> Void
  ) throws -> Stack {
    let isSQL = [.sql, .sqlWithUpdates, .sqlWithInserts].contains(self)
    let isServers = [.server, .serverWithUpdates].contains(self)
    let stack = try Stack(
      type ?? (isSQL ? .sqlite : isServers ? .postgreSQL : .inMemory), model: Samples.model)
    try fill(stack.context)
    switch self {
    case .sql, .memory, .server: try stack.context.save()
    case .sqlWithInserts, .memoryWithInserts: break
    case .sqlWithUpdates, .memoryWithUpdates, .serverWithUpdates:
      try stack.context.save()
      for sample in try stack.context.fetch(Sample.fetchRequest()) {
        // The same value again: that counts as a change until it is saved.
        sample.short = sample.short
      }
    }
    return stack
  }
}

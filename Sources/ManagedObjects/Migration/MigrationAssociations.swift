import DataModel

/// The associations between objects of the source and of the destination.
///
/// Kept in a temporary database, which SQLite holds in memory while it is small and then moves to a
/// file of its own: memory use does not grow with the number of objects.
final class MigrationAssociations {
  private let connection: Connection
  /// The folder where SQLite puts a temporary database that has grown too large for memory.
  private static let folder = CopyFolder.parent
  private let numbers: [String: Int64]
  /// Associations that have no row yet, since their objects have no permanent ID.
  private var pending: [Pending] = []
  private var pendingBySource: [ManagedObjectID: [Int]] = [:]

  private struct Pending {
    let mapping: Int64
    let source: ManagedObject
    let destination: ManagedObject
  }

  init(_ mapping: MappingModel) throws {
    numbers = Dictionary(
      mapping.entityMappings.enumerated().map { ($0.element.name, Int64($0.offset)) },
      uniquingKeysWith: { first, _ in first })
    connection = try PersistentStoreError.mapping(at: Self.folder) {
      try Self.makeDatabase()
    }
  }

  private static func makeDatabase() throws -> Connection {
    // An empty name creates a temporary database.
    let connection = try Connection(path: "", access: .readWrite, waiting: 0)
    try connection.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
      CREATE TABLE association (id INTEGER PRIMARY KEY, mapping, sourceRoot, sourceEntity, sourceKey,
        destinationRoot, destinationEntity, destinationKey);
      CREATE INDEX source ON association (sourceKey, sourceRoot);
      CREATE INDEX destination ON association (destinationKey, destinationRoot);
      CREATE INDEX mapping ON association (mapping, id);
      BEGIN
      """)
    return connection
  }

  func add(_ source: ManagedObject, _ destination: ManagedObject, _ mapping: String) {
    guard let number = numbers[mapping] else {
      fatalError("The mapping model has no entity mapping \(mapping).")
    }
    pendingBySource[source.objectID, default: []].append(pending.count)
    pending.append(Pending(mapping: number, source: source, destination: destination))
  }

  /// Writes the associations whose objects have permanent IDs now.
  ///
  /// - Throws: `PersistentStoreError`, as the other methods do: `full` if the disk of the folder
  ///   for temporary files is.
  func flush() throws {
    try PersistentStoreError.mapping(at: Self.folder) { try writePending() }
  }

  private func writePending() throws {
    let insert = try connection.statement(
      "INSERT INTO association VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)")
    for entry in pending where !entry.destination.isDeleted {
      let (source, destination) = (entry.source.objectID, entry.destination.objectID)
      guard !destination.isTemporaryID else { continue }
      let numbers = [
        entry.mapping, Int64(source.binding.root), Int64(source.binding.index), source.key,
        Int64(destination.binding.root), Int64(destination.binding.index), destination.key,
      ]
      for (number, parameter) in zip(numbers, Int32(1)...) { insert.bind(number, at: parameter) }
      try insert.run()
    }
    pending = []
    pendingBySource = [:]
  }

  /// The destination's objects for an object of the source, by a mapping or by any.
  func destinations(
    of source: ManagedObject, _ mapping: String?, in context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    let id = source.objectID
    let found = try objects(
      """
      SELECT destinationEntity, destinationKey FROM association
      WHERE sourceRoot = ? AND sourceKey = ?
      """,
      id, mapping, in: context)
    let unsaved = pendingBySource[id] ?? []
    return found
      + unsaved.map { pending[$0] }.filter { fits($0, mapping) }.map(\.destination)
  }

  /// The source's objects for an object of the destination, by a mapping or by any.
  func sources(
    of destination: ManagedObject, _ mapping: String?, in context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    let id = destination.objectID
    if id.isTemporaryID {
      return pending.filter { $0.destination === destination && fits($0, mapping) }.map(\.source)
    }
    return try objects(
      """
      SELECT sourceEntity, sourceKey FROM association
      WHERE destinationRoot = ? AND destinationKey = ?
      """,
      id, mapping, in: context)
  }

  private func fits(_ entry: Pending, _ mapping: String?) -> Bool {
    mapping == nil || mapping.flatMap { numbers[$0] } == entry.mapping
  }

  private func objects(
    _ query: String, _ id: ManagedObjectID, _ mapping: String?, in context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    var query = query
    if let mapping {
      guard let number = numbers[mapping] else { return [] }
      query += " AND mapping = \(number)"
    }
    return try PersistentStoreError.mapping(at: Self.folder) {
      let statement = try connection.statement(query + " ORDER BY id")
      defer { statement.reset() }
      statement.bind(Int64(id.binding.root), at: 1)
      statement.bind(id.key, at: 2)
      var objects: [ManagedObject] = []
      while try statement.step() { objects.append(object(statement, 0, in: context)) }
      return objects
    }
  }

  /// The next objects that a mapping has created, in that order.
  ///
  /// - Parameter last: the position of the last one that was returned before; 0 at first.
  func destinations(
    madeBy mapping: String, after last: inout Int64, limit: Int, in context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    try PersistentStoreError.mapping(at: Self.folder) {
      let statement = try connection.statement(
        """
        SELECT destinationEntity, destinationKey, id FROM association
        WHERE mapping = ? AND id > ? ORDER BY id LIMIT ?
        """)
      defer { statement.reset() }
      statement.bind(numbers[mapping] ?? -1, at: 1)
      statement.bind(last, at: 2)
      statement.bind(Int64(limit), at: 3)
      var objects: [ManagedObject] = []
      while try statement.step() {
        objects.append(object(statement, 0, in: context))
        last = statement.integer(at: 2)
      }
      return objects
    }
  }

  private func object(
    _ statement: Statement, _ column: Int32, in context: ManagedObjectContext
  ) -> ManagedObject {
    let binding = context.binding(at: Int(statement.integer(at: column)))
    return context.object(
      with: ManagedObjectID(binding: binding, key: statement.integer(at: column + 1)))
  }
}

@available(*, unavailable) extension MigrationAssociations: Sendable {}

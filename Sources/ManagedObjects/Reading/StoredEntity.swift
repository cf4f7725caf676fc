package import DataModel
import SystemLibraries

/// An entity of a store that is being read, with its columns and rows.
package final class StoredEntity {
  /// The data that all entities of one store share.
  final class Store {
    let url: URL
    let connection: Connection
    let bindings: [EntityBinding]
    let schema: SQLSchema
    let namesByNumber: [Int: String]

    init(url: URL, connection: Connection, bindings: [EntityBinding], schema: SQLSchema) {
      self.url = url
      self.connection = connection
      self.bindings = bindings
      self.schema = schema
      // In a damaged store two entities may have the same number.
      namesByNumber = Dictionary(bindings.map { ($0.number, $0.name) }) { first, _ in first }
    }

    /// Whether the members of a to-many can be read.
    ///
    /// Without an inverse, programs disagree on where the links are stored.
    func holdsLinks(of toMany: EntityBinding.ToMany) -> Bool {
      switch (toMany.storage, toMany.inverse) {
      case (.memory, _), (_, .none): false
      case (.foreignKey(let slot), _): slot < bindings[toMany.destination].storedSlotCount
      case (.join, _): true
      }
    }

    /// Runs a body and rethrows SQLite's errors as `PersistentStoreError`.
    func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
      try PersistentStoreError.mapping(at: url, body)
    }
  }

  /// The entity's description.
  package var description: EntityDescription { binding.description }
  /// The entity's name.
  package var name: String { binding.name }
  /// The stored attributes, including inherited ones, sorted by name.
  package let attributes: [AttributeDescription]
  /// The stored relationships that have an inverse, including inherited ones, sorted by name.
  package let relationships: [RelationshipDescription]

  let binding: EntityBinding
  let store: Store
  /// The slot of each attribute.
  let attributeSlots: [Int]

  init(_ binding: EntityBinding, in store: Store) {
    self.binding = binding
    self.store = store
    var attributes: [(slot: Int, description: AttributeDescription)] = []
    let stored = binding.slots.prefix(binding.storedSlotCount)
    for case (let slot, .attribute(let attribute)) in stored.enumerated() {
      attributes.append((slot, attribute))
    }
    attributes.sort { Self.areInOrder($0.description.name, $1.description.name) }
    self.attributes = attributes.map(\.description)
    attributeSlots = attributes.map(\.slot)
    let toOnes = binding.toOnes.filter { !$0.description.isTransient }.map(\.description)
    let toManys = binding.toManys.filter { store.holdsLinks(of: $0) }.map(\.description)
    relationships = (toOnes + toManys).sorted { Self.areInOrder($0.name, $1.name) }
  }

  /// The number of rows of this entity, subentities excluded.
  ///
  /// Scans an index, or the whole table if the entity has no subentities.
  ///
  /// - Throws: `PersistentStoreError`.
  package func count() throws -> Int {
    try store.mappingErrors {
      let statement = try store.connection.statement(
        "SELECT count(*) FROM \(table.quoted) WHERE Z_ENT = ?")
      defer { statement.reset() }
      statement.bind(Int64(binding.number), at: 1)
      return try statement.step() ? Int(statement.integer(at: 0)) : 0
    }
  }

  /// The rows of this entity, subentities excluded, in the order of their primary keys.
  ///
  /// - Throws: `PersistentStoreError`.
  package func rows() throws -> StoredRows {
    try store.mappingErrors { try StoredRows(of: self) }
  }

  var table: String { store.schema.tableNames[binding.index] }

  /// Whether a name sorts before another, compared byte by byte.
  private static func areInOrder(_ name: String, _ other: String) -> Bool {
    name.utf8.lexicographicallyPrecedes(other.utf8)
  }
}

@available(*, unavailable) extension StoredEntity: Sendable {}
@available(*, unavailable) extension StoredEntity.Store: Sendable {}

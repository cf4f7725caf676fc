import DataFormats
import DataModel

extension DocumentReader {
  /// The objects as a store with this model would read them.
  func entities(
    of model: ManagedObjectModel, as kind: any DocumentFormat.Type
  ) throws(DataError) -> [Entity] {
    let identity = PersistentStoreIdentity(identifier: identifier)
    let bound = ModelBinding(model, store: identity)
    var document = try kind.init(headOf: bytes)
    var rows = DocumentRows(
      name: kind.name, bindings: bound.entities, joins: bound.joins, offset: 0, keepsUnknown: false,
      previous: nil)
    try document.read(bytes, into: &rows)
    let contents = try rows.finish(metadata: metadata)
    let store = InMemoryStore(
      type: kind.type, url: nil, identity: identity, bound: bound, offset: 0, contents: contents,
      isReadOnly: true)
    let members = InMemoryMembers(contents, store: store)
    func reference(_ key: Int64, _ destination: Int) -> StoredReference {
      let entity = bound.entities[destination]
      let stored = contents.rows[entity.root]?[key]
      return StoredReference(entityName: stored?.entity.name ?? entity.name, primaryKey: key)
    }
    return bound.entities.map { entity in
      let properties = DocumentProperty.all(of: entity).sorted {
        $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
      }
      let rows = (contents.rows[entity.root] ?? [:]).filter { $1.entity === entity }
        .sorted { $0.key < $1.key }
      return Entity(
        name: entity.name, description: entity.description,
        objects: rows.map { key, stored in
          let row = stored.row
          let found = properties.map { property in
            switch property {
            case .attribute(var attribute, let slot):
              // Documents hold the bytes themselves, without the prefix that external storage uses.
              attribute.allowsExternalBinaryDataStorage = false
              return Property(
                name: attribute.name,
                value: .attribute(row.storedValue(slot, entity.kinds[slot]), attribute))
            case .toOne(let toOne):
              let other = row.hasValue(toOne.slot) ? row.integer(toOne.slot) : nil
              return Property(
                name: property.name, value: .toOne(other.map { reference($0, toOne.destination) }))
            case .toMany(let toMany):
              let keys = members.of(toMany, owner: key).map(\.key)
              return Property(
                name: property.name,
                value: .toMany(keys.map { reference($0, toMany.destination) }))
            }
          }
          return Object(entityName: entity.name, primaryKey: key, properties: found, line: 0)
        })
    }
  }
}

extension PackedRow {
  /// The value of a slot; nil if there is none.
  func storedValue(_ slot: Int, _ kind: SlotKind) -> StoredValue? {
    guard hasValue(slot) else { return nil }
    return switch kind {
    case .real: .real(real(slot))
    case .text: .text(String(decoding: bytes(slot), as: UTF8.self))
    case .blob, .external: .bytes(Array(bytes(slot)))
    case .integer, .key, .entityNumber, .orderKey: .integer(integer(slot))
    }
  }
}

import ManagedObjects
import SystemLibraries

/// The migration of a store of version 2 to version 3: walkers, whose names were attributes of
/// walks, become objects, and dogs get UUIDs.
///
/// Walks keep their numbers. An intermediate version keeps the attributes that version 3 lacks
/// until the walkers have been created from them.
enum WalkerMigration {
  static func manager(from version: ManagedObjectModel) -> StagedMigrationManager {
    StagedMigrationManager([
      .custom(from: version, to: between, didMigrate: fill), .lightweight([between, .dogWalk]),
    ])
  }

  /// Version 3 with the names of the walkers in their walks.
  private static let between = ManagedObjectModel(
    entities: ManagedObjectModel.dogWalk.entities.map { entity in
      guard entity.name == "Walk" else { return entity }
      var walk = entity
      walk.properties.append(
        .attribute(
          AttributeDescription(
            name: walkerName, type: .string, isOptional: true, renamingIdentifier: "walker")))
      return walk
    })

  private static let walkerName = "walkerName"

  /// The number of walks that are changed before the context is saved and reset.
  private static let batchSize = 500

  private static func fill(_ container: PersistentContainer) throws {
    let context = container.newBackgroundContext()
    for dog in try context.fetch(FetchRequest<ManagedObject>(entityName: "Dog")) {
      dog.setValue(UUID(of: dog), forKey: "uuid")
    }
    try context.save()
    var request = FetchRequest<ManagedObject>(entityName: "Walk")
    request.predicate = .comparison(walkerName, .notEqual, nil)
    var batch: [ManagedObjectID] = []
    var walkers: [String: ManagedObjectID] = [:]
    for walker in try context.fetch(FetchRequest<ManagedObject>(entityName: "Walker")) {
      walkers[walker.value(forKey: "nameKey") as? String ?? ""] = walker.objectID
    }
    let cursor = try container.newBackgroundContext().cursor(for: request)
    while let walk = try cursor.next() {
      batch.append(walk.objectID)
      guard batch.count == batchSize else { continue }
      try link(batch, &walkers, in: context)
      batch.removeAll(keepingCapacity: true)
    }
    try link(batch, &walkers, in: context)
  }

  /// Connects walks to the walkers with the names that they contain.
  ///
  /// - Parameter walkers: the walkers by name key; those that are inserted are added.
  private static func link(
    _ walks: [ManagedObjectID], _ walkers: inout [String: ManagedObjectID],
    in context: ManagedObjectContext
  ) throws {
    var inserted: [String: ManagedObject] = [:]
    var request = FetchRequest<ManagedObject>(entityName: "Walk")
    request.predicate = .object(isIn: walks)
    for walk in try context.fetch(request) {
      // An empty name counts as none.
      guard let name = walk.value(forKey: walkerName) as? String, !name.isEmpty else { continue }
      let key = NameKey.of(name)
      if let known = walkers[key].map({ context.object(with: $0) }) ?? inserted[key] {
        walk.setValue(known, forKey: "walker")
        continue
      }
      let walker = EntityDescription.insertNewObject(forEntityName: "Walker", into: context)
      walker.setValue(name, forKey: "name")
      walker.setValue(key, forKey: "nameKey")
      inserted[key] = walker
      walk.setValue(walker, forKey: "walker")
    }
    try context.save()
    for (key, walker) in inserted { walkers[key] = walker.objectID }
    context.reset()
  }
}

extension UUID {
  /// Creates the UUID for an object of an older store, the same in every copy of that store.
  ///
  /// It is derived from the store's UUID, the entity's first letter and the row's primary key:
  /// version 8 of RFC 9562, which is meant for application-defined UUIDs.
  init(of object: ManagedObject) { self.init(of: object.objectID) }

  /// Creates the UUID for the object with an ID.
  init(of id: ManagedObjectID) {
    let store = id.uriRepresentation().host().flatMap { UUID(uuidString: $0) } ?? UUID()
    var bytes = withUnsafeBytes(of: store.uuid) { Array($0) }
    let number = UInt64(bitPattern: id.primaryKey ?? 0)
    for index in 0..<6 { bytes[15 - index] ^= UInt8(truncatingIfNeeded: number >> (8 * index)) }
    bytes[0] ^= id.entity.name.utf8.first ?? 0
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

import ManagedObjects
import SystemLibraries

/// How a store of version 2 becomes one of version 3: walkers, whose names stood in each walk,
/// become objects, and dogs get UUIDs.
///
/// Walks keep their numbers. What version 3 has no place for is kept in a version between the two
/// until the walkers are made of it.
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

  /// So many walks are changed at once, and then let go of.
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
    let cursor = try container.newBackgroundContext().cursor(for: request)
    while let walk = try cursor.next() {
      batch.append(walk.objectID)
      guard batch.count == batchSize else { continue }
      try link(batch, in: context)
      batch.removeAll(keepingCapacity: true)
    }
    try link(batch, in: context)
  }

  /// Leads walks to the walkers of the names that they have.
  private static func link(
    _ walks: [ManagedObjectID], in context: ManagedObjectContext
  ) throws {
    var walkers: [String: ManagedObject] = [:]
    for walker in try context.fetch(FetchRequest<ManagedObject>(entityName: "Walker")) {
      walkers[walker.value(forKey: "nameKey") as? String ?? ""] = walker
    }
    var request = FetchRequest<ManagedObject>(entityName: "Walk")
    request.predicate = .object(isIn: walks)
    for walk in try context.fetch(request) {
      // An empty name is none.
      guard let name = walk.value(forKey: walkerName) as? String, !name.isEmpty else { continue }
      let key = NameKey.of(name)
      let walker =
        walkers[key] ?? EntityDescription.insertNewObject(forEntityName: "Walker", into: context)
      if walkers[key] == nil {
        walker.setValue(name, forKey: "name")
        walker.setValue(key, forKey: "nameKey")
        walkers[key] = walker
      }
      walk.setValue(walker, forKey: "walker")
    }
    try context.save()
    context.reset()
  }
}

extension UUID {
  /// The UUID that an object of an older store gets, the same in every copy of that store.
  ///
  /// It is made of the store's own, the entity's first letter and the number of the row: version 8
  /// of RFC 9562, whose UUIDs programs make by rules of their own.
  init(of object: ManagedObject) { self.init(of: object.objectID) }

  /// The UUID that the object of an ID gets.
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

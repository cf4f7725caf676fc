public import DataModel

/// Migrates a store by a mapping: reads every object of the source, and creates new ones for it.
///
///     let manager = MigrationManager(sourceModel: old, destinationModel: new)
///     manager.entityMigrationPolicies["MakerPolicy"] = MakerPolicy.self
///     try manager.migrateStore(from: url, mapping: mapping, to: newURL)
///
/// Primary keys begin with 1; UUID and an application's metadata are kept. Objects are created,
/// saved and released by the hundreds, so memory use is constant. All objects that were created are
/// valid by the model's rules, otherwise nothing is kept.
///
/// If a mapping can be inferred and no policy is needed, it is better to migrate a store in place:
/// `PersistentStoreCoordinator.migrateStore(at:to:configurationName:from:options:progress:)`. Not
/// Sendable. Follows Core Data's `NSMigrationManager`.
public final class MigrationManager {
  /// The model that the store was made with.
  public let sourceModel: ManagedObjectModel
  /// The model of the migrated store.
  public let destinationModel: ManagedObjectModel
  /// The policies for mappings, by the class names that mappings use.
  ///
  /// A name with a module before it (`App.MakerPolicy`) also finds a class registered without it.
  public var entityMigrationPolicies: [String: EntityMigrationPolicy.Type] = [:]
  /// Called with the completed fraction, from 0 to 1, after every few hundred objects.
  public var progressHandler: (Double) -> Void = { _ in }
  /// The completed fraction of the migration, from 0 to 1; 0 if none is running.
  public private(set) var migrationProgress = 0.0
  /// Custom values that policies share.
  public var userInfo: [String: Any] = [:]

  private var work: Work?
  private var cancellation: (any Error)?

  /// The state during a migration.
  private struct Work {
    let mapping: MappingModel
    let source: ManagedObjectContext
    let destination: ManagedObjectContext
    let associations: MigrationAssociations
    var current: EntityMapping?
    /// Whether policies of the program's own create objects.
    let hasPolicies: Bool
    /// The objects created so far, if there are such policies.
    var created: [ManagedObject] = []

    init(
      _ mapping: MappingModel, from source: ManagedObjectContext,
      to destination: ManagedObjectContext
    ) throws {
      self.mapping = mapping
      self.source = source
      self.destination = destination
      associations = try MigrationAssociations(mapping)
      hasPolicies = mapping.entityMappings.contains { $0.entityMigrationPolicyClassName != nil }
    }
  }

  /// The number of objects of a mapping after which all are saved and released.
  private static let batchSize = 500
  /// The number of changed objects at which they are saved earlier: an object may have thousands of
  /// members.
  private static let mostChanges = 5_000

  /// Creates a manager.
  ///
  /// - Parameters:
  ///   - source: the model that a store was made with.
  ///   - destination: the model to migrate it to.
  public init(
    sourceModel source: ManagedObjectModel, destinationModel destination: ManagedObjectModel
  ) {
    sourceModel = source.withoutClasses
    destinationModel = destination.withoutClasses
  }

  // MARK: For policies

  /// The context of the source's objects, which are read-only.
  ///
  /// - Precondition: a store is being migrated.
  public var sourceContext: ManagedObjectContext { ongoing.source }

  /// The context of the destination's objects, which the manager saves.
  ///
  /// - Precondition: a store is being migrated.
  public var destinationContext: ManagedObjectContext { ongoing.destination }

  /// The mapping that is being executed.
  ///
  /// - Precondition: a store is being migrated.
  public var mappingModel: MappingModel { ongoing.mapping }

  /// The entity mapping that is being executed; nil between two.
  ///
  /// - Precondition: a store is being migrated.
  public var currentEntityMapping: EntityMapping? { ongoing.current }

  private var ongoing: Work {
    guard let work else { fatalError("The migration manager is not migrating a store.") }
    return work
  }

  /// Associates an object of the destination with one of the source, for its relationships.
  ///
  /// - Parameters:
  ///   - source: an object of the source.
  ///   - destination: the object created for it.
  ///   - mapping: the mapping that it was created by.
  public func associate(
    sourceInstance source: ManagedObject, withDestinationInstance destination: ManagedObject,
    for mapping: EntityMapping
  ) {
    ongoing.associations.add(source, destination, mapping.name)
  }

  /// The destination's objects for some objects of the source, in their order.
  ///
  ///     let dog = manager.destinationInstances(
  ///       forEntityMappingName: "DogToDog", sourceInstances: [oldDog]).first
  ///
  /// - Parameters:
  ///   - mapping: the mapping that created them; nil for any.
  ///   - sources: objects of the source.
  public func destinationInstances(
    forEntityMappingName mapping: String?, sourceInstances sources: [ManagedObject]
  ) -> [ManagedObject] {
    let work = ongoing
    return reading {
      try sources.flatMap {
        try work.associations.destinations(of: $0, mapping, in: work.destination)
      }
    }
  }

  /// The source's objects for some objects of the destination, in their order.
  ///
  /// - Parameters:
  ///   - mapping: the mapping that created them; nil for any.
  ///   - destinations: objects of the destination.
  public func sourceInstances(
    forEntityMappingName mapping: String?, destinationInstances destinations: [ManagedObject]
  ) -> [ManagedObject] {
    let work = ongoing
    return reading {
      try destinations.flatMap { try work.associations.sources(of: $0, mapping, in: work.source) }
    }
  }

  /// Ends the migration with an error at the next object; the store is unchanged.
  ///
  ///     manager.progressHandler = { _ in if isCancelled { manager.cancelMigration(with: Cancelled()) } }
  public func cancelMigration(with error: any Error) { cancellation = error }

  /// Reads associations; an error ends the migration.
  private func reading<Value>(_ body: () throws -> [Value]) -> [Value] {
    do {
      return try body()
    } catch {
      cancellation = cancellation ?? error
      return []
    }
  }

  // MARK: The three passes

  /// Creates the destination's objects from the source's.
  ///
  /// - Throws: `MigrationError`, `ValidationError`, errors that a policy throws,
  ///   `PersistentStoreError`.
  func run(
    _ mapping: MappingModel, from source: PersistentStoreCoordinator,
    to destination: PersistentStoreCoordinator
  ) throws {
    try check(mapping)
    // A store with a configuration contains a part of its model: there is nothing else to map.
    let mappings = mapping.entityMappings.filter {
      source.holds($0.sourceEntityName) && destination.holds($0.destinationEntityName)
    }
    let policies = try mappings.map { try policy(of: $0).init() }
    let made = ManagedObjectContext(persistentStoreCoordinator: destination)
    // Objects can be valid only when all relationships are set.
    made.validatesBeforeSaving = false
    work = try Work(
      mapping, from: ManagedObjectContext(persistentStoreCoordinator: source), to: made)
    cancellation = nil
    migrationProgress = 0
    defer {
      work = nil
      migrationProgress = 0
    }
    let steps = Array(zip(mappings, policies))
    var progress = Progress(try steps.reduce(0) { try $0 + count($1.0) })
    for (mapping, policy) in steps { try createInstances(mapping, policy, &progress) }
    for (mapping, policy) in steps { try createRelationships(mapping, policy, &progress) }
    for (mapping, policy) in steps {
      work?.current = mapping
      try policy.performCustomValidation(forMapping: mapping, manager: self)
      try policy.end(mapping, manager: self)
      try flush()
    }
    work?.current = nil
    try validate(&progress)
  }

  /// Checks that a mapping can be executed: that its models have all names, and its policies exist.
  ///
  /// - Throws: `MigrationError` with the first missing thing.
  package func check(_ mapping: MappingModel) throws(MigrationError) {
    try MappingCheck(self, mapping).run()
    for mapping in mapping.entityMappings { _ = try policy(of: mapping) }
  }

  private func policy(
    of mapping: EntityMapping
  ) throws(MigrationError) -> EntityMigrationPolicy.Type {
    guard let name = mapping.entityMigrationPolicyClassName else {
      return EntityMigrationPolicy.self
    }
    let plainName = name.split(separator: ".").last.map(String.init) ?? name
    guard let policy = entityMigrationPolicies[name] ?? entityMigrationPolicies[plainName] else {
      throw MigrationError.missingPolicy(mapping: mapping.name, className: name)
    }
    return policy
  }

  private func createInstances(
    _ mapping: EntityMapping, _ policy: EntityMigrationPolicy, _ progress: inout Progress
  ) throws {
    work?.current = mapping
    try policy.begin(mapping, with: self)
    if let request = Self.request(mapping) {
      let cursor = try sourceContext.cursor(for: request)
      while let object = try cursor.next() {
        try policy.createDestinationInstances(forSource: object, in: mapping, manager: self)
        try advance(&progress)
      }
      cursor.close()
    }
    try policy.endInstanceCreation(forMapping: mapping, manager: self)
    try flush()
  }

  private func createRelationships(
    _ mapping: EntityMapping, _ policy: EntityMigrationPolicy, _ progress: inout Progress
  ) throws {
    work?.current = mapping
    var last: Int64 = 0
    while true {
      let made = try ongoing.associations.destinations(
        madeBy: mapping.name, after: &last, limit: Self.batchSize, in: destinationContext)
      if made.isEmpty { break }
      for object in made {
        try policy.createRelationships(forDestination: object, in: mapping, manager: self)
        try advance(&progress)
      }
      try flush()
    }
    try policy.endRelationshipCreation(forMapping: mapping, manager: self)
    try flush()
  }

  /// Validates every object of the destination by the model's rules.
  private func validate(_ progress: inout Progress) throws {
    let entities = destinationContext.persistentStoreCoordinator.managedObjectModel.entities
    for entity in entities where !entity.isAbstract {
      var request = FetchRequest<ManagedObject>(entityName: entity.name)
      request.includesSubentities = false
      let cursor = try destinationContext.cursor(for: request)
      while let object = try cursor.next() {
        try object.validateForInsert()
        try advance(&progress)
      }
      cursor.close()
      try flush()
    }
  }

  /// The request for a mapping's source objects; nil if it has none.
  private static func request(_ mapping: EntityMapping) -> FetchRequest<ManagedObject>? {
    guard let entity = mapping.sourceEntityName, mapping.mappingType != .remove else { return nil }
    var request = FetchRequest<ManagedObject>(entityName: entity)
    request.includesSubentities = false
    request.predicate = mapping.sourcePredicate
    return request
  }

  private func count(_ mapping: EntityMapping) throws -> Int {
    try Self.request(mapping).map(sourceContext.count(for:)) ?? 0
  }

  // MARK: Batches

  /// The progress: each object is created, related and validated.
  private struct Progress {
    private let total: Int
    private(set) var done = 0

    init(_ count: Int) { total = max(3 * count, 1) }

    mutating func advance() { done += 1 }

    var fraction: Double { min(Double(done) / Double(total), 1) }
  }

  private func advance(_ progress: inout Progress) throws {
    if let cancellation { throw cancellation }
    progress.advance()
    let isFull = destinationContext.pendingCount >= Self.mostChanges
    guard isFull || progress.done.isMultiple(of: Self.batchSize) else { return }
    try flush()
    migrationProgress = progress.fraction
    progressHandler(migrationProgress)
  }

  /// Saves the created objects, and releases all objects.
  ///
  /// With policies of the program's own, created objects stay registered with their values, since a
  /// policy may look for those that it has created.
  private func flush() throws {
    if let cancellation { throw cancellation }
    try sourceContext.throwReadingError()
    if ongoing.hasPolicies {
      let created = destinationContext.insertedObjects
      work?.created += created
    }
    try destinationContext.save()
    try ongoing.associations.flush()
    try sourceContext.refreshAllObjects()
    if !ongoing.hasPolicies { try destinationContext.refreshAllObjects() }
  }
}

@available(*, unavailable) extension MigrationManager: Sendable {}

extension PersistentStoreCoordinator {
  /// Whether any store has an entity; true without a name.
  fileprivate func holds(_ entityName: String?) -> Bool {
    entityName == nil || bindings.contains { $0.name == entityName }
  }
}

extension ManagedObjectContext {
  /// Throws if a value could not be read: an object created from it would be wrong.
  fileprivate func throwReadingError() throws {
    if let faultingError { throw faultingError }
  }
}

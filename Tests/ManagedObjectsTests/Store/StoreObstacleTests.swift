import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Stores with something that a writer unaware of it would break.
@Suite struct StoreObstacleTests {
  /// Something that an app's framework put into its store.
  enum Obstacle: CaseIterable {
    case historyChanges, historyTransactions, historyStrings, derivedAttribute, cloudKit

    var sql: String {
      switch self {
      case .historyChanges: "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)"
      case .historyTransactions: "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY)"
      case .historyStrings: "CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY)"
      case .derivedAttribute:
        """
        CREATE TRIGGER Z_DA_ZDOG_Dog_name_INSERT AFTER INSERT ON ZDOG
        BEGIN UPDATE ZDOG SET ZTARGETMINUTES = 1; END
        """
      case .cloudKit: "CREATE TABLE ANSCKDATABASEMETADATA (Z_PK INTEGER PRIMARY KEY)"
      }
    }

    var name: PersistentStoreError.WriteObstacle {
      switch self {
      case .historyChanges, .historyTransactions, .historyStrings: .persistentHistory
      case .derivedAttribute: .derivedAttributes
      case .cloudKit: .cloudKit
      }
    }
  }

  private let folder: StoreFolder

  init() throws {
    folder = try StoreFolder()
    try folder.save("Fido", minutes: [5])
  }

  @Test(arguments: [Obstacle.historyChanges, .historyTransactions, .historyStrings])
  func `with a history it is read-only and unchanged, and a save reports why`(obstacle: Obstacle)
    throws
  {
    try SQLiteFile(folder.store).execute(obstacle.sql)
    let before = try folder.bytes()
    do {
      let container = try folder.open()
      #expect(container.persistentStore.isReadOnly)
      let context = container.newBackgroundContext()
      _ = try Dog.findOrCreate(named: "Rex", in: context)
      let error = #expect(throws: PersistentStoreError.self) { try context.save() }
      guard case .cannotWrite(folder.store, .persistentHistory) = error else {
        throw try #require(error)
      }
    }
    #expect(try folder.bytes() == before)
  }

  @Test(arguments: [Obstacle.derivedAttribute, .cloudKit])
  func `is refused for writing, and unchanged`(obstacle: Obstacle) throws {
    try SQLiteFile(folder.store).execute(obstacle.sql)
    let before = try folder.bytes()
    let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
    guard case .cannotWrite(folder.store, let found) = error else { throw try #require(error) }
    #expect(found == obstacle.name)
    #expect(try folder.bytes() == before)
  }

  @Test(arguments: Obstacle.allCases)
  func `is read`(obstacle: Obstacle) throws {
    try SQLiteFile(folder.store).execute(obstacle.sql)
    let context = try folder.open { $0.isReadOnly = true }.newBackgroundContext()
    #expect(try Dog.findOrCreate(named: "Fido", in: context).minutes == [5])
  }

  @Test(arguments: Obstacle.allCases)
  func `is written where the caller insists`(obstacle: Obstacle) throws {
    try SQLiteFile(folder.store).execute(obstacle.sql)
    let context = try folder.open { $0.ignoredObstacles = [obstacle.name] }.newBackgroundContext()
    _ = try Dog.findOrCreate(named: "Rex", in: context)
    try context.save()
    #expect(try SQLiteFile(folder.store).column("SELECT ZNAME FROM ZDOG") == ["Fido", "Rex"])
  }

  @Test func `insisting on one obstacle does not overlook another`() throws {
    for obstacle in Obstacle.allCases { try SQLiteFile(folder.store).execute(obstacle.sql) }
    let error = #expect(throws: PersistentStoreError.self) {
      try folder.open { $0.ignoredObstacles = [.persistentHistory, .cloudKit] }
    }
    guard case .cannotWrite(_, .derivedAttributes) = error else { throw try #require(error) }
  }

  @Test func `another model is refused unless the caller insists, and the file is unchanged`()
    throws
  {
    // The same columns under another hash.
    let stricter = ManagedObjectModel(
      entities: ManagedObjectModel.dogWalk.entities.map { entity in
        var entity = entity
        entity.versionHashModifier = "stricter"
        return entity
      })
    let before = try folder.bytes()
    let error = #expect(throws: PersistentStoreError.self) { try folder.open(stricter) }
    guard case .incompatibleModel = error else { throw try #require(error) }
    #expect(try folder.bytes() == before)

    let context = try folder.open(stricter) { $0.ignoresModelVersioning = true }
      .newBackgroundContext()
    let dogs = try context.fetch(FetchRequest<ManagedObject>(entityName: "Dog"))
    #expect(dogs.count == 1)
    context.delete(dogs[0])
    try context.save()
    #expect(try folder.contents().isEmpty)
  }

  @Test func `another model whose columns are missing is refused all the same`() throws {
    var dog = try #require(ManagedObjectModel.dogWalk.entitiesByName["Dog"])
    let walk = try #require(ManagedObjectModel.dogWalk.entitiesByName["Walk"])
    dog.properties.append(.attribute(AttributeDescription(name: "weight", type: .double)))
    let wider = ManagedObjectModel(entities: [dog, walk])
    let cat = ManagedObjectModel(entities: [EntityDescription(name: "Cat", properties: [])])
    for model in [wider, cat] {
      let error = #expect(throws: PersistentStoreError.self) {
        try folder.open(model) { $0.ignoresModelVersioning = true }
      }
      guard case .incompatibleModel = error else { throw try #require(error) }
    }
  }

  @Test func `foreign tables and triggers are kept`() throws {
    try SQLiteFile(folder.store).execute("CREATE TABLE Z_DA_NOTES (text); CREATE TABLE other (x)")
    try folder.save("Rex")
    #expect(try SQLiteFile(folder.store).value("SELECT count(*) FROM other") == "0")
  }
}

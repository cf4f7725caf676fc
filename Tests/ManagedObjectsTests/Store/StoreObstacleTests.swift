import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Stores with something that a writer who does not know it would break.
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

  @Test(arguments: Obstacle.allCases)
  func `is refused for writing, untouched`(obstacle: Obstacle) throws {
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

  @Test func `other tables and triggers are none of ours, and stay`() throws {
    try SQLiteFile(folder.store).execute("CREATE TABLE Z_DA_NOTES (text); CREATE TABLE other (x)")
    try folder.save("Rex")
    #expect(try SQLiteFile(folder.store).value("SELECT count(*) FROM other") == "0")
  }
}

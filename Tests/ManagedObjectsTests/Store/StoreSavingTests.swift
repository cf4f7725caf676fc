import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// What a save writes, and how.
@Suite struct StoreSavingTests {
  let stack: Stack
  let file: SQLiteFile

  init() throws {
    stack = try Stack()
    file = try SQLiteFile(stack.url)
  }

  /// The statements that run on the stack's connection during some work.
  private func statements(_ body: () throws -> Void) rethrows -> [String] {
    let log = StatementLog()
    connection.onStatement { log.texts.append($0) }
    try body()
    connection.onStatement { _ in }
    return log.texts
  }

  private final class StatementLog {
    var texts: [String] = []
  }

  private var connection: Connection {
    (stack.container.persistentStore as! SQLiteStore).connection
  }

  @Test func `all changes are made in one transaction`() throws {
    let fido = try stack.dog("Fido", minutes: [1, 2])
    let ran = try statements {
      stack.context.delete(fido.walks[0])
      fido.targetMinutes = 60
      fido.addToWalks(stack.walk(minutes: 3))
      try stack.context.save()
    }
    #expect(ran.first { !$0.hasPrefix("SELECT") } == "BEGIN IMMEDIATE")
    #expect(ran.last == "COMMIT")
    #expect(ran.count { ["BEGIN IMMEDIATE", "COMMIT"].contains($0) } == 2)
  }

  @Test func `no statement runs for a save without changes`() throws {
    try stack.dog("Fido")
    #expect(try statements { try stack.context.save() }.isEmpty)
  }

  @Test func `an update names only the changed columns`() throws {
    let fido = try stack.dog("Fido", minutes: [1])
    let ran = try statements {
      fido.walks[0].note = "rain"
      fido.walks[0].peeCount = 2
      try stack.context.save()
    }
    #expect(
      ran.filter { $0.hasPrefix("UPDATE") } == [
        """
        UPDATE ZWALK
        SET ZNOTE = ?, ZPEECOUNT = ?, Z_OPT = (coalesce(Z_OPT, 0) & 4611686018427387903) + 1
        WHERE Z_PK = ? AND coalesce(Z_OPT, 0) & 4294967295 = ?
        """
      ])
  }

  @Test func `a value that was changed and changed back is not written`() throws {
    let fido = try stack.dog("Fido")
    let ran = try statements {
      fido.name = "Rex"
      fido.name = "Fido"
      try stack.context.save()
    }
    #expect(!ran.contains { $0.hasPrefix("UPDATE") })
    #expect(try file.value("SELECT Z_OPT FROM ZDOG") == "1")
  }

  @Test func `changing only the list leaves the row of its owner unchanged`() throws {
    let fido = try stack.dog("Fido")
    fido.addToWalks(stack.walk(minutes: 1))
    try stack.context.save()
    #expect(try file.value("SELECT Z_OPT FROM ZDOG") == "1")
  }

  @Test func `statements are prepared once, however often a context saves`() throws {
    let fido = try stack.dog("Fido", minutes: [1])
    func work(_ minutes: Int) throws {
      fido.addToWalks(stack.walk(minutes: minutes))
      fido.walks[0].note = "note \(minutes)"
      stack.context.delete(fido.walks[1])
      try stack.context.save()
    }
    for minutes in 2..<5 { try work(minutes) }
    let before = connection.preparedStatements.sorted()
    let ran = try statements { for minutes in 5..<20 { try work(minutes) } }
    let after = connection.preparedStatements.sorted()
    #expect(after == before)
    #expect(Set(after).count == after.count)
    #expect(Set(ran).isSubset(of: after))
  }

  @Test func `Z_OPT is 1 for a new row, and incremented with each saved change`() throws {
    let fido = try stack.dog("Fido")
    var versions = [try file.value("SELECT Z_OPT FROM ZDOG")]
    for minutes: Int16 in [30, 60] {
      fido.targetMinutes = minutes
      try stack.context.save()
      versions.append(try file.value("SELECT Z_OPT FROM ZDOG"))
    }
    #expect(versions == ["1", "2", "3"])
  }

  @Test func `Z_MAX is the highest key ever assigned, by table`() throws {
    try stack.dog("Fido", minutes: [1, 2, 3])
    #expect(
      try file.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0 ORDER BY 1")
        == [["Dog", "1"], ["Walk", "3"]])
  }

  @Test func `a key is never reused, not even that of the last row`() throws {
    let fido = try stack.dog("Fido", minutes: [1, 2])
    stack.context.delete(fido.walks[1])
    try stack.context.save()
    fido.addToWalks(stack.walk(minutes: 3))
    try stack.context.save()
    #expect(try file.column("SELECT Z_PK FROM ZWALK ORDER BY 1") == ["1", "3"])
  }

  @Test func `a Z_MAX that is too low does not overwrite a row`() throws {
    let fido = try stack.dog("Fido", minutes: [1, 2])
    try file.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
    fido.addToWalks(stack.walk(minutes: 3))
    try stack.context.save()
    #expect(try file.column("SELECT Z_PK FROM ZWALK ORDER BY 1") == ["1", "2", "3"])
    #expect(try file.number("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Walk'") == 3)
  }

  @Test func `objects with sparse temporary keys get their own keys in one save`() throws {
    let fido = try stack.dog("Fido")
    let other = stack.anotherContext()
    fido.addToWalks(stack.walk(minutes: 1))
    for _ in 0..<2_000 { _ = Walk(context: other) }
    fido.addToWalks(stack.walk(minutes: 2))
    try stack.context.save()
    #expect(
      try file.rows("SELECT Z_PK, ZDURATION FROM ZWALK ORDER BY 1") == [
        ["1", "60.0"], ["2", "120.0"],
      ]
    )
    #expect(fido.walks.map(\.number) == [1, 2])
  }

  @Test func `a save without available keys is refused`() throws {
    let fido = try stack.dog("Fido", minutes: [1])
    try file.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807")
    fido.addToWalks(stack.walk(minutes: 2))
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(try file.value("SELECT count(*) FROM ZWALK") == "1")
  }

  @Test func `a row without Z_OPT can be changed, and then has one`() throws {
    try stack.dog("Fido")
    try file.execute("UPDATE ZDOG SET Z_OPT = NULL")
    let context = stack.anotherContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    fido.targetMinutes = 60
    try context.save()
    #expect(try file.value("SELECT Z_OPT FROM ZDOG") == "1")
  }

  @Test func `a row without Z_OPT can be deleted`() throws {
    let fido = try stack.dog("Fido")
    try file.execute("UPDATE ZDOG SET Z_OPT = NULL")
    let context = stack.anotherContext()
    context.delete(try context.existingObject(with: fido.objectID))
    try context.save()
    #expect(try file.value("SELECT count(*) FROM ZDOG") == "0")
  }

  @Test func `a conflict prevents the whole save`() throws {
    let fido = try stack.dog("Fido", minutes: [1])
    _ = fido.targetMinutes
    try file.execute("UPDATE ZDOG SET Z_OPT = 2")
    fido.targetMinutes = 60
    fido.addToWalks(stack.walk(minutes: 2))
    #expect(throws: ConflictError.self) { try stack.context.save() }
    #expect(try file.value("SELECT count(*) FROM ZWALK") == "1")
    #expect(try file.value("SELECT ZTARGETMINUTES FROM ZDOG") == "NULL")
  }

  @Test func `a unique value can move from a deleted dog to a new one in one save`() throws {
    let fido = try stack.dog("Fido")
    stack.context.delete(fido)
    let other = Dog(context: stack.context)
    other.name = "Fido"
    other.nameKey = fido.nameKey
    try stack.context.save()
    #expect(try file.rows("SELECT Z_PK, ZNAME FROM ZDOG") == [["2", "Fido"]])
  }

  @Test func `a duplicate of a unique value is named, and nothing is saved`() throws {
    let fido = try stack.dog("Fido")
    let other = Dog(context: stack.context)
    other.name = "Other"
    other.nameKey = fido.nameKey
    let error = #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(error?.description == "Another Dog has the same nameKey.")
    #expect(try file.value("SELECT count(*) FROM ZDOG") == "1")
  }

  @Test func `unknown keys of the metadata are kept when one is set`() throws {
    let coordinator = stack.container.persistentStoreCoordinator
    let store = stack.container.persistentStore
    try coordinator.setMetadata(.string("an app's own"), forKey: "AppKey", of: store)
    try coordinator.setMetadata(.string("fido"), forKey: "currentDog", of: store)
    let metadata = try coordinator.metadata(for: store)
    #expect(metadata["AppKey"] == .string("an app's own"))
    #expect(metadata["currentDog"] == .string("fido"))
    #expect(metadata["NSStoreType"] == .string("SQLite"))
  }

  @Test func `a key of the metadata can be removed`() throws {
    let coordinator = stack.container.persistentStoreCoordinator
    let store = stack.container.persistentStore
    try coordinator.setMetadata(.integer(1), forKey: "AppKey", of: store)
    try coordinator.setMetadata(nil, forKey: "AppKey", of: store)
    #expect(try coordinator.metadata(for: store)["AppKey"] == nil)
  }
}

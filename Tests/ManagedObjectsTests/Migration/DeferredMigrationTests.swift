import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Migrations that leave the columns of removed properties for later.
struct DeferredMigrationTests {
  /// Dogs without a name, and with a weight.
  private static let unnamed = StoreMigrationTests.changed("Dog") {
    $0.properties[0] = .value("weight", .double)
  }

  private static func columns(of folder: StoreFolder) throws -> [String] {
    try SQLiteFile(folder.store).column("SELECT name FROM pragma_table_info('ZDOG') ORDER BY 1")
  }

  private static func deferring(_ options: inout PersistentStoreOptions) {
    options.defersMigration = true
  }

  private func finish(_ folder: StoreFolder, _ model: ManagedObjectModel) throws -> Bool {
    try folder.open(model).persistentStoreCoordinator.finishDeferredMigration()
  }

  @Test func `a column stays until its removal is due`() throws {
    let folder = try StoreMigrationTests.kennel()
    try folder.migrate(to: Self.unnamed, Self.deferring)
    #expect(try Self.columns(of: folder) == ["ZNAME", "ZWEIGHT", "Z_ENT", "Z_OPT", "Z_PK"])
    let before = try folder.snapshot(Self.unnamed)
    do {
      let container = try folder.open(Self.unnamed)
      let coordinator = container.persistentStoreCoordinator
      // An app's own metadata don't make the store forget.
      try coordinator.setMetadata(["colour": .string("red")], for: container.persistentStore)
      #expect(try coordinator.finishDeferredMigration())
      #expect(try coordinator.finishDeferredMigration() == false)
      let context = container.newBackgroundContext()
      ManagedObject("Dog", in: context).setValue(7.5, forKey: "weight")
      try context.save()
    }
    #expect(try Self.columns(of: folder) == ["ZWEIGHT", "Z_ENT", "Z_OPT", "Z_PK"])
    let after = try folder.snapshot(Self.unnamed)
    #expect(after.objects.count == before.objects.count + 1)
    #expect(before.objects.allSatisfy { after.objects[$0.key] == $0.value })
    let metadata = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: folder.store, type: .sqlite)
    #expect(metadata["MODeferredColumns"] == nil && metadata["colour"] == .string("red"))
  }

  @Test func `a property added again has none of its former values`() throws {
    let folder = try StoreMigrationTests.kennel()
    try folder.migrate(to: Self.unnamed, Self.deferring)
    let renamed = StoreMigrationTests.changed(Self.unnamed, "Dog") {
      $0.properties[0] = .attribute(
        AttributeDescription(
          name: "mass", type: .double, isOptional: true, renamingIdentifier: "weight"))
    }
    try folder.migrate(to: renamed, Self.deferring)
    #expect(try Self.columns(of: folder) == ["ZMASS", "ZNAME", "Z_ENT", "Z_OPT", "Z_PK"])
    let named = StoreMigrationTests.changed(renamed, "Dog") {
      $0.properties.append(.value("name", .string))
    }
    try folder.migrate(to: named, Self.deferring)
    #expect(try SQLiteFile(folder.store).column("SELECT ZNAME FROM ZDOG") == ["NULL", "NULL"])
    #expect(try finish(folder, named) == false)
  }

  @Test func `a read-only store keeps it`() throws {
    let folder = try StoreMigrationTests.kennel()
    try folder.migrate(to: Self.unnamed, Self.deferring)
    let before = try folder.bytes()
    let container = try folder.open(Self.unnamed) { $0.isReadOnly = true }
    #expect(throws: PersistentStoreError.self) {
      try container.persistentStoreCoordinator.finishDeferredMigration()
    }
    #expect(try folder.bytes() == before)
  }

  @Test func `a context that has the store open continues`() throws {
    let folder = try StoreMigrationTests.kennel()
    try folder.migrate(to: Self.unnamed, Self.deferring)
    let container = try folder.open(Self.unnamed)
    let context = container.newBackgroundContext()
    let request = FetchRequest<ManagedObject>(entityName: "Dog")
    let dogs = try context.fetch(request)
    #expect(try finish(folder, Self.unnamed))
    dogs[0].setValue(3.0, forKey: "weight")
    ManagedObject("Dog", in: context).setValue(4.0, forKey: "weight")
    try context.save()
    #expect(try context.count(for: request) == 3)
    #expect(
      try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: Self.unnamed).isEmpty)
  }
}

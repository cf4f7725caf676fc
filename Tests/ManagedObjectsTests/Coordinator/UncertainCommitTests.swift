import DataModel
import Foundation
import Testing

@testable import ManagedObjects

/// Saves into a document and another store that fails at its commit: the document is replaced only
/// after that, so it must not count as saved.
@Suite struct UncertainCommitTests {
  private static let model = ManagedObjectModel(
    entities: ["Note", "Entry"].map { name in
      EntityDescription(name: name, properties: [.value("text", .string)])
    }, configurations: ["Notes": ["Note"], "Entries": ["Entry"]])

  /// A store whose saves fail as those of a disk that breaks at the end.
  final class BreakingStore: IncrementalStore, @unchecked Sendable {
    static let breaking = PersistentStore.StoreType("Breaking")
    var isBroken = true

    override func loadMetadata() throws { metadata = ["NSStoreUUID": .string("B4EA")] }
    override func execute(_ request: SaveChangesRequest) throws {
      if isBroken {
        throw PersistentStoreError(errno: EIO, at: URL(filePath: "/entries"), isUncertain: true)
      }
    }
  }

  @Test(arguments: Stack.documentTypes)
  func `what another store did not commit is not counted as saved in a document`(
    type: PersistentStore.StoreType
  ) throws {
    PersistentStoreCoordinator.registerStoreClass(
      BreakingStore.self, forStoreType: BreakingStore.breaking)
    let folder = try StoreFolder()
    let url = folder.url.appending(path: "Notes")
    func open() throws -> (ManagedObjectContext, PersistentStoreCoordinator) {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: Self.model)
      try coordinator.addPersistentStore(type: type, configurationName: "Notes", at: url)
      return (ManagedObjectContext(persistentStoreCoordinator: coordinator), coordinator)
    }
    func stored() throws -> [String?] {
      let (context, _) = try open()
      return try context.all("Note").map { $0.value(forKey: "text") as? String }
    }
    let (context, coordinator) = try open()
    let store = try #require(
      try coordinator.addPersistentStore(
        type: BreakingStore.breaking, configurationName: "Entries", at: nil) as? BreakingStore)
    let note = ManagedObject("Note", in: context)
    note.setValue("buy a leash", forKey: "text")
    _ = ManagedObject("Entry", in: context)
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .uncertain = error else { throw try #require(error) }
    #expect(note.isInserted && context.hasChanges)
    #expect(try stored().isEmpty)
    store.isBroken = false
    try context.save()
    #expect(!context.hasChanges)
    #expect(try stored() == ["buy a leash"])
  }
}

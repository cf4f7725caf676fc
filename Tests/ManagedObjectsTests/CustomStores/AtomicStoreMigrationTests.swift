import DataModel
import Foundation
import Testing

@testable import ManagedObjects

/// A program's own stores, of another version of the model.
@Suite struct AtomicStoreMigrationTests {
  private let folder: StoreFolder

  init() throws {
    BundleStore.register()
    folder = try StoreFolder(named: "Staff.bundle")
    let coordinator = PersistentStoreCoordinator(managedObjectModel: Staff.model)
    let store = try coordinator.addPersistentStore(type: BundleStore.bundle, at: folder.store)
    try coordinator.setMetadata(.string("here"), forKey: "Kept", of: store)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    for name in ["Anna", "Ben"] {
      ManagedObject("Employee", in: context).setValue(name, forKey: "name")
    }
    try context.save()
  }

  private static let newer: ManagedObjectModel = {
    var entities = Staff.model.entities
    entities[0].properties.append(.value("office", .string))
    return ManagedObjectModel(entities: entities)
  }()

  private func open(
    _ type: PersistentStore.StoreType = BundleStore.bundle,
    _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> PersistentContainer {
    try Staff.open(folder.store, type, migratingTo: Self.newer, change)
  }

  private func file() throws -> Data {
    try Data(contentsOf: folder.store.appending(path: "store.plist"))
  }

  @Test func `a store whose class supports it is migrated when it is opened`() throws {
    let before = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: folder.store, type: BundleStore.bundle)
    let container = try open()
    let context = container.newBackgroundContext()
    let found = try context.all("Employee")
    #expect(found.map { $0.text("name") } == ["Anna", "Ben"])
    #expect(
      found.map { $0.objectID.uriRepresentation().lastPathComponent } == ["p1", "p2"])
    found[0].setValue("4", forKey: "office")
    try context.save()
    let after = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: folder.store, type: BundleStore.bundle)
    #expect(after["NSStoreUUID"] == before["NSStoreUUID"])
    #expect(after["NSStoreModelVersionHashes"] != before["NSStoreModelVersionHashes"])
    #expect(after["Kept"] == .string("here"))
  }

  @Test func `a store without a known model or mapping is left unchanged`() throws {
    let before = try file()
    #expect(throws: MigrationError.missingSourceModel(folder.store)) {
      try open { $0.sourceModels = [] }
    }
    #expect(throws: MigrationError.missingMappingModel(folder.store)) {
      try open { $0.infersMapping = false }
    }
    #expect(try file() == before)
  }

  @Test func `a class that writes only changes is asked, and may refuse`() throws {
    let stubborn = PersistentStore.StoreType("Stubborn")
    PersistentStoreCoordinator.registerStoreClass(StubbornStore.self, forStoreType: stubborn)
    let url = folder.url.appending(path: "Staff.stubborn")
    let coordinator = PersistentStoreCoordinator(managedObjectModel: Staff.model)
    try coordinator.addPersistentStore(type: stubborn, at: url)
    var options = PersistentStoreOptions.migrating
    options.sourceModels = [Staff.model]
    let error = #expect(throws: PersistentStoreError.self) {
      try PersistentStoreCoordinator(managedObjectModel: Self.newer)
        .addPersistentStore(type: stubborn, at: url, options: options)
    }
    #expect(
      error?.description
        == "Stubborn stores cannot be migrated to another version of the model.")
  }

  @Test func `a backup that the class cannot make is an error, and nothing has changed`() throws {
    let before = try file()
    let backup = folder.url.appending(path: "old")
    let error = #expect(throws: PersistentStoreError.self) {
      try open { $0.migrationBackupURL = backup }
    }
    guard case .unsupportedOperation(BundleStore.bundle, _) = error else {
      throw try #require(error)
    }
    #expect(try file() == before)
  }

  /// Migrates a store whose class fails in some way; returns the backup's URL, and the error.
  private func migrate(_ kind: MetadataStore.Type) throws -> (backup: URL, PersistentStoreError?) {
    let type = PersistentStore.StoreType("\(kind)")
    PersistentStoreCoordinator.registerStoreClass(kind, forStoreType: type)
    let url = folder.url.appending(path: "Staff.metadata")
    try PersistentStoreCoordinator(managedObjectModel: Staff.model)
      .addPersistentStore(type: type, at: url)
    let backup = folder.url.appending(path: "old")
    let error = #expect(throws: PersistentStoreError.self) {
      _ = try Staff.open(url, type, migratingTo: Self.newer) { $0.migrationBackupURL = backup }
    }
    return (backup, error)
  }

  @Test func `a backup is kept where the store may have been replaced after all`() throws {
    let (backup, error) = try migrate(UncertainStore.self)
    guard case .uncertain = error else { throw try #require(error) }
    #expect(FileManager.default.fileExists(atPath: backup.path))
  }

  @Test func `an incomplete backup is removed`() throws {
    let (backup, error) = try migrate(FailingBackupStore.self)
    guard case .full = error else { throw try #require(error) }
    #expect(!FileManager.default.fileExists(atPath: backup.path))
  }

  @Test func `an incremental store reports that it cannot be migrated`() throws {
    let dated = PersistentStore.StoreType("Dated")
    PersistentStoreCoordinator.registerStoreClass(DatedStore.self, forStoreType: dated)
    func open(_ options: PersistentStoreOptions) throws {
      try PersistentStoreCoordinator(managedObjectModel: Self.newer)
        .addPersistentStore(type: dated, at: nil, options: options)
    }
    let error = #expect(throws: PersistentStoreError.self) { try open(.migrating) }
    #expect(
      error?.description == "Dated stores cannot be migrated to another version of the model.")
    let refused = #expect(throws: PersistentStoreError.self) { try open(.init()) }
    guard case .incompatibleModel = refused else { throw try #require(refused) }
  }
}

/// A store of an older version of the model.
private final class DatedStore: IncrementalStore, @unchecked Sendable {
  override func loadMetadata() throws {
    let hashes = Staff.model.entityVersionHashesByName.mapValues {
      PropertyList.data(Data($0.bytes))
    }
    metadata = [
      "NSStoreUUID": .string("8C6E1D2A-0000-4000-8000-000000000001"),
      "NSStoreModelVersionHashes": .dictionary(hashes),
    ]
  }
}

/// A store that does not declare that it can be migrated.
private final class StubbornStore: MetadataStore, @unchecked Sendable {}

/// A store for which it is unknown whether it was saved, once it is migrated.
private final class UncertainStore: MetadataStore, @unchecked Sendable {
  override func willMigrate() {}

  override func save() throws {
    let isMigrated =
      managedObjectModel.entityVersionHashesByName != Staff.model.entityVersionHashesByName
    try super.save()
    if isMigrated {
      throw PersistentStoreError.uncertain(
        file, SQLiteError(extendedCode: 10, message: "disk I/O error"))
    }
  }
}

/// A store whose backups fail halfway.
private final class FailingBackupStore: MetadataStore, @unchecked Sendable {
  override func willMigrate() {}

  override class func replacePersistentStore(
    at destinationURL: URL, destinationOptions: PersistentStoreOptions,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: PersistentStoreOptions, type: StoreType
  ) throws {
    try Data().write(to: destinationURL)
    throw PersistentStoreError.full(destinationURL)
  }
}

/// A store with nothing but its metadata.
private class MetadataStore: AtomicStore, @unchecked Sendable {
  final var file: URL { url ?? URL(filePath: "/nowhere") }

  override class func replacePersistentStore(
    at destinationURL: URL, destinationOptions: PersistentStoreOptions,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: PersistentStoreOptions, type: StoreType
  ) throws {
    try FileManager.default.copyItem(at: sourceURL, to: destinationURL)
  }

  override func loadMetadata() throws {
    guard FileManager.default.fileExists(atPath: file.path),
      case .dictionary(let found) = try PropertyList(binary: Data(contentsOf: file))
    else { return }
    metadata = found
  }

  override func save() throws { try Data(PropertyList.dictionary(metadata).binary).write(to: file) }
}

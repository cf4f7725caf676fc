import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Stores replaced by their URLs.
@Suite(.serialized) struct StoreReplacingTests {
  private let folder: StoreFolder
  private let backup: StoreFolder
  private let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)

  init() throws {
    folder = try StoreFolder()
    backup = try StoreFolder(named: "Backup.sqlite")
  }

  private func replace(forcibly forces: Bool = false) throws {
    try folder.replace(from: backup, forcibly: forces, through: coordinator)
  }

  private func error(_ body: () throws -> Void) throws -> PersistentStoreError {
    try #require(#expect(throws: PersistentStoreError.self, performing: body))
  }

  @Test func `an existing store is replaced, and a missing one is created`() throws {
    try backup.save("Fido", minutes: [1, 2])
    try replace()
    #expect(try folder.contents() == ["Fido": [1, 2]])
    #expect(try folder.names() == ["DogWalk.sqlite"])
    try folder.save("Bella", minutes: [3])
    try replace()
    #expect(try folder.contents() == ["Fido": [1, 2]])
    #expect(try backup.contents() == ["Fido": [1, 2]])
    let ids = try [folder, backup].map { try $0.open().persistentStore.identifier }
    #expect(ids[0] == ids[1])
    #expect(try SQLiteFile(folder.store).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `changes only in the log are copied, and the old log is discarded`() throws {
    try backup.leaveLog("Fido", minutes: [1, 2])
    try folder.leaveLog("Bella", minutes: [3, 4], withIndex: true)
    let before = try backup.allBytes()
    try replace()
    #expect(try backup.allBytes() == before)
    #expect(try folder.contents() == ["Fido": [1, 2]])
  }

  @Test func `open contexts read the new store, and write to it once reopened`()
    throws
  {
    try backup.save("Fido", minutes: [1])
    try folder.save("Bella", minutes: [3])
    let container = try folder.open()
    let context = container.newBackgroundContext()
    #expect(try context.fetch(Dog.fetchRequest()).map(\.name) == ["Bella"])
    try replace()
    context.reset()
    #expect(try context.fetch(Dog.fetchRequest()).map(\.name) == ["Fido"])
    try Dog.findOrCreate(named: "Fido", in: context).addToWalks(Walk(minutes: 2, in: context))
    try expectMoved { try context.save() }
    try folder.save("Fido", minutes: [2])
    #expect(try folder.contents() == ["Fido": [1, 2]])
  }

  private func expectMoved(_ body: () throws -> Void) throws {
    let error = try error(body)
    guard case .moved(folder.store) = error else { throw error }
  }

  /// What replaces a store, in the same file.
  enum Successor: CaseIterable { case another, ownBackup, madeAnew }

  /// How an object is written.
  enum Writing: CaseIterable { case change, deletion, insertion, batch, metadata }

  @Test(arguments: Successor.allCases, Writing.allCases)
  func `objects read from a store are not saved into its replacement`(
    successor: Successor, writing: Writing
  ) throws {
    try folder.save("Bella", minutes: [3])
    if successor == .another { try backup.save("Fido", minutes: [3]) }
    let container = try folder.open()
    let coordinator = container.persistentStoreCoordinator
    if successor == .ownBackup { try coordinator.copy(container.persistentStore, to: backup.store) }
    let context = container.newBackgroundContext()
    let bella = try #require(try context.fetch(Dog.fetchRequest()).first)
    switch successor {
    case .another: try replace()
    case .ownBackup:
      try folder.save("Bella", minutes: [4])
      try replace()
    case .madeAnew:
      try folder.destroy()
      try folder.save("Fido", minutes: [3])
    }
    let id = try SQLiteFile(folder.store).value("SELECT Z_UUID FROM Z_METADATA")
    #expect((id == container.persistentStore.identifier) == (successor == .ownBackup))
    func write() throws {
      switch writing {
      case .change:
        bella.targetMinutes = 30
        try context.save()
      case .deletion:
        context.delete(bella)
        try context.save()
      case .insertion:
        bella.addToWalks(Walk(minutes: 5, in: context))
        try context.save()
      case .batch: _ = try context.execute(BatchDeleteRequest(fetchRequest: Dog.fetchRequest()))
      case .metadata:
        try coordinator.setMetadata(.string("x"), forKey: "x", of: container.persistentStore)
      }
    }
    for _ in 0..<2 {
      try expectMoved(write)
      try expectMoved { try context.performWriting(write) }
    }
    #expect(try folder.contents() == [successor == .ownBackup ? "Bella" : "Fido": [3]])
    #expect(try SQLiteFile(folder.store).number("SELECT count(ZTARGETMINUTES) FROM ZDOG") == 0)
    let metadata = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: folder.store, type: .sqlite)
    #expect(metadata["x"] == nil)
  }

  @Test func `a store's identity is only checked after other writes`() throws {
    try folder.save("Bella")
    let container = try folder.open()
    let connection = try #require(container.persistentStore as? SQLiteStore).connection
    var questions = 0
    connection.onStatement { if $0.contains("Z_UUID") { questions += 1 } }
    defer { connection.onStatement { _ in } }
    let context = container.newBackgroundContext()
    let bella = try Dog.findOrCreate(named: "Bella", in: context)
    func save() throws {
      bella.addToWalks(Walk(minutes: 1, in: context))
      try context.save()
    }
    try save()
    try save()
    #expect(questions == 0)
    try folder.save("Rex")
    try save()
    #expect(questions == 1)
    try context.performWriting { try save() }
    #expect(questions == 1)
  }

  @Test func `a reader keeps the old store until it has ended`() throws {
    try backup.save("Fido", minutes: [1])
    try folder.save("Bella", minutes: [3])
    let reader = try SQLiteFile(folder.store)
    try reader.execute("BEGIN")
    #expect(try reader.column("SELECT ZNAME FROM ZDOG") == ["Bella"])
    try replace()
    #expect(try reader.column("SELECT ZNAME FROM ZDOG") == ["Bella"])
    try reader.execute("COMMIT")
    #expect(try reader.column("SELECT ZNAME FROM ZDOG") == ["Fido"])
  }

  @Test func `a store that is being written is busy, and stays`() throws {
    try backup.save("Fido", minutes: [1])
    try folder.save("Bella", minutes: [3])
    let writer = try SQLiteFile(folder.store)
    try writer.execute("BEGIN IMMEDIATE")
    for attempt in [{ try replace() }, { try folder.destroy(through: coordinator) }] {
      guard case .busy(folder.store) = try error(attempt) else {
        Issue.record("not told as busy")
        return
      }
    }
    try writer.execute("ROLLBACK")
    #expect(try folder.contents() == ["Bella": [3]])
  }

  @Test func `files of large values are copied, and old ones removed`() throws {
    let model = ExternalDataTests.model
    func save(_ byte: UInt8, _ folder: StoreFolder) throws {
      let context = try folder.open(model).newBackgroundContext()
      ManagedObject("Photo", in: context)
        .setOptionalValue(Data(repeating: byte, count: 200_000), at: PropertySlot(-1, "image"))
      try context.save()
    }
    try save(1, backup)
    try save(2, folder)
    try replace()
    let container = try folder.open(model)
    let context = container.newBackgroundContext()
    let photos = try context.fetch(FetchRequest<ManagedObject>(entityName: "Photo"))
    #expect(
      photos.map { $0.optionalValue(at: PropertySlot(-1, "image")) }
        == [Data(repeating: 1, count: 200_000)])
    let files = folder.url.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 1)
    #expect(
      try container.persistentStoreCoordinator.problems(in: container.persistentStore).isEmpty)
  }

  @Test func `a store replaced by its own backup keeps its files of large values`() throws {
    let model = ExternalDataTests.model
    let image = PropertySlot(-1, "image")
    let values = [1, 2].map { Data(repeating: $0, count: 200_000) }
    do {
      let container = try folder.open(model)
      let context = container.newBackgroundContext()
      let photo = ManagedObject("Photo", in: context)
      photo.setOptionalValue(values[0], at: image)
      try context.save()
      try container.persistentStoreCoordinator.copy(container.persistentStore, to: backup.store)
      ManagedObject("Photo", in: context).setOptionalValue(values[1], at: image)
      try context.save()
    }
    for _ in 0..<2 {
      try replace()
      let container = try folder.open(model)
      let context = container.newBackgroundContext()
      let photos = try context.fetch(FetchRequest<ManagedObject>(entityName: "Photo"))
      #expect(photos.map { $0.optionalValue(at: image) } == [values[0]])
      #expect(
        try container.persistentStoreCoordinator.problems(in: container.persistentStore).isEmpty)
    }
    let files = folder.url.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 1)
  }

  @Test func `a file deleted while a store waits to be replaced is restored from its backup`()
    throws
  {
    let model = ExternalDataTests.model
    let image = PropertySlot(-1, "image")
    let value = Data(repeating: 1, count: 200_000)
    let container = try folder.open(model)
    let context = container.newBackgroundContext()
    let photo = ManagedObject("Photo", in: context)
    photo.setOptionalValue(value, at: image)
    try context.save()
    try container.persistentStoreCoordinator.copy(container.persistentStore, to: backup.store)
    let done = DispatchSemaphore(value: 0)
    let (folder, backup) = (folder, backup)
    try context.performWriting {
      Thread {
        try? PersistentStoreCoordinator(managedObjectModel: model).replacePersistentStore(
          at: folder.store, withPersistentStoreFrom: backup.store)
        done.signal()
      }.start()
      // Time enough to find the existing file, and to wait for this.
      Thread.sleep(forTimeInterval: 0.5)
      context.delete(photo)
      try context.save()
    }
    done.wait()
    let restored = try folder.open(model)
    let other = restored.newBackgroundContext()
    let photos = try other.fetch(FetchRequest<ManagedObject>(entityName: "Photo"))
    #expect(photos.map { $0.optionalValue(at: image) } == [value])
    #expect(
      try restored.persistentStoreCoordinator.problems(in: restored.persistentStore).isEmpty)
  }

  @Test func `a file dropped by a save stays where the replacement refers to it`()
    throws
  {
    let model = ExternalDataTests.model
    let container = try folder.open(model)
    let context = container.newBackgroundContext()
    let photo = ManagedObject("Photo", in: context)
    photo.setOptionalValue(Data(repeating: 1, count: 200_000), at: PropertySlot(-1, "image"))
    try context.save()
    try container.persistentStoreCoordinator.copy(container.persistentStore, to: backup.store)
    let store = try #require(
      container.persistentStoreCoordinator.rowStores.first as? SQLiteStore)
    let column = try SQLiteFile(folder.store).value("SELECT hex(ZIMAGE) FROM ZPHOTO")
    let name = try #require(try ExternalDataFiles.names(in: store.connection).first)
    #expect(column.hasPrefix("02"))
    let dropped = ExternalDataChanges(in: store.files)
    (Array<UInt8>([2]) + name.utf8 + [0]).withUnsafeBytes { dropped.drop($0) }
    try replace()
    var files = DroppedFiles(dropped.dropped)
    files.remove(in: store.files, on: store.connection)
    #expect(store.files.has(name))
    // In the store that it belongs to, it is removed.
    let own = try folder.open(model)
    let reopened = try #require(own.persistentStoreCoordinator.rowStores.first as? SQLiteStore)
    files = DroppedFiles(dropped.dropped)
    files.remove(in: store.files, on: reopened.connection)
    #expect(!store.files.has(name))
  }

  @Test func `a different page size is adopted where nothing else has the store open`() throws {
    try backup.save("Fido", minutes: [1])
    _ = try backup.open {
      $0.sqlitePragmas = ["page_size": "16384"]
      $0.vacuumsStore = true
    }
    try folder.save("Bella", minutes: [3])
    try replace()
    #expect(try SQLiteFile(folder.store).value("PRAGMA page_size") == "16384")
    #expect(try folder.contents() == ["Fido": [1]])
  }

  @Test func `a file that is not a store is neither replaced nor copied unless forced`() throws {
    try backup.save("Fido", minutes: [1])
    let other = try SQLiteFile(folder.store)
    try other.execute("CREATE TABLE bills (amount)")
    for attempt in [{ try replace() }, { try folder.destroy(through: coordinator) }] {
      guard case .notAStore(folder.store) = try error(attempt) else {
        Issue.record("not told as another program's")
        return
      }
    }
    #expect(try other.number("SELECT count(*) FROM bills") == 0)
    try replace(forcibly: true)
    #expect(try folder.contents() == ["Fido": [1]])
    try Data("no store at all".utf8).write(to: folder.store)
    for attempt in [{ try replace() }, { try folder.destroy(through: coordinator) }] {
      guard case .corrupt(folder.store, _) = try error(attempt) else {
        Issue.record("not told as another kind of file")
        return
      }
    }
    try replace(forcibly: true)
    #expect(try folder.contents() == ["Fido": [1]])
    try Data("no store".utf8).write(to: backup.store)
    guard case .corrupt(backup.store, _) = try error({ try replace() }) else {
      Issue.record("a source that is none")
      return
    }
    #expect(try folder.contents() == ["Fido": [1]])
  }

  @Test func `a missing source leaves the store unchanged, and an open store is refused`() throws {
    try folder.save("Bella", minutes: [3])
    guard case .fileNotFound(backup.store) = try error({ try replace() }) else {
      Issue.record("not told as missing")
      return
    }
    try backup.save("Fido", minutes: [1])
    try coordinator.addPersistentStore(type: .sqlite, at: folder.store)
    for attempt in [{ try replace() }, { try folder.destroy(through: coordinator) }] {
      guard case .alreadyAdded(folder.store) = try error(attempt) else {
        Issue.record("not told as being here")
        return
      }
    }
    try coordinator.remove(coordinator.persistentStores[0])
    #expect(try folder.contents() == ["Bella": [3]])
    try coordinator.replacePersistentStore(
      at: folder.store, withPersistentStoreFrom: folder.store)
    #expect(try folder.contents() == ["Bella": [3]])
    #expect(try folder.names() == ["DogWalk.sqlite"])
  }

  @Test func `a store is the old one or the new one, whenever the replacing process is killed`()
    async throws
  {
    let shared = try StoreFolder(at: SharedFolder.replaced(of: getpid()))
    let other = try StoreFolder(at: shared.url, named: "Backup.sqlite")
    other.isKept = true
    try shared.save("Bella", minutes: Array(0..<500))
    try other.save("Fido", minutes: Array(0..<2_000))
    var seen: Set<[String: Int]> = []
    for _ in 0..<12 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let folder = try StoreFolder(at: SharedFolder.replaced(of: getppid()))
        folder.isKept = true
        let thread = Thread {
          usleep(.random(in: 0..<40_000))
          kill(getpid(), SIGKILL)
        }
        thread.start()
        try PersistentStoreCoordinator(managedObjectModel: .dogWalk).replacePersistentStore(
          at: folder.store,
          withPersistentStoreFrom: folder.url.appending(path: "Backup.sqlite"))
        while true { pause() }
      }
      #expect(try SQLiteFile(shared.store).value("PRAGMA integrity_check") == "ok")
      seen.insert(try shared.contents().mapValues(\.count))
      try shared.save("Bella", minutes: [])
    }
    #expect(
      seen.isSubset(of: [
        ["Bella": 500], ["Fido": 2_000], ["Fido": 2_000, "Bella": 0],
      ]))
  }
}

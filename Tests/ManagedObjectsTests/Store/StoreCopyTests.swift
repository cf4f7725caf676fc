import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Copies of stores: complete, on the disk, and without affecting others.
@Suite struct StoreCopyTests {
  private static let image = PropertySlot(-1, "image")
  private static let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })

  private let folder: StoreFolder
  private let copy: StoreFolder

  init() throws {
    folder = try StoreFolder()
    copy = try StoreFolder(named: "Copy.sqlite")
  }

  private func container() throws -> PersistentContainer {
    try folder.open(ExternalDataTests.model)
  }

  /// Makes photos with large values, and closes the store.
  private func savePhotos(_ count: Int) throws {
    let context = try container().newBackgroundContext()
    for number in 0..<count {
      let photo = ManagedObject("Photo", in: context)
      photo.setOptionalValue(Self.large + [UInt8(number)], at: Self.image)
    }
    try context.save()
  }

  private func copyStore(_ model: ManagedObjectModel = ExternalDataTests.model) throws {
    let container = try folder.open(model)
    try container.persistentStoreCoordinator.copy(container.persistentStore, to: copy.store)
  }

  private func error(_ body: () throws -> Void) throws -> PersistentStoreError {
    try #require(#expect(throws: PersistentStoreError.self, performing: body))
  }

  @Test func `have the files of large values`() throws {
    try savePhotos(3)
    try copyStore()
    try FileManager.default.removeItem(at: folder.url)
    do {
      let container = try copy.open(ExternalDataTests.model)
      let photos = try container.newBackgroundContext().fetch(
        FetchRequest<ManagedObject>(entityName: "Photo"))
      let values: [Data?] = photos.map { $0.optionalValue(at: Self.image) }
      #expect(Set(values) == Set((0..<3).map { Self.large + [UInt8($0)] }))
      #expect(
        try container.persistentStoreCoordinator.problems(in: container.persistentStore).isEmpty)
    }
    #expect(try copy.names() == [".Copy_SUPPORT", "Copy.sqlite"])
  }

  /// What one of them drops the other would miss.
  @Test func `share no files of large values with a store of a similar name`() throws {
    try savePhotos(1)
    let container = try container()
    let (coordinator, store) = (container.persistentStoreCoordinator, container.persistentStore)
    let alike = folder.url.appending(path: "DogWalk.db")
    try coordinator.copy(store, to: copy.store)
    // Two copies of one store would share them just as well.
    for url in [alike, copy.url.appending(path: "Copy.db")] {
      guard case .unsupportedOperation = try error({ try coordinator.copy(store, to: url) }) else {
        Issue.record("\(url.lastPathComponent) is not refused")
        return
      }
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }
    #expect(try copy.names() == [".Copy_SUPPORT", "Copy.sqlite"])
    for url in [folder.store, copy.store] {
      #expect(
        try PersistentStoreCoordinator.problems(ofStoreAt: url, model: ExternalDataTests.model)
          .isEmpty)
    }
    let context = container.newBackgroundContext()
    for photo in try context.fetch(FetchRequest<ManagedObject>(entityName: "Photo")) {
      context.delete(photo)
    }
    try context.save()
    try coordinator.copy(store, to: alike)
  }

  /// A file that is yet to become such a copy may differ from its name in the extension only.
  @Test func `may have no extension, and be beside a file that is not a store`() throws {
    try savePhotos(1)
    let container = try container()
    try Data("{}".utf8).write(to: copy.url.appending(path: "Copy.json"))
    for name in ["Copy", "Other"] {
      let url = copy.url.appending(path: name)
      try container.persistentStoreCoordinator.copy(container.persistentStore, to: url)
      #expect(
        try PersistentStoreCoordinator.problems(ofStoreAt: url, model: ExternalDataTests.model)
          .isEmpty)
    }
  }

  @Test func `are refused where a file of a large value is missing`() throws {
    try savePhotos(2)
    let files = folder.url.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: files.path).first)
    try FileManager.default.removeItem(at: files.appending(path: name))
    guard case .missingExternalData(let url) = try error({ try copyStore() }) else {
      Issue.record("not told as missing")
      return
    }
    #expect(url.lastPathComponent == name)
    #expect(try copy.allBytes().filter { !$0.value.isEmpty }.isEmpty)
    let container = try container()
    let faults = try container.persistentStoreCoordinator.problems(in: container.persistentStore)
    #expect(faults.map(\.kind) == [.missingExternalData])
    #expect(faults.first?.propertyName == "image")
  }

  @Test func `are complete while others change and drop large values`() async throws {
    try savePhotos(8)
    let folder = folder
    let work = Task.detached {
      let context = try folder.open(ExternalDataTests.model).newBackgroundContext()
      for round in 0..<60 {
        let photos = try context.fetch(FetchRequest<ManagedObject>(entityName: "Photo"))
        photos[round % photos.count].setOptionalValue(
          Self.large + [UInt8(round)], at: Self.image)
        try context.save()
      }
    }
    for number in 0..<10 {
      let copy = try StoreFolder(named: "Copy\(number).sqlite")
      let container = try container()
      do {
        try container.persistentStoreCoordinator.copy(container.persistentStore, to: copy.store)
      } catch PersistentStoreError.busy {
        continue
      }
      let copied = try copy.open(ExternalDataTests.model)
      #expect(try copied.persistentStoreCoordinator.problems(in: copied.persistentStore).isEmpty)
    }
    try await work.value
  }

  @Test func `leave an existing file unchanged, and nothing beside it`() throws {
    try folder.save("Fido", minutes: [5])
    try Data("mine".utf8).write(to: copy.store)
    guard case .failed(copy.store, let reason) = try error({ try copyStore(.dogWalk) }) else {
      Issue.record("not told as being there")
      return
    }
    #expect(reason.systemErrno == EEXIST)
    #expect(try copy.allBytes() == ["Copy.sqlite": Data("mine".utf8)])
  }

  @Test func `are refused where the store is damaged`() throws {
    try folder.save("Fido", minutes: Array(0..<2_000))
    var bytes = try Data(contentsOf: folder.store)
    // A page of the walks' table is gone.
    let page = try SQLiteFile(folder.store).number(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'ZWALK'")
    bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(count: 4096))
    try bytes.write(to: folder.store)
    guard case .corrupt(folder.store, _) = try error({ try copyStore(.dogWalk) }) else {
      Issue.record("not told as damaged")
      return
    }
    #expect(try copy.names().isEmpty)
  }
}

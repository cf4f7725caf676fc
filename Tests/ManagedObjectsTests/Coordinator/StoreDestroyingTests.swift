import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Stores destroyed by their URLs.
@Suite(.serialized) struct StoreDestroyingTests {
  private let folder: StoreFolder
  private let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)

  init() throws { folder = try StoreFolder() }

  private func error(_ body: () throws -> Void) throws -> PersistentStoreError {
    try #require(#expect(throws: PersistentStoreError.self, performing: body))
  }

  @Test func `a destroyed store is empty, and can be created again`() throws {
    try folder.save("Fido", minutes: Array(0..<500))
    try folder.destroy()
    #expect(try folder.names() == ["DogWalk.sqlite"])
    #expect(try Data(contentsOf: folder.store).count <= 4096)
    var options = PersistentStoreOptions()
    options.createsFile = false
    guard
      case .fileNotFound(folder.store) = try error({
        try coordinator.addPersistentStore(type: .sqlite, at: folder.store, options: options)
      })
    else {
      Issue.record("something is there")
      return
    }
    try folder.save("Bella", minutes: [1])
    #expect(try folder.contents() == ["Bella": [1]])
  }

  @Test(arguments: [false, true])
  func `large values are destroyed with their store, and no other files`(forces: Bool) throws {
    let model = ExternalDataTests.model
    // Two stores whose names differ only in their extensions share one folder.
    let neighbour = try StoreFolder(at: folder.url, named: "DogWalk.db")
    for (store, byte) in [(folder, 1), (neighbour, 2)] as [(StoreFolder, UInt8)] {
      let context = try store.open(model).newBackgroundContext()
      ManagedObject("Photo", in: context)
        .setOptionalValue(Data(repeating: byte, count: 200_000), at: PropertySlot(-1, "image"))
      try context.save()
    }
    let files = folder.url.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 2)
    try folder.destroy(forcibly: forces)
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 1)
    let container = try neighbour.open(model)
    #expect(
      try container.persistentStoreCoordinator.problems(in: container.persistentStore).isEmpty)
  }

  @Test func `a reader keeps the large values of a store that is destroyed`() throws {
    let model = ExternalDataTests.model
    let image = Data(repeating: 1, count: 200_000)
    let container = try folder.open(model)
    let context = container.newBackgroundContext()
    ManagedObject("Photo", in: context).setOptionalValue(image, at: PropertySlot(-1, "image"))
    try context.save()
    let reader = container.newBackgroundContext()
    let cursor = try reader.cursor(for: FetchRequest<ManagedObject>(entityName: "Photo"))
    try folder.destroy()
    let photo = try #require(try cursor.next())
    let read: Data? = photo.optionalValue(at: PropertySlot(-1, "image"))
    #expect(read == image && reader.faultingError == nil)
  }

  @Test func `a program that has the store open finds it gone, and does not create it again`()
    throws
  {
    try folder.save("Fido", minutes: [1])
    let container = try folder.open()
    let context = container.newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try folder.destroy()
    fido.name = "Rex"
    #expect(throws: PersistentStoreError.self) { try context.save() }
    #expect(throws: PersistentStoreError.self) { try context.count(for: Dog.fetchRequest()) }
    try folder.save("Bella", minutes: [1])
    #expect(try folder.contents() == ["Bella": [1]])
  }

  @Test func `a damaged store can be destroyed by force, with its log`() throws {
    try folder.leaveLog("Fido", minutes: [1], withIndex: true)
    try Data("damaged".utf8).write(to: folder.store)
    try folder.destroy(forcibly: true)
    #expect(try folder.names().isEmpty)
    try folder.destroy()
    try folder.destroy(forcibly: true)
    #expect(try folder.names().isEmpty)
  }

  @Test func `a log without its file is destroyed only where that is forced`() throws {
    try folder.leaveLog("Fido", minutes: [1])
    try FileManager.default.removeItem(at: folder.store)
    guard case .orphanedLog(folder.store) = try error({ try folder.destroy() }) else {
      Issue.record("not told as a log")
      return
    }
    #expect(try folder.names() == ["DogWalk.sqlite-wal"])
    try folder.destroy(forcibly: true)
    #expect(try folder.names().isEmpty)
  }
}

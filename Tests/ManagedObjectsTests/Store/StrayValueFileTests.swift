import Foundation
import ManagedObjects
import Testing

/// Unused files of large values, as killed programs leave them.
@Suite struct StrayValueFileTests {
  private func store(_ stack: Stack) -> (PersistentStoreCoordinator, PersistentStore) {
    let coordinator = stack.container.persistentStoreCoordinator
    return (coordinator, coordinator.persistentStores[0])
  }

  /// A file as a killed program leaves it, so many hours ago; its name.
  private func strayFile(
    in stack: Stack, hours: Double, named name: String = UUID().uuidString
  ) throws -> String {
    let url = stack.valueFolder.appending(path: name)
    if !FileManager.default.fileExists(atPath: url.path) { try Data([1, 2]).write(to: url) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600 * hours)], ofItemAtPath: url.path)
    return name
  }

  @Test func `unused files are found and removed once they are a day old`() throws {
    let stack = try Stack(model: ExternalDataTests.model)
    let (coordinator, store) = store(stack)
    #expect(try coordinator.unusedExternalDataFiles(of: store).isEmpty)
    #expect(try coordinator.removeUnusedExternalDataFiles(of: store).isEmpty)
    let photo = try stack.savePhoto(ExternalDataTests.large)
    let needed = try #require(try stack.valueFiles().keys.first)
    _ = try strayFile(in: stack, hours: 100, named: needed)
    let stray = try strayFile(in: stack, hours: 25)
    let young = try strayFile(in: stack, hours: 23)
    // Other files are left alone.
    let other = try strayFile(in: stack, hours: 100, named: "notes.txt")
    #expect(try coordinator.unusedExternalDataFiles(of: store).map(\.lastPathComponent) == [stray])
    #expect(Set(try stack.valueFiles().keys) == [needed, stray, young, other])
    #expect(
      try coordinator.removeUnusedExternalDataFiles(of: store).map(\.lastPathComponent) == [stray])
    #expect(Set(try stack.valueFiles().keys) == [needed, young, other])
    #expect(try coordinator.unusedExternalDataFiles(of: store).isEmpty)
    #expect(try stack.image(of: photo) == ExternalDataTests.large)
    let memory = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    #expect(try coordinator.removeUnusedExternalDataFiles(of: memory).isEmpty)
  }

  @Test func `they are kept where another store may refer to them`() throws {
    let stack = try Stack(model: ExternalDataTests.model)
    let (coordinator, store) = store(stack)
    _ = try stack.savePhoto(ExternalDataTests.large)
    let stray = try strayFile(in: stack, hours: 48)
    let beside = stack.folder.appending(path: "dogwalk.db")
    try Data().write(to: beside)
    #expect(try coordinator.unusedExternalDataFiles(of: store).isEmpty)
    #expect(try coordinator.removeUnusedExternalDataFiles(of: store).isEmpty)
    try FileManager.default.removeItem(at: beside)
    #expect(
      try coordinator.removeUnusedExternalDataFiles(of: store).map(\.lastPathComponent) == [stray])
  }

  /// A link that is recreated for every year, say: the files of all stores that it has led to are
  /// beside it.
  @Test func `they are kept where the store is opened through a link`() throws {
    let folder = try StoreFolder()
    let link = folder.url.appending(path: "Current.sqlite")
    let files = folder.url.appending(path: ".Current_SUPPORT/_EXTERNAL_DATA")
    func lead(to name: String) throws -> PersistentStoreCoordinator {
      try? FileManager.default.removeItem(at: link)
      try FileManager.default.createSymbolicLink(
        at: link, withDestinationURL: folder.url.appending(path: name))
      let coordinator = PersistentStoreCoordinator(managedObjectModel: ExternalDataTests.model)
      try coordinator.addPersistentStore(type: .sqlite, at: link)
      return coordinator
    }
    for name in ["2025.sqlite", "2026.sqlite"] {
      let coordinator = try lead(to: name)
      let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
      ManagedObject("Photo", in: context).setOptionalValue(
        ExternalDataTests.large, at: ExternalDataTests.image)
      try context.save()
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: files.path) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -200_000)],
        ofItemAtPath: files.appending(path: name).path)
    }
    let now = try lead(to: "2026.sqlite")
    let store = try #require(now.persistentStores.first)
    #expect(try now.unusedExternalDataFiles(of: store).isEmpty)
    #expect(try now.removeUnusedExternalDataFiles(of: store).isEmpty)
    let before = try lead(to: "2025.sqlite")
    #expect(try before.problems(in: try #require(before.persistentStores.first)).isEmpty)
  }

  @Test func `they are kept while a reader has an older state`() throws {
    let stack = try Stack(model: ExternalDataTests.model)
    let (coordinator, store) = store(stack)
    let photo = try stack.savePhoto(ExternalDataTests.large)
    let stray = try strayFile(in: stack, hours: 48)
    let reader = stack.anotherContext()
    let cursor = try reader.cursor(for: FetchRequest<ManagedObject>(entityName: "Photo"))
    photo.setOptionalValue("title", at: ExternalDataTests.title)
    try stack.context.save()
    for _ in 0..<2 {
      #expect {
        try coordinator.removeUnusedExternalDataFiles(of: store)
      } throws: {
        if case .busy? = $0 as? PersistentStoreError { true } else { false }
      }
      #expect(try stack.valueFiles().keys.contains(stray))
    }
    cursor.close()
    #expect(
      try coordinator.removeUnusedExternalDataFiles(of: store).map(\.lastPathComponent) == [stray])
    #expect(try stack.image(of: photo) == ExternalDataTests.large)
  }

  @Test func `other programs' tables may be named by keywords`() throws {
    let stack = try Stack(model: ExternalDataTests.model)
    let (coordinator, store) = store(stack)
    _ = try stack.savePhoto(ExternalDataTests.large)
    let stray = try strayFile(in: stack, hours: 48)
    _ = try stack.sqlite(#"CREATE TABLE "order" ("group" BLOB, "2024" BLOB)"#)
    #expect(try coordinator.unusedExternalDataFiles(of: store).map(\.lastPathComponent) == [stray])
    try coordinator.copy(store, to: stack.folder.appending(path: "Copy.sqlite"))
  }
}

import DogWalkModel
import Foundation
import ManagedObjects
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Stores that are one document: their file, and those who share it.
@Suite struct DocumentStoreTests {
  private let folder: XMLFolder

  init() throws {
    folder = try XMLFolder()
    let context = try folder.open().newBackgroundContext()
    for name in ["Anna", "Ben"] {
      ManagedObject("Employee", in: context).setValue(name, forKey: "name")
    }
    try context.save()
  }

  private func names() throws -> [String?] {
    try folder.open().newBackgroundContext().all("Employee").map { $0.text("name") }
  }

  // MARK: Others

  @Test func `what others save is seen by the next fetch`() throws {
    let container = try folder.open()
    let coordinator = container.persistentStoreCoordinator
    let seen = try coordinator.changeCount(of: container.persistentStore)
    let context = container.newBackgroundContext()
    #expect(try context.all("Employee").count == 2)
    let other = try folder.open().newBackgroundContext()
    ManagedObject("Employee", in: other).setValue("Cleo", forKey: "name")
    try other.save()
    #expect(try context.all("Employee").map { $0.text("name") } == ["Anna", "Ben", "Cleo"])
    #expect(try coordinator.changeCount(of: container.persistentStore) != seen)
  }

  @Test func `two who change different objects both have their changes saved`() throws {
    let (one, two) = (
      try folder.open().newBackgroundContext(), try folder.open().newBackgroundContext()
    )
    try one.all("Employee")[0].setValue("Anne", forKey: "name")
    try two.all("Employee")[1].setValue("Benno", forKey: "name")
    ManagedObject("Employee", in: two).setValue("Cleo", forKey: "name")
    try one.save()
    try two.save()
    ManagedObject("Employee", in: one).setValue("Dora", forKey: "name")
    try one.save()
    #expect(try names() == ["Anne", "Benno", "Cleo", "Dora"])
  }

  @Test func `two who change the same object meet a conflict, and nothing is lost`() throws {
    let (one, two) = (
      try folder.open().newBackgroundContext(), try folder.open().newBackgroundContext()
    )
    let object = try two.all("Employee")[0]
    object.setValue(Int32(5), forKey: "salary")
    try one.all("Employee")[0].setValue("Anne", forKey: "name")
    try one.save()
    let error = #expect(throws: ConflictError.self) { try two.save() }
    #expect(error?.objectID == object.objectID)
    #expect(try names() == ["Anne", "Ben"])
    #expect(object.value(forKey: "salary") as? Int32 == 5)
    try two.refresh(object, mergeChanges: true)
    try two.save()
    let again = try folder.open().newBackgroundContext().all("Employee")[0]
    #expect(again.text("name") == "Anne" && again.value(forKey: "salary") as? Int32 == 5)
  }

  @Test func `an object that others deleted is a conflict`() throws {
    let (one, two) = (
      try folder.open().newBackgroundContext(), try folder.open().newBackgroundContext()
    )
    try two.all("Employee")[0].setValue("Anne", forKey: "name")
    one.delete(try one.all("Employee")[0])
    try one.save()
    #expect(throws: ConflictError.self) { try two.save() }
    #expect(try names() == ["Ben"])
  }

  @Test func `a change made by hand is read, and a save goes on from it`() throws {
    let context = try folder.open().newBackgroundContext()
    let objects = try context.all("Employee")
    let text = try folder.text().replacingOccurrences(of: "Anna", with: "Annabel")
    try Data(text.utf8).write(to: folder.url)
    objects[1].setValue("Benno", forKey: "name")
    try context.save()
    #expect(try names() == ["Annabel", "Benno"])
  }

  @Test func `a document that was spoilt meanwhile is not written over`() throws {
    let context = try folder.open().newBackgroundContext()
    try context.all("Employee")[0].setValue("Anne", forKey: "name")
    let spoilt = try folder.text().dropLast(30)
    try Data(spoilt.utf8).write(to: folder.url)
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .malformedDocument = error else { throw try #require(error) }
    #expect(try folder.text() == spoilt)
    #expect(context.hasChanges)
  }

  @Test func `one that was taken away, or is another store's, is not made anew`() throws {
    let container = try folder.open()
    let context = container.newBackgroundContext()
    try context.all("Employee")[0].setValue("Anne", forKey: "name")
    let away = folder.folder.url.appending(path: "away.xml")
    try FileManager.default.moveItem(at: folder.url, to: away)
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .moved(folder.url) = error else { throw try #require(error) }
    #expect(container.persistentStoreCoordinator.isMoved(container.persistentStore))
    try #require(try folder.folder.names() == ["away.xml"])
    _ = try folder.open()
    let second = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .moved = second else { throw try #require(second) }
    try FileManager.default.removeItem(at: folder.url)
    try FileManager.default.moveItem(at: away, to: folder.url)
    try context.save()
    #expect(try names() == ["Anne", "Ben"])
  }

  @Test func `many writers at once lose nothing`() async throws {
    let folder = folder
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let context = try folder.open().newBackgroundContext()
          for number in 0..<15 {
            let object = ManagedObject("Employee", in: context)
            object.setValue("\(writer) \(number)", forKey: "name")
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    let found = try names()
    #expect(found.count == 62 && Set(found).count == 62)
    #expect(try folder.folder.names() == ["Staff.xml"])
  }

  @Test func `one that others write to for too long is busy, and nothing is lost`() throws {
    let context = try folder.open { $0.busyTimeout = 0.02 }.newBackgroundContext()
    try context.all("Employee")[0].setValue("Anne", forKey: "name")
    let descriptor = open(folder.url.path, O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .busy(folder.url) = error else { throw try #require(error) }
    #expect(try names() == ["Anna", "Ben"])
    #expect(flock(descriptor, LOCK_UN) == 0)
    try context.save()
    #expect(try names() == ["Anne", "Ben"])
  }

  // MARK: The file

  @Test func `one that is only read is not changed, and not made`() throws {
    let before = try folder.text()
    let context = try folder.open { $0.isReadOnly = true }.newBackgroundContext()
    try context.all("Employee")[0].setValue("Anne", forKey: "name")
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .readOnly(folder.url) = error else { throw try #require(error) }
    #expect(try folder.text() == before)
    let empty = try XMLFolder()
    for change in [
      { (options: inout PersistentStoreOptions) in options.isReadOnly = true },
      { options in options.createsFile = false },
    ] {
      let error = #expect(throws: PersistentStoreError.self) { try empty.open(change) }
      guard case .fileNotFound(empty.url) = error else { throw try #require(error) }
    }
    #expect(try empty.folder.names().isEmpty)
  }

  @Test func `an empty file is filled, a folder and a missing folder are refused`() throws {
    let empty = try XMLFolder(document: Data())
    _ = try empty.open()
    #expect(try empty.text().hasSuffix("</database>"))
    let taken = try XMLFolder()
    try FileManager.default.createDirectory(at: taken.url, withIntermediateDirectories: false)
    let error = #expect(throws: PersistentStoreError.self) { try taken.open() }
    guard case .notAFile(taken.url) = error else { throw try #require(error) }
    let nowhere = try XMLFolder()
    try FileManager.default.removeItem(at: nowhere.folder.url)
    #expect(throws: PersistentStoreError.self) { try nowhere.open() }
    #expect(!FileManager.default.fileExists(atPath: nowhere.folder.url.path))
  }

  @Test func `its permissions and a link to it stay`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.url.path)
    let link = folder.folder.url.appending(path: "link.xml")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
    let container = try PersistentContainer(
      name: "Staff", model: Staff.model, storeURL: link, type: .xml)
    let context = container.newBackgroundContext()
    try context.all("Employee")[0].setValue("Anne", forKey: "name")
    try context.save()
    #expect(try names() == ["Anne", "Ben"])
    let info = try FileManager.default.attributesOfItem(atPath: folder.url.path)
    #expect(info[.posixPermissions] as? Int == 0o640)
    #expect(try folder.folder.names() == ["Staff.xml", "link.xml"])
  }

  @Test func `a full disk leaves the old document, and the changes in the context`() async {
    await #expect(processExitsWith: .success) {
      let folder = try XMLFolder()
      let context = try folder.open().newBackgroundContext()
      let object = ManagedObject("Employee", in: context)
      object.setValue("Anna", forKey: "name")
      try context.save()
      let before = try folder.text()
      object.setValue(String(repeating: "Anna ", count: 10_000), forKey: "name")
      FileSizeLimit.set(10_000)
      let error = #expect(throws: PersistentStoreError.self) { try context.save() }
      guard case .full(folder.url) = error else { throw try #require(error) }
      #expect(try folder.text() == before)
      #expect(try folder.folder.names() == ["Staff.xml"])
      #expect(context.hasChanges)
      FileSizeLimit.lift()
      try context.save()
      #expect(try folder.text().utf8.count > 50_000)
    }
  }

  @Test func `a writer that is killed at any moment leaves a whole document`() async throws {
    let folder = try StoreFolder(at: SharedFolder.documents(of: getpid()), named: "Staff.xml")
    var acknowledged: Set<String> = []
    for _ in 0..<12 {
      let result = await #expect(
        processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
      ) {
        let folder = try StoreFolder(
          at: SharedFolder.documents(of: getppid()), named: "Staff.xml")
        folder.isKept = true
        Thread {
          usleep(.random(in: 0..<120_000))
          kill(getpid(), SIGKILL)
        }.start()
        let container = try PersistentContainer(
          name: "Staff", model: Staff.model, storeURL: folder.store, type: .xml)
        let context = container.newBackgroundContext()
        for step in 0... {
          let name = "\(getpid()) \(step)"
          ManagedObject("Employee", in: context).setValue(name, forKey: "name")
          try context.save()
          let line = Array("\nsaved \(name)\n".utf8)
          _ = write(1, line, line.count)
        }
      }
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      for line in output.split(separator: "\n") where line.hasPrefix("saved ") {
        acknowledged.insert(String(line.dropFirst(6)))
      }
    }
    let container = try PersistentContainer(
      name: "Staff", model: Staff.model, storeURL: folder.store, type: .xml)
    let kept = Set(
      try container.newBackgroundContext().all("Employee").compactMap { $0.text("name") })
    #expect(!acknowledged.isEmpty && kept.isSuperset(of: acknowledged))
    #expect(kept.count <= acknowledged.count + 12)
  }
}

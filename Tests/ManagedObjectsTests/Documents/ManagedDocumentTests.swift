import DataFormats
import DataModel
import DogWalkModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Documents: packages that contain a store and save themselves.
@MainActor
@Suite struct `Managed documents` {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "Walks")
  }

  private func document() -> ManagedDocument {
    ManagedDocument(fileURL: url, managedObjectModel: .dogWalk)
  }

  private func names(_ document: ManagedDocument) throws -> [String] {
    try document.managedObjectContext.fetch(Dog.fetchRequest()).map(\.name).sorted()
  }

  private func add(_ name: String, to document: ManagedDocument) {
    let dog = Dog(context: document.managedObjectContext)
    dog.name = name
    dog.nameKey = name.lowercased()
  }

  @Test func `a document is a package, created as a whole, and keeps what is saved`() throws {
    let document = document()
    #expect(document.documentState == .closed)
    try document.create()
    #expect(document.documentState == .normal)
    #expect(!document.hasUnsavedChanges)
    add("Fido", to: document)
    #expect(document.hasUnsavedChanges)
    try document.close()

    #expect(document.documentState == .closed)
    let files = FileManager.default.subpaths(atPath: url.path)?.sorted()
    #expect(files == ["DocumentMetadata.plist", "StoreContent", "StoreContent/persistentStore"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Walks"])
    let metadata = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: url.appending(path: "DocumentMetadata.plist")), format: nil)
    #expect(metadata as? [String: String] == ["ManagedDocumentStoreName": "persistentStore"])
    let again = self.document()
    try again.open()
    #expect(try names(again) == ["Fido"])
  }

  @Test func `saving only the context passes its changes to the document`() throws {
    let document = document()
    try document.create()
    add("Fido", to: document)
    try document.managedObjectContext.save()
    #expect(document.hasUnsavedChanges)
    document.closeWithoutSaving()
    try document.open()
    #expect(try names(document) == [])
  }

  @Test func `a document saves itself after a change`() async throws {
    let document = document()
    document.autosaveDelay = .milliseconds(20)
    try document.create()
    let saves = AsyncStream.makeStream(of: ChangedObjectIDs.self)
    document.onSave = { saves.continuation.yield($0) }
    add("Fido", to: document)

    var iterator = saves.stream.makeAsyncIterator()
    #expect(await iterator.next()?.inserted.count == 1)
    #expect(!document.hasUnsavedChanges)
    let other = self.document()
    try other.open()
    #expect(try names(other) == ["Fido"])
    add("Rex", to: document)
    #expect(await iterator.next()?.inserted.count == 1)
  }

  @Test func `documents on one file notify each other`() throws {
    let (one, other) = (document(), document())
    try one.create()
    try other.open()
    add("Fido", to: one)
    try one.save()
    #expect(try names(other) == ["Fido"])

    let dog = try #require(try one.managedObjectContext.fetch(Dog.fetchRequest()).first)
    let twin = try #require(try other.managedObjectContext.fetch(Dog.fetchRequest()).first)
    var heard: [ChangedObjectIDs] = []
    other.onSave = { heard.append($0) }
    dog.name = "Rex"
    try one.save()
    #expect(twin.name == "Rex")
    #expect(heard.map(\.updated.count) == [1])
    #expect(!other.hasUnsavedChanges)
  }

  @Test func `a conflict is a document state, and nothing is lost`() throws {
    let document = document()
    try document.create()
    add("Fido", to: document)
    try document.save()
    let dog = try #require(try document.managedObjectContext.fetch(Dog.fetchRequest()).first)
    // Another process: a coordinator without a document.
    let container = try PersistentContainer(
      name: "Other", model: .dogWalk,
      storeURL: url.appending(path: "StoreContent/persistentStore"))
    let context = container.viewContext
    try #require(try context.fetch(Dog.fetchRequest()).first).name = "Bello"
    try context.save()

    dog.name = "Rex"
    #expect(throws: ConflictError.self) { try document.save() }
    #expect(document.documentState == .inConflict)
    #expect(document.savingError is ConflictError)
    #expect(document.hasUnsavedChanges)
    #expect(dog.name == "Rex")
    document.mergePolicy = .mergeByPropertyObjectTrump
    try document.save()
    #expect(document.documentState == .normal)
    try context.refreshAllObjects()
    #expect(try context.fetch(Dog.fetchRequest()).map(\.name) == ["Rex"])

    try #require(try context.fetch(Dog.fetchRequest()).first).name = "Luna"
    try context.save()
    document.mergePolicy = .error
    dog.name = "Fifi"
    #expect(throws: ConflictError.self) { try document.save() }
    try document.revert()
    #expect(dog.name == "Luna")
    #expect(document.documentState == .normal)
    #expect(!document.hasUnsavedChanges)
  }

  @Test func `changes that cannot be saved are kept, and saved later`() throws {
    let document = document()
    try document.create()
    add("Fido", to: document)
    try document.save()
    let lock = try SQLiteFile(url.appending(path: "StoreContent/persistentStore"))
    document.closeWithoutSaving()
    document.persistentStoreOptions.busyTimeout = 0.01
    try document.open()
    _ = try lock.value("BEGIN IMMEDIATE")
    add("Rex", to: document)
    #expect(throws: PersistentStoreError.self) { try document.save() }
    #expect(document.documentState == .savingError)
    #expect(document.hasUnsavedChanges)
    #expect(throws: PersistentStoreError.self) { try document.close() }
    _ = try lock.value("ROLLBACK")
    try document.close()
    try document.open()
    #expect(try names(document) == ["Fido", "Rex"])
    #expect(document.documentState == .normal)
  }

  @Test func `changes are undone`() throws {
    let document = document()
    try document.create()
    add("Fido", to: document)
    document.managedObjectContext.processPendingChanges()
    document.undoManager?.undo()
    #expect(try names(document) == [])
    document.undoManager?.redo()
    #expect(try names(document) == ["Fido"])
    try document.save()
    document.undoManager?.undo()
    try document.save()
    #expect(try names(document) == [])
  }

  @Test func `content beside the store is replaced as a whole`() throws {
    let document = Scrapbook(fileURL: url, managedObjectModel: .dogWalk)
    document.cover = "a dog"
    try document.create()
    document.cover = "two dogs"
    #expect(document.hasUnsavedChanges)
    try document.save()
    document.fails = true
    document.cover = "none"
    #expect(throws: CocoaError.self) { try document.save() }
    #expect(document.documentState == .savingError)
    document.closeWithoutSaving()

    let again = Scrapbook(fileURL: url, managedObjectModel: .dogWalk)
    try again.open()
    #expect(again.cover == "two dogs")
    #expect(!again.hasUnsavedChanges)
    again.closeWithoutSaving()
    // A process that was killed between two renames.
    try FileManager.default.moveItem(
      at: url.appending(path: "AdditionalContent"),
      to: url.appending(path: ".AdditionalContent.old"))
    let last = Scrapbook(fileURL: url, managedObjectModel: .dogWalk)
    try last.open()
    #expect(last.cover == "two dogs")
  }

  @Test func `drafts of killed processes are removed, but none that is being written`() throws {
    let parent = url.deletingLastPathComponent()
    let left = [
      try draft(of: parent.appending(path: ".Walks"), isHeld: false),
      try draft(of: parent.appending(path: ".Walks"), isHeld: true),
    ]
    try document().create()
    #expect(left.map(exists) == [false, true])
    let content = [
      try draft(of: url.appending(path: ".AdditionalContent"), isHeld: false),
      try draft(of: url.appending(path: ".AdditionalContent"), isHeld: true),
    ]
    let document = document()
    try document.open()
    #expect(content.map(exists) == [false, true])
    document.closeWithoutSaving()
  }

  /// A draft with a file in it, of a process that is running or was killed.
  private func draft(of url: URL, isHeld: Bool) throws -> String {
    let (path, descriptor) = try #require(AbandonedDrafts.makeFolder(of: url.path))
    try Data("text".utf8).write(to: URL(fileURLWithPath: path).appending(path: "file"))
    if !isHeld { close(descriptor) }
    return path
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test func `a file that is not a document is refused with the reason`() throws {
    #expect(throws: ManagedDocumentError.notFound(url)) { try document().open() }
    try folder.write(Data("text".utf8), to: "Walks")
    #expect(throws: ManagedDocumentError.notADocument(url)) { try document().open() }
    #expect(throws: ManagedDocumentError.exists(url)) { try document().create() }
    #expect(try String(contentsOf: url, encoding: .utf8) == "text")
    try FileManager.default.removeItem(at: url)
    try folder.write(Data("text".utf8), to: "Walks/readme")
    #expect(throws: ManagedDocumentError.notADocument(url)) { try document().open() }
    #expect(throws: ManagedDocumentError.closed(url)) { try document().save() }
    let nowhere = ManagedDocument(
      fileURL: folder.url.appending(path: "no/Walks"), managedObjectModel: .dogWalk)
    #expect(throws: PersistentStoreError.self) { try nowhere.create() }
  }

  @Test func `a document of another model is refused, and stays unchanged`() throws {
    try document().create()
    let other = ManagedDocument(
      fileURL: url,
      managedObjectModel: ManagedObjectModel(entities: [EntityDescription(name: "Cat")]))
    other.persistentStoreOptions = PersistentStoreOptions()
    #expect(throws: PersistentStoreError.self) { try other.open() }
    #expect(other.documentState == .closed)
    try document().open()
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func `a write-protected document is opened read-only`() throws {
    let document = document()
    try document.create()
    add("Fido", to: document)
    try document.close()
    chmod(url.appending(path: "StoreContent").path, 0o500)
    defer { chmod(url.appending(path: "StoreContent").path, 0o700) }
    try document.open()
    #expect(document.documentState == .editingDisabled)
    #expect(try names(document) == ["Fido"])
    add("Rex", to: document)
    #expect(throws: ManagedDocumentError.readOnly(url)) { try document.save() }
  }
}

/// A document that keeps a text beside its objects.
private final class Scrapbook: ManagedDocument {
  var cover = "" {
    didSet { updateChangeCount() }
  }
  var fails = false

  override func writeAdditionalContent(to folder: URL) throws {
    try Data(cover.utf8).write(to: folder.appending(path: "cover.txt"))
    if fails { throw CocoaError(.fileWriteUnknown) }
  }

  override func readAdditionalContent(from folder: URL) throws {
    cover = try String(contentsOf: folder.appending(path: "cover.txt"), encoding: .utf8)
  }
}

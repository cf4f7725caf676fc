import Foundation
import ManagedObjects
import Testing

/// Large binary values, which have files beside the store.
@Suite struct ExternalDataTests {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Photo",
      properties: [
        .externalData("image"),
        .value("title", .string), .value("plain", .binaryData),
      ],
      uniquenessConstraints: [["title"]])
  ])
  private static let image = PropertySlot(-1, "image")
  private static let title = PropertySlot(-1, "title")
  private static let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })

  private func files(_ stack: Stack) throws -> [String: Data] {
    let path = stack.folder.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA")
    var found: [String: Data] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path.path)) ?? [] {
      found[name] = try Data(contentsOf: path.appending(path: name))
    }
    return found
  }

  private func photo(_ image: Data?, in stack: Stack) throws -> ManagedObject {
    let photo = ManagedObject("Photo", in: stack.context)
    photo.setOptionalValue(image, at: Self.image)
    try stack.context.save()
    return photo
  }

  /// The value as another context reads it.
  private func image(of photo: ManagedObject, in stack: Stack) throws -> Data? {
    let context = stack.anotherContext()
    return try context.existingObject(with: photo.objectID).optionalValue(at: Self.image)
  }

  @Test(arguments: [0, 1, 38, 102_399])
  func `a small value is in its column, behind a byte that says so`(size: Int) throws {
    let stack = try Stack(model: Self.model)
    let data = Data(repeating: 2, count: size)
    let photo = try photo(data, in: stack)
    #expect(try image(of: photo, in: stack) == data)
    #expect(try stack.sqlite("SELECT hex(substr(ZIMAGE, 1, 1)) FROM ZPHOTO") == "01")
    #expect(try stack.sqlite("SELECT length(ZIMAGE) FROM ZPHOTO") == "\(size + 1)")
    #expect(try files(stack).isEmpty)
  }

  @Test func `a large value is in a file that the column names`() throws {
    let stack = try Stack(model: Self.model)
    let photo = try photo(Self.large, in: stack)
    let name = try #require(try files(stack).first?.key)
    #expect(try files(stack) == [name: Self.large])
    #expect(
      try stack.sqlite("SELECT hex(ZIMAGE) FROM ZPHOTO")
        == "02" + name.utf8.map { String($0, radix: 16, uppercase: true) }.joined() + "00")
    #expect(try image(of: photo, in: stack) == Self.large)
  }

  @Test func `a file goes with its value, and with its row`() throws {
    let stack = try Stack(model: Self.model)
    let photo = try photo(Self.large, in: stack)
    let first = try files(stack).keys
    photo.setOptionalValue(Self.large + [1], at: Self.image)
    try stack.context.save()
    #expect(try files(stack).values.map(\.count) == [200_001])
    #expect(try files(stack).keys != first)
    photo.setOptionalValue("title", at: Self.title)
    try stack.context.save()
    #expect(try files(stack).count == 1)
    stack.context.delete(photo)
    try stack.context.save()
    #expect(try files(stack).isEmpty)
  }

  @Test func `a save that fails leaves the files as they were`() throws {
    let stack = try Stack(model: Self.model)
    let photo = try photo(Self.large, in: stack)
    photo.setOptionalValue("same", at: Self.title)
    try stack.context.save()
    let before = try files(stack)
    photo.setOptionalValue(Self.large + [1], at: Self.image)
    let twin = ManagedObject("Photo", in: stack.context)
    twin.setOptionalValue(Self.large, at: Self.image)
    twin.setOptionalValue("same", at: Self.title)
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(try files(stack) == before)
    stack.context.rollback()
    #expect(try image(of: photo, in: stack) == Self.large)
  }

  // MARK: Files that nobody needs

  private func store(_ stack: Stack) -> (PersistentStoreCoordinator, PersistentStore) {
    let coordinator = stack.container.persistentStoreCoordinator
    return (coordinator, coordinator.persistentStores[0])
  }

  /// A file as a killed program leaves it, so many hours ago; its name.
  private func strayFile(
    in stack: Stack, hours: Double, named name: String = UUID().uuidString
  ) throws -> String {
    let url = folder(stack).appending(path: name)
    if !FileManager.default.fileExists(atPath: url.path) { try Data([1, 2]).write(to: url) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600 * hours)], ofItemAtPath: url.path)
    return name
  }

  @Test func `files that nothing leads to are found and removed, once they are a day old`() throws {
    let stack = try Stack(model: Self.model)
    let (coordinator, store) = store(stack)
    #expect(try coordinator.strayValueFiles(of: store).isEmpty)
    #expect(try coordinator.removeStrayValueFiles(of: store).isEmpty)
    let photo = try photo(Self.large, in: stack)
    let needed = try #require(try files(stack).keys.first)
    _ = try strayFile(in: stack, hours: 100, named: needed)
    let stray = try strayFile(in: stack, hours: 25)
    let young = try strayFile(in: stack, hours: 23)
    // What is no value's is left alone.
    let other = try strayFile(in: stack, hours: 100, named: "notes.txt")
    #expect(try coordinator.strayValueFiles(of: store).map(\.lastPathComponent) == [stray])
    #expect(Set(try files(stack).keys) == [needed, stray, young, other])
    #expect(try coordinator.removeStrayValueFiles(of: store).map(\.lastPathComponent) == [stray])
    #expect(Set(try files(stack).keys) == [needed, young, other])
    #expect(try coordinator.strayValueFiles(of: store).isEmpty)
    #expect(try image(of: photo, in: stack) == Self.large)
    let memory = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    #expect(try coordinator.removeStrayValueFiles(of: memory).isEmpty)
  }

  @Test func `they stay where another store may lead to them`() throws {
    let stack = try Stack(model: Self.model)
    let (coordinator, store) = store(stack)
    _ = try photo(Self.large, in: stack)
    let stray = try strayFile(in: stack, hours: 48)
    let beside = stack.folder.appending(path: "dogwalk.db")
    try Data().write(to: beside)
    #expect(try coordinator.strayValueFiles(of: store).isEmpty)
    #expect(try coordinator.removeStrayValueFiles(of: store).isEmpty)
    try FileManager.default.removeItem(at: beside)
    #expect(try coordinator.removeStrayValueFiles(of: store).map(\.lastPathComponent) == [stray])
  }

  /// A link that is made anew for every year, say: the files of all stores that it has led to are
  /// beside it.
  @Test func `they stay where the store is opened by a link`() throws {
    let folder = try StoreFolder()
    let link = folder.url.appending(path: "Current.sqlite")
    let files = folder.url.appending(path: ".Current_SUPPORT/_EXTERNAL_DATA")
    func lead(to name: String) throws -> PersistentStoreCoordinator {
      try? FileManager.default.removeItem(at: link)
      try FileManager.default.createSymbolicLink(
        at: link, withDestinationURL: folder.url.appending(path: name))
      let coordinator = PersistentStoreCoordinator(managedObjectModel: Self.model)
      try coordinator.addPersistentStore(type: .sqlite, at: link)
      return coordinator
    }
    for name in ["2025.sqlite", "2026.sqlite"] {
      let coordinator = try lead(to: name)
      let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
      ManagedObject("Photo", in: context).setOptionalValue(Self.large, at: Self.image)
      try context.save()
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: files.path) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -200_000)],
        ofItemAtPath: files.appending(path: name).path)
    }
    let now = try lead(to: "2026.sqlite")
    let store = try #require(now.persistentStores.first)
    #expect(try now.strayValueFiles(of: store).isEmpty)
    #expect(try now.removeStrayValueFiles(of: store).isEmpty)
    let before = try lead(to: "2025.sqlite")
    #expect(try before.faults(in: try #require(before.persistentStores.first)).isEmpty)
  }

  @Test func `they stay while somebody reads an older state`() throws {
    let stack = try Stack(model: Self.model)
    let (coordinator, store) = store(stack)
    let photo = try photo(Self.large, in: stack)
    let stray = try strayFile(in: stack, hours: 48)
    let reader = stack.anotherContext()
    let cursor = try reader.cursor(for: FetchRequest<ManagedObject>(entityName: "Photo"))
    photo.setOptionalValue("title", at: Self.title)
    try stack.context.save()
    for _ in 0..<2 {
      #expect {
        try coordinator.removeStrayValueFiles(of: store)
      } throws: {
        if case .busy? = $0 as? PersistentStoreError { true } else { false }
      }
      #expect(try files(stack).keys.contains(stray))
    }
    cursor.close()
    #expect(try coordinator.removeStrayValueFiles(of: store).map(\.lastPathComponent) == [stray])
    #expect(try image(of: photo, in: stack) == Self.large)
  }

  // MARK: Files that cannot be read

  /// A photo with a title whose file is gone; the name of the file.
  private func photoWithoutFile(in stack: Stack) throws -> (id: ManagedObjectID, file: String) {
    let photo = try photo(Self.large, in: stack)
    photo.setOptionalValue("title", at: Self.title)
    try stack.context.save()
    let name = try #require(try files(stack).keys.first)
    try FileManager.default.removeItem(at: folder(stack).appending(path: name))
    return (photo.objectID, name)
  }

  private func folder(_ stack: Stack) -> URL {
    stack.folder.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA")
  }

  @Test func `a file that is missing is one value that cannot be read`() throws {
    let stack = try Stack(model: Self.model)
    let (id, name) = try photoWithoutFile(in: stack)
    _ = try photo(Data([7]), in: stack)
    let context = stack.anotherContext()
    let photos = try context.fetch(FetchRequest<ManagedObject>(entityName: "Photo"))
    #expect(photos.count == 2 && photos[0].objectID == id)
    #expect(photos[0].optionalValue(at: Self.title) == "title")
    #expect(photos[1].optionalValue(at: Self.image) == Data([7]))
    #expect(context.faultingError == nil)
    #expect(photos[0].optionalValue(at: Self.image) == Data?.none)
    guard case .missingExternalData(let url)? = context.faultingError as? PersistentStoreError
    else { return #expect(Bool(false), "\(String(describing: context.faultingError))") }
    #expect(url.lastPathComponent == name)
  }

  @Test func `it is read by name likewise`() throws {
    let stack = try Stack(model: Self.model)
    let (id, _) = try photoWithoutFile(in: stack)
    let context = stack.anotherContext()
    let photo = try context.existingObject(with: id)
    #expect(photo.value(forKey: "title") as? String == "title" && context.faultingError == nil)
    #expect(photo.value(forKey: "image") == nil && context.faultingError != nil)
  }

  @Test func `its object is changed and deleted as any`() throws {
    let stack = try Stack(model: Self.model)
    let (id, name) = try photoWithoutFile(in: stack)
    let context = stack.anotherContext()
    let photo = try context.existingObject(with: id)
    _ = photo.optionalValue(at: Self.image) as Data?
    photo.setOptionalValue("other", at: Self.title)
    photo.setOptionalValue(Data([1]), at: PropertySlot(-1, "plain"))
    try context.save()
    #expect(try stack.sqlite("SELECT ZTITLE || instr(ZIMAGE, '\(name)') FROM ZPHOTO") == "other2")
    context.delete(photo)
    try context.save()
    #expect(try stack.sqlite("SELECT count(*) FROM ZPHOTO") == "0")
  }

  @Test func `a deletion that reads nothing deletes it too`() throws {
    let stack = try Stack(model: Self.model)
    let (id, _) = try photoWithoutFile(in: stack)
    let context = stack.anotherContext()
    context.delete(context.object(with: id))
    try context.save()
    #expect(try stack.sqlite("SELECT count(*) FROM ZPHOTO") == "0")
  }

  @Test func `setting it to nothing, or to something, writes it`() throws {
    let stack = try Stack(model: Self.model)
    let (id, _) = try photoWithoutFile(in: stack)
    let context = stack.anotherContext()
    let photo = try context.existingObject(with: id)
    photo.setOptionalValue(Data?.none, at: Self.image)
    context.rollback()
    #expect(!context.hasChanges && photo.optionalValue(at: Self.image) == Data?.none)
    #expect(context.faultingError != nil)
    photo.setOptionalValue(Data?.none, at: Self.image)
    try context.save()
    #expect(try stack.sqlite("SELECT ZIMAGE IS NULL FROM ZPHOTO") == "1")
    photo.setOptionalValue(Self.large, at: Self.image)
    try context.save()
    #expect(try image(of: photo, in: stack) == Self.large)
  }

  @Test func `a file that comes back is read`() throws {
    let stack = try Stack(model: Self.model)
    let (id, name) = try photoWithoutFile(in: stack)
    let context = stack.anotherContext()
    let photo = try context.existingObject(with: id)
    try Self.large.write(to: folder(stack).appending(path: name))
    #expect(photo.optionalValue(at: Self.image) == Self.large)
    #expect(context.faultingError == nil && !context.hasChanges)
  }

  @Test func `children, predicates, batches and the undo log do without it`() throws {
    let folder = try StoreFolder()
    let container = try folder.open(Self.model) { $0.undoLogLimit = 10 }
    let context = container.newBackgroundContext()
    let photo = ManagedObject("Photo", in: context)
    photo.setOptionalValue(Self.large, at: Self.image)
    photo.setOptionalValue("title", at: Self.title)
    try context.save()
    try FileManager.default.removeItem(
      at: folder.url.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA"))

    let other = container.newBackgroundContext()
    let child = ManagedObjectContext(parent: other)
    let twin = try child.existingObject(with: photo.objectID)
    #expect(twin.optionalValue(at: Self.image) == Data?.none && child.faultingError != nil)
    twin.setOptionalValue("child", at: Self.title)
    try child.save()
    try other.save()
    var request = FetchRequest<ManagedObject>(entityName: "Photo")
    request.predicate = try .init(format: "image == %@", Data([1]))
    #expect(try other.fetch(request).isEmpty)
    var update = BatchUpdateRequest(entityName: "Photo")
    update.propertiesToUpdate = ["title": .string("batch")]
    #expect(try other.execute(update).updated.count == 1)
    request.predicate = nil
    #expect(try other.execute(BatchDeleteRequest(fetchRequest: request)).deleted.count == 1)
    let log = try #require(
      container.persistentStoreCoordinator.undoLog(of: container.persistentStore))
    try log.undo()
    #expect(try SQLiteFile(folder.store).value("SELECT ZTITLE FROM ZPHOTO") == "batch")
  }

  /// What a save may do where others have saved meanwhile.
  enum Resolution: CaseIterable { case overwrite, storeTrump, objectTrump, ofItsOwn }

  @Test(arguments: Resolution.allCases)
  func `one that others replaced before it was read stays theirs`(resolution: Resolution) throws {
    let stack = try Stack(model: Self.model)
    let id = try photo(Self.large, in: stack).objectID
    let file = try #require(try files(stack).keys.first)
    let theirs = Data(Self.large.reversed())
    let container = try stack.anotherContainer()
    let context = stack.anotherContext()
    context.mergePolicy =
      switch resolution {
      case .overwrite: .overwrite
      case .storeTrump: .mergeByPropertyStoreTrump
      case .objectTrump: .mergeByPropertyObjectTrump
      case .ofItsOwn: MergePolicy(.error) { _ in }
      }
    let photo = try context.performReading {
      _ = try context.count(for: FetchRequest<ManagedObject>(entityName: "Photo"))
      // The row that is read then is as it was before this save, and other programs do not wait
      // with the file until nobody reads it.
      let other = container.newBackgroundContext()
      let twin = other.object(with: id)
      twin.setOptionalValue(theirs, at: Self.image)
      try other.save()
      try FileManager.default.removeItem(at: folder(stack).appending(path: file))
      return try context.existingObject(with: id)
    }
    photo.setOptionalValue("ours", at: Self.title)
    try context.save()
    #expect(photo.optionalValue(at: Self.image) == theirs && !context.hasChanges)
    #expect(try image(of: photo, in: stack) == theirs)
    #expect(try stack.sqlite("SELECT ZTITLE FROM ZPHOTO") == "ours")
    #expect(Array(try files(stack).values) == [theirs])
  }

  @Test func `a value that could not be read is not taken from a row that others have changed`()
    throws
  {
    let stack = try Stack(model: Self.model)
    let (id, _) = try photoWithoutFile(in: stack)
    let context = stack.anotherContext()
    let photo = try context.existingObject(with: id)
    let other = stack.anotherContext()
    try other.existingObject(with: id).setValuesForKeys(["image": Data([7]), "title": "theirs"])
    try other.save()
    #expect(photo.optionalValue(at: Self.image) == Data?.none)
    #expect(photo.optionalValue(at: Self.title) == "title")
    #expect((context.faultingError as? ConflictError)?.objectID == id)
    try context.refresh(photo, mergeChanges: true)
    #expect(photo.optionalValue(at: Self.image) == Data([7]))
    #expect(photo.optionalValue(at: Self.title) == "theirs")
  }

  @Test func `a value that cannot be read though it is there makes a predicate on it fail`() throws
  {
    let stack = try Stack(model: Self.model)
    let (_, name) = try photoWithoutFile(in: stack)
    let context = stack.anotherContext()
    var request = FetchRequest<ManagedObject>(entityName: "Photo")
    request.predicate = try .init(format: "image == %@", Data([1]))
    #expect(try context.fetch(request).isEmpty)
    // A link to itself can be opened by nobody, whatever he may do.
    let file = folder(stack).appending(path: name)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: file)
    #expect(throws: PersistentStoreError.self) { try context.fetch(request) }
    #expect(throws: PersistentStoreError.self) { try context.count(for: request) }
  }

  @Test func `a required value without its file does not keep its object from being saved`() throws
  {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Photo",
        properties: [
          .attribute(
            AttributeDescription(
              name: "image", type: .binaryData, allowsExternalBinaryDataStorage: true)),
          .value("title", .string),
        ])
    ])
    let stack = try Stack(model: model)
    let (id, _) = try photoWithoutFile(in: stack)
    let context = stack.anotherContext()
    let photo = try context.existingObject(with: id)
    #expect((photo.requiredValue(at: Self.image) as Data).isEmpty)
    #expect(context.faultingError != nil)
    photo.setOptionalValue("other", at: Self.title)
    try context.save()
    #expect(try stack.sqlite("SELECT ZTITLE FROM ZPHOTO") == "other")
  }

  @Test func `bytes that name no UUID lead to no file`() throws {
    let stack = try Stack(model: Self.model)
    let photo = try photo(Data([1]), in: stack)
    let path = "../../../../../../../etc/passwd"
    let name = String(repeating: "/", count: 36 - path.count) + path
    _ = try stack.sqlite(
      "UPDATE ZPHOTO SET ZIMAGE = CAST(x'02' || '\(name)' || x'00' AS BLOB) RETURNING 1")
    #expect(try image(of: photo, in: stack)?.count == 38)
  }

  @Test func `in memory a large value is a value`() throws {
    let stack = try Stack(.inMemory, model: Self.model)
    let photo = try photo(Self.large, in: stack)
    #expect(try image(of: photo, in: stack) == Self.large)
  }
}

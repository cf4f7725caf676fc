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
  static let image = PropertySlot(-1, "image")
  static let title = PropertySlot(-1, "title")
  static let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })

  @Test(arguments: [0, 1, 38, 102_399])
  func `a small value is in its column, after a byte that marks it`(size: Int) throws {
    let stack = try Stack(model: Self.model)
    let data = Data(repeating: 2, count: size)
    let photo = try stack.savePhoto(data)
    #expect(try stack.image(of: photo) == data)
    #expect(try stack.sqlite("SELECT hex(substr(ZIMAGE, 1, 1)) FROM ZPHOTO") == "01")
    #expect(try stack.sqlite("SELECT length(ZIMAGE) FROM ZPHOTO") == "\(size + 1)")
    #expect(try stack.valueFiles().isEmpty)
  }

  /// In a folder that belongs to a group, the group can read and add large values.
  @Test func `files of values in a shared folder belong to the group`() throws {
    let folder = try StoreFolder()
    try #require(chmod(folder.url.path, 0o2770) == 0)
    let context = try folder.open(Self.model).newBackgroundContext()
    ManagedObject("Photo", in: context).setOptionalValue(Self.large, at: Self.image)
    try context.save()
    let support = folder.url.appending(path: ".DogWalk_SUPPORT")
    let data = support.appending(path: "_EXTERNAL_DATA")
    let file = try #require(try FileManager.default.contentsOfDirectory(atPath: data.path).first)
    let modes = [support, data, data.appending(path: file), folder.store].map { url in
      var info = stat()
      return stat(url.path, &info) == 0 ? String(info.st_mode & 0o7777, radix: 8) : "none"
    }
    #expect(modes == ["2770", "2770", "660", "660"])
  }

  @Test func `a large value is in a file that the column names`() throws {
    let stack = try Stack(model: Self.model)
    let photo = try stack.savePhoto(Self.large)
    let name = try #require(try stack.valueFiles().first?.key)
    #expect(try stack.valueFiles() == [name: Self.large])
    #expect(
      try stack.sqlite("SELECT hex(ZIMAGE) FROM ZPHOTO")
        == "02" + name.utf8.map { String($0, radix: 16, uppercase: true) }.joined() + "00")
    #expect(try stack.image(of: photo) == Self.large)
  }

  @Test func `a file is removed with its value, and with its row`() throws {
    let stack = try Stack(model: Self.model)
    let photo = try stack.savePhoto(Self.large)
    let first = try stack.valueFiles().keys
    photo.setOptionalValue(Self.large + [1], at: Self.image)
    try stack.context.save()
    #expect(try stack.valueFiles().values.map(\.count) == [200_001])
    #expect(try stack.valueFiles().keys != first)
    photo.setOptionalValue("title", at: Self.title)
    try stack.context.save()
    #expect(try stack.valueFiles().count == 1)
    stack.context.delete(photo)
    try stack.context.save()
    #expect(try stack.valueFiles().isEmpty)
  }

  @Test func `a failed save leaves the files unchanged`() throws {
    let stack = try Stack(model: Self.model)
    let photo = try stack.savePhoto(Self.large)
    photo.setOptionalValue("same", at: Self.title)
    try stack.context.save()
    let before = try stack.valueFiles()
    photo.setOptionalValue(Self.large + [1], at: Self.image)
    let twin = ManagedObject("Photo", in: stack.context)
    twin.setOptionalValue(Self.large, at: Self.image)
    twin.setOptionalValue("same", at: Self.title)
    #expect(throws: PersistentStoreError.self) { try stack.context.save() }
    #expect(try stack.valueFiles() == before)
    stack.context.rollback()
    #expect(try stack.image(of: photo) == Self.large)
  }

  // MARK: Files that cannot be read

  /// A photo with a title whose file is gone; the name of the file.
  private func photoWithoutFile(in stack: Stack) throws -> (id: ManagedObjectID, file: String) {
    let photo = try stack.savePhoto(Self.large)
    photo.setOptionalValue("title", at: Self.title)
    try stack.context.save()
    let name = try #require(try stack.valueFiles().keys.first)
    try FileManager.default.removeItem(at: stack.valueFolder.appending(path: name))
    return (photo.objectID, name)
  }

  @Test func `a missing file is a single value that cannot be read`() throws {
    let stack = try Stack(model: Self.model)
    let (id, name) = try photoWithoutFile(in: stack)
    _ = try stack.savePhoto(Data([7]))
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

  @Test func `reading it by name gives the same error`() throws {
    let stack = try Stack(model: Self.model)
    let (id, _) = try photoWithoutFile(in: stack)
    let context = stack.anotherContext()
    let photo = try context.existingObject(with: id)
    #expect(photo.value(forKey: "title") as? String == "title" && context.faultingError == nil)
    #expect(photo.value(forKey: "image") == nil && context.faultingError != nil)
  }

  @Test func `its object is changed and deleted like any other`() throws {
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

  @Test func `setting it to nil, or to a value, saves it`() throws {
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
    #expect(try stack.image(of: photo) == Self.large)
  }

  @Test func `a restored file is read`() throws {
    let stack = try Stack(model: Self.model)
    let (id, name) = try photoWithoutFile(in: stack)
    let context = stack.anotherContext()
    let photo = try context.existingObject(with: id)
    try Self.large.write(to: stack.valueFolder.appending(path: name))
    #expect(photo.optionalValue(at: Self.image) == Self.large)
    #expect(context.faultingError == nil && !context.hasChanges)
  }

  @Test func `children, predicates, batches and the undo log cope without it`() throws {
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
  func `a value replaced elsewhere before it was read is kept`(resolution: Resolution) throws {
    let stack = try Stack(model: Self.model)
    let id = try stack.savePhoto(Self.large).objectID
    let file = try #require(try stack.valueFiles().keys.first)
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
      // with the file until it is no longer read.
      let other = container.newBackgroundContext()
      let twin = other.object(with: id)
      twin.setOptionalValue(theirs, at: Self.image)
      try other.save()
      try FileManager.default.removeItem(at: stack.valueFolder.appending(path: file))
      return try context.existingObject(with: id)
    }
    photo.setOptionalValue("ours", at: Self.title)
    try context.save()
    #expect(photo.optionalValue(at: Self.image) == theirs && !context.hasChanges)
    #expect(try stack.image(of: photo) == theirs)
    #expect(try stack.sqlite("SELECT ZTITLE FROM ZPHOTO") == "ours")
    #expect(Array(try stack.valueFiles().values) == [theirs])
  }

  @Test func `an unreadable value is not taken from a row that others have changed`()
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

  @Test func `a predicate on a value that exists but cannot be read fails`() throws {
    let stack = try Stack(model: Self.model)
    let (_, name) = try photoWithoutFile(in: stack)
    let context = stack.anotherContext()
    var request = FetchRequest<ManagedObject>(entityName: "Photo")
    request.predicate = try .init(format: "image == %@", Data([1]))
    #expect(try context.fetch(request).isEmpty)
    // A link to itself cannot be opened, whatever the permissions.
    let file = stack.valueFolder.appending(path: name)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: file)
    #expect(throws: PersistentStoreError.self) { try context.fetch(request) }
    #expect(throws: PersistentStoreError.self) { try context.count(for: request) }
  }

  @Test func `an object whose required value has no file can still be saved`() throws {
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
    let photo = try stack.savePhoto(Data([1]))
    let path = "../../../../../../../etc/passwd"
    let name = String(repeating: "/", count: 36 - path.count) + path
    _ = try stack.sqlite(
      "UPDATE ZPHOTO SET ZIMAGE = CAST(x'02' || '\(name)' || x'00' AS BLOB) RETURNING 1")
    #expect(try stack.image(of: photo)?.count == 38)
  }

  @Test func `in memory a large value is an ordinary value`() throws {
    let stack = try Stack(.inMemory, model: Self.model)
    let photo = try stack.savePhoto(Self.large)
    #expect(try stack.image(of: photo) == Self.large)
  }
}

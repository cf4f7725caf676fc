import Foundation
import ManagedObjects
import Testing

/// Large binary values, which have files beside the store.
@Suite struct ExternalDataTests {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Photo",
      properties: [
        .attribute(
          AttributeDescription(
            name: "image", type: .binaryData, isOptional: true,
            allowsExternalBinaryDataStorage: true)),
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

  @Test func `a file that is missing is an error that names it`() throws {
    let stack = try Stack(model: Self.model)
    _ = try photo(Self.large, in: stack)
    let name = try #require(try files(stack).keys.first)
    try FileManager.default.removeItem(
      at: stack.folder.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA/\(name)"))
    let context = stack.anotherContext()
    #expect {
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Photo"))
    } throws: {
      "\($0)".contains(name)
    }
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

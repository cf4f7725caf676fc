import Foundation
import ManagedObjects
import Testing

/// Large values in files, read during others' saves.
@Suite struct ExternalDataReadingTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func image(_ byte: UInt8) -> Data { Data(repeating: byte, count: 200_000) }

  private func request(_ format: String? = nil) throws -> FetchRequest<ManagedObject> {
    var request = FetchRequest<ManagedObject>(entityName: "Photo")
    if let format { request.predicate = try .init(format: format) }
    return request
  }

  private func images(equalTo image: Data) throws -> FetchRequest<ManagedObject> {
    var request = FetchRequest<ManagedObject>(entityName: "Photo")
    request.predicate = try .init(format: "image == %@", image)
    return request
  }

  /// Saves photos whose titles and images have the same number.
  private func save(_ number: UInt8, in photos: [ManagedObject]) throws {
    for photo in photos {
      photo.setValuesForKeys(["title": "\(number)", "image": image(number)])
    }
    try photos.first?.managedObjectContext?.save()
  }

  private func fill(_ count: Int, in context: ManagedObjectContext) throws {
    try save(1, in: (0..<count).map { _ in ManagedObject("Photo", in: context) })
  }

  private func fileCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA").path
    ).count
  }

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Photo",
      properties: [
        .externalData("image"),
        .value("title", .string),
      ])
  ])

  @Test func `a cursor returns all values as of its creation`() throws {
    let container = try folder.open(Self.model)
    let writer = container.newBackgroundContext()
    try fill(40, in: writer)
    let reader = container.newBackgroundContext()
    do {
      let cursor = try reader.cursor(for: request())
      var seen: [String] = []
      while let photo = try cursor.next() {
        let image = try #require(photo.value(forKey: "image") as? Data)
        let title = try #require(photo.value(forKey: "title") as? String)
        #expect(image.first.map { "\($0)" } == title)
        seen.append(title)
        if seen.count == 3 { try save(2, in: writer.fetch(request())) }
      }
      #expect(seen == Array(repeating: "1", count: 40))
      #expect(reader.faultingError == nil)
    }
    // The old files are removed by the next save after the last reader.
    #expect(try fileCount() == 80)
    let first = try #require(try writer.fetch(request()).first)
    try save(3, in: [first])
    #expect(try fileCount() == 40)
  }

  @Test func `performReading finds the files of the state that it reads`() throws {
    let container = try folder.open(Self.model)
    try fill(1, in: container.newBackgroundContext())
    let other = try folder.open(Self.model).newBackgroundContext()
    let reader = container.newBackgroundContext()
    try reader.performReading {
      #expect(try reader.count(for: request("image != nil")) == 1)
      try save(2, in: other.fetch(request()))
      let photo = try #require(try reader.fetch(request()).first)
      #expect(photo.value(forKey: "image") as? Data == image(1))
      #expect(photo.value(forKey: "title") as? String == "1")
      #expect(try reader.count(for: request("image != nil")) == 1)
      #expect(try reader.count(for: images(equalTo: image(1))) == 1)
    }
    #expect(reader.faultingError == nil)
    try reader.refreshAllObjects()
    #expect(try reader.fetch(request()).first?.value(forKey: "image") as? Data == image(2))
  }

  @Test func `a store that is closed after its readers leaves no file of a dropped value`() throws {
    try fill(1, in: folder.open(Self.model).newBackgroundContext())
    do {
      let container = try folder.open(Self.model)
      let reader = try folder.open(Self.model).newBackgroundContext()
      try reader.performReading {
        #expect(try reader.count(for: request("image != nil")) == 1)
        let writer = container.newBackgroundContext()
        try save(2, in: writer.fetch(request()))
        #expect(try fileCount() == 2)
      }
      // Until here it is open.
      withExtendedLifetime(container) {}
    }
    #expect(try fileCount() == 1)
  }

  @Test func `predicates see every value while another thread replaces them`() throws {
    let container = try folder.open(Self.model)
    let context = container.newBackgroundContext()
    try fill(8, in: context)
    let folder = folder
    let isDone = DispatchGroup()
    isDone.enter()
    let writer = Thread {
      try? Self.replaceImages(in: folder)
      isDone.leave()
    }
    writer.start()
    var counts: Set<Int> = []
    repeat {
      counts.insert(try context.count(for: request("image != nil")))
    } while isDone.wait(timeout: .now()) == .timedOut
    #expect(counts == [8])
    #expect(try context.count(for: images(equalTo: image(60))) == 8)
  }

  /// Saves 59 images into each photo, one after the other.
  private static func replaceImages(in folder: StoreFolder) throws {
    let context = try folder.open(model).newBackgroundContext()
    let photos = try context.fetch(FetchRequest<ManagedObject>(entityName: "Photo"))
    for number in UInt8(2)...60 {
      for photo in photos {
        photo.setValue(Data(repeating: number, count: 200_000), forKey: "image")
      }
      try context.save()
    }
  }
}

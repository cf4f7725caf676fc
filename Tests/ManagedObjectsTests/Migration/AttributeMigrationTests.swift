import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Attributes that become optional, or are stored in one version and not in the other.
struct AttributeMigrationTests {
  private static func photos(_ attribute: AttributeDescription) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Photo", properties: [.attribute(attribute), .value("title", .string)])
    ])
  }

  private static func number(
    isOptional: Bool = true, isTransient: Bool = false, default value: Int64? = nil
  ) -> AttributeDescription {
    AttributeDescription(
      name: "number", type: .integer32, isOptional: isOptional, isTransient: isTransient,
      defaultValue: value.map { .integer($0) })
  }

  /// A store of photos "first", "second" and "third", numbered 7, 0 and -3 where that is stored.
  private static func album(_ attribute: AttributeDescription) throws -> StoreFolder {
    let folder = try StoreFolder()
    try folder.fill(photos(attribute)) { context in
      for (title, number) in [("first", 7), ("second", 0), ("third", -3)] {
        let photo = ManagedObject("Photo", in: context)
        photo.setValuesForKeys(["title": title, "number": number])
        try context.save()
      }
    }
    return folder
  }

  private static func values(_ folder: StoreFolder, _ columns: String) throws -> [[String]] {
    try SQLiteFile(folder.store).rows("SELECT Z_PK, Z_OPT, \(columns) FROM ZPHOTO ORDER BY Z_PK")
  }

  private static func columns(_ folder: StoreFolder) throws -> Set<String> {
    Set(try SQLiteFile(folder.store).column("SELECT name FROM pragma_table_info('ZPHOTO')"))
  }

  @Test func `a required attribute made optional keeps its values, and may then be nil`()
    throws
  {
    let folder = try Self.album(Self.number(isOptional: false, default: 1))
    let before = try Self.values(folder, "ZNUMBER, ZTITLE")
    let new = Self.photos(Self.number())
    #expect(try folder.migrate(to: new) != nil)
    #expect(try Self.values(folder, "ZNUMBER, ZTITLE") == before)
    #expect(before.map { $0[2] } == ["7", "0", "-3"])
    // The new default is nil, so new objects have no value, and may be saved.
    let context = try folder.open(new).newBackgroundContext()
    ManagedObject("Photo", in: context).setValue("fourth", forKey: "title")
    try context.fetch(FetchRequest<ManagedObject>(entityName: "Photo")).first?
      .setValue(nil, forKey: "number")
    try context.save()
    #expect(
      try Self.values(folder, "ZNUMBER").map { $0[2] } == ["NULL", "0", "-3", "NULL"])
  }

  @Test func `a stored attribute made transient loses its column, and nothing else`() throws {
    let folder = try Self.album(Self.number())
    let before = try Self.values(folder, "ZTITLE")
    let new = Self.photos(Self.number(isTransient: true, default: 5))
    try folder.migrate(to: new)
    #expect(try Self.columns(folder) == ["Z_PK", "Z_ENT", "Z_OPT", "ZTITLE"])
    #expect(try Self.values(folder, "ZTITLE") == before)
    let photos = try folder.open(new).newBackgroundContext()
      .fetch(FetchRequest<ManagedObject>(entityName: "Photo"))
    #expect(photos.count == 3)
    #expect(Set(photos.map { $0.value(forKey: "title") as? String }).count == 3)
  }

  @Test(arguments: [true, false])
  func `a transient attribute made stored gets a column, with its default in every row`(
    isOptional: Bool
  ) throws {
    let folder = try Self.album(Self.number(isTransient: true))
    #expect(try Self.columns(folder) == ["Z_PK", "Z_ENT", "Z_OPT", "ZTITLE"])
    let before = try Self.values(folder, "ZTITLE")
    let new = Self.photos(Self.number(isOptional: isOptional, default: isOptional ? nil : 5))
    try folder.migrate(to: new)
    #expect(try Self.columns(folder) == ["Z_PK", "Z_ENT", "Z_OPT", "ZTITLE", "ZNUMBER"])
    #expect(try Self.values(folder, "ZTITLE") == before)
    let number = isOptional ? "NULL" : "5"
    #expect(
      try Self.values(folder, "ZNUMBER").map { $0[2] } == Array(repeating: number, count: 3))
  }

  @Test func `files of large values are removed when these become transient, for good`()
    throws
  {
    func data(isTransient: Bool) -> ManagedObjectModel {
      Self.photos(
        AttributeDescription(
          name: "data", type: .binaryData, isOptional: true, isTransient: isTransient,
          allowsExternalBinaryDataStorage: true))
    }
    let folder = try StoreFolder()
    try folder.fill(data(isTransient: false)) { context in
      ManagedObject("Photo", in: context)
        .setValuesForKeys(["title": "large", "data": Data(repeating: 7, count: 200_000)])
    }
    let support = folder.url.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: support).count == 1)
    try folder.migrate(to: data(isTransient: true))
    #expect(try FileManager.default.contentsOfDirectory(atPath: support) == [])
    try folder.migrate(to: data(isTransient: false))
    #expect(
      try SQLiteFile(folder.store).rows("SELECT ZTITLE, ZDATA FROM ZPHOTO") == [["large", "NULL"]])
  }
}

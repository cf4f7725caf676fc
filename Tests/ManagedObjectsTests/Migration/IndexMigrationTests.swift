import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Fetch indexes that are added, changed and removed with a version.
struct IndexMigrationTests {
  private static func index(
    _ name: String, _ properties: String..., isAscending: Bool = true
  ) -> FetchIndexDescription {
    FetchIndexDescription(
      name: name,
      elements: properties.map { .init(propertyName: $0, isAscending: isAscending) })
  }

  /// - Parameters:
  ///   - age: dogs' age, whose presence distinguishes versions; nil for none.
  ///   - isNamed: whether dogs have a name.
  private static func model(
    _ indexes: [FetchIndexDescription], age: String? = nil, isNamed: Bool = true
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Dog",
        properties: [.value("breed", .string), .value("weight", .double)]
          + (isNamed ? [.value("name", .string)] : [])
          + (age.map { [.value($0, .integer16)] } ?? []),
        indexes: indexes)
    ])
  }

  private static let old = model([
    index("byName", "name"), index("byBreed", "breed", "name"), index("byWeight", "weight"),
  ])

  private static func kennel() throws -> StoreFolder {
    let folder = try StoreFolder()
    try folder.fill(old) { context in
      for number in 0..<50 {
        ManagedObject("Dog", in: context).setValuesForKeys([
          "name": "Dog \(number)", "breed": "\(number % 5)", "weight": Double(number),
        ])
      }
    }
    return folder
  }

  /// The columns of a store's indexes, by their names: "ZDOG: ZNAME, ZBREED DESC".
  private static func indexes(_ folder: StoreFolder) throws -> [String: String] {
    let rows = try SQLiteFile(folder.store).rows(
      """
      SELECT m.name, m.tbl_name, x.name || CASE x.desc WHEN 1 THEN ' DESC' ELSE '' END
      FROM sqlite_schema AS m JOIN pragma_index_xinfo(m.name) AS x
      WHERE m.type = 'index' AND x.key = 1 AND m.tbl_name = 'ZDOG' ORDER BY m.name, x.seqno
      """)
    return Dictionary(rows.map { ($0[0], "\($0[1]): \($0[2])") }) {
      $0 + ", " + $1.dropFirst("ZDOG: ".count)
    }
  }

  /// SQLite's plan of a query.
  private static func plan(_ folder: StoreFolder, _ query: String) throws -> String {
    try SQLiteFile(folder.store).rows("EXPLAIN QUERY PLAN \(query)").map { $0[3] }.joined()
  }

  @Test(arguments: [true, false])
  func `are made, changed and dropped, whether the table stays or is rewritten`(
    isStaying: Bool
  ) throws {
    let folder = try Self.kennel()
    #expect(
      try Self.indexes(folder) == [
        "Z_Dog_byName": "ZDOG: ZNAME", "Z_Dog_byBreed": "ZDOG: ZBREED, ZNAME",
        "Z_Dog_byWeight": "ZDOG: ZWEIGHT",
      ])
    let byWeight = "SELECT Z_PK FROM ZDOG ORDER BY ZWEIGHT"
    #expect(try Self.plan(folder, byWeight).contains("Z_Dog_byWeight"))
    // byName stays, byBreed changes, byWeight is removed and byAge added.
    let middle = [
      Self.index("byBreed", "breed", isAscending: false), Self.index("byAge", "age"),
    ]
    try folder.migrate(
      to: isStaying
        ? Self.model([Self.index("byName", "name")] + middle, age: "age")
        : Self.model(middle, age: "age", isNamed: false))
    var expected = ["Z_Dog_byBreed": "ZDOG: ZBREED DESC", "Z_Dog_byAge": "ZDOG: ZAGE"]
    if isStaying { expected["Z_Dog_byName"] = "ZDOG: ZNAME" }
    #expect(try Self.indexes(folder) == expected)
    #expect(!(try Self.plan(folder, byWeight).contains("USING INDEX")))
    #expect(
      try Self.plan(folder, "SELECT Z_PK FROM ZDOG WHERE ZAGE = 3").contains("Z_Dog_byAge"))
    let byBreed = "SELECT ZBREED FROM ZDOG ORDER BY ZBREED DESC"
    #expect(try Self.plan(folder, byBreed).contains("Z_Dog_byBreed"))
    #expect(try SQLiteFile(folder.store).column(byBreed).count == 50)
    #expect(try SQLiteFile(folder.store).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `of a migrated store are those of a new one, whichever version it had`() throws {
    let fresh = try StoreFolder()
    try fresh.fill(Self.old) { _ in }
    let other = Self.model([Self.index("byName", "weight", "name")], age: "age")
    let folder = try Self.kennel()
    for model in [other, Self.old] { try folder.migrate(to: model) }
    #expect(try Self.indexes(folder) == Self.indexes(fresh))
  }

  @Test func `are left alone where nothing changes, and so are those of no model`() throws {
    let folder = try Self.kennel()
    // SQLite keeps a statement as it was typed, so a recreated index can be recognized.
    try SQLiteFile(folder.store).execute(
      """
      DROP INDEX Z_Dog_byName;
      CREATE  INDEX  Z_Dog_byName ON ZDOG (ZNAME  COLLATE BINARY  ASC);
      CREATE INDEX mine ON ZDOG (ZNAME, ZWEIGHT)
      """)
    let sql = "SELECT sql FROM sqlite_schema WHERE name IN ('Z_Dog_byName', 'mine') ORDER BY name"
    let before = try SQLiteFile(folder.store).column(sql)
    let names = ["byName", "byBreed", "byWeight"].map { Self.old.entities[0].index($0) }
    try folder.migrate(to: Self.model(names, age: "age"))
    #expect(try SQLiteFile(folder.store).column(sql) == before)
    #expect(before.count == 2 && before[0].contains("  COLLATE"))
  }

  @Test func `that the store never had are not made, unless the model changes them`() throws {
    let folder = try Self.kennel()
    try SQLiteFile(folder.store).execute("DROP INDEX Z_Dog_byName; DROP INDEX Z_Dog_byWeight")
    try folder.migrate(
      to: Self.model(
        [
          Self.index("byName", "name"), Self.index("byBreed", "breed", "name"),
          Self.index("byWeight", "weight", isAscending: false),
        ], age: "age"))
    #expect(
      try Self.indexes(folder) == [
        "Z_Dog_byBreed": "ZDOG: ZBREED, ZNAME", "Z_Dog_byWeight": "ZDOG: ZWEIGHT DESC",
      ])
  }

  @Test func `follow renamed columns and tables`() throws {
    let folder = try Self.kennel()
    let new = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Hound",
        properties: [
          .value("breed", .string), .value("weight", .double),
          .attribute(
            AttributeDescription(
              name: "title", type: .string, isOptional: true, renamingIdentifier: "name")),
        ], indexes: [Self.index("byName", "title"), Self.index("byWeight", "weight")],
        renamingIdentifier: "Dog")
    ])
    try folder.migrate(to: new)
    #expect(
      try SQLiteFile(folder.store).column(
        "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name")
        == ["Z_Hound_byName", "Z_Hound_byWeight"])
    #expect(
      try Self.plan(folder, "SELECT Z_PK FROM ZHOUND WHERE ZTITLE = 'x'").contains(
        "Z_Hound_byName"))
  }

  @Test func `declared before Xcode 9 are the fetch indexes that newer versions make of them`()
    throws
  {
    // Named by its properties, as frameworks since then name it.
    let new = Self.model([Self.index("name", "name"), Self.index("breed_name", "breed", "name")])
    var dog = try #require(new.entities.first)
    dog.indexes = []
    dog.compoundIndexes = [["breed", "name"]]
    dog.properties.removeAll { $0.name == "name" }
    dog.properties.append(
      .attribute(.init(name: "name", type: .string, isOptional: true, isIndexed: true)))
    dog.properties.append(.value("age", .integer16))
    let old = ManagedObjectModel(entities: [dog])
    let folder = try StoreFolder()
    try folder.fill(new) { _ = ManagedObject("Dog", in: $0) }
    let before = try Self.indexes(folder)
    #expect(before == ["Z_Dog_name": "ZDOG: ZNAME", "Z_Dog_breed_name": "ZDOG: ZBREED, ZNAME"])
    try folder.migrate(to: old)
    #expect(try Self.indexes(folder) == before)
    let other = try StoreFolder()
    try other.fill(old) { _ = ManagedObject("Dog", in: $0) }
    #expect(try Self.indexes(other) == before)
  }
}

extension EntityDescription {
  /// The fetch index of a name, which it has.
  fileprivate func index(_ name: String) -> FetchIndexDescription {
    indexes.first { $0.name == name }!
  }
}

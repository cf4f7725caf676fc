import DataModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// The tables, columns and indexes of models made by hand.
@Suite struct StoreLayoutTests {
  /// The statements that create a new store of a model, without the tables that every store has.
  private func statements(_ entities: EntityDescription...) throws -> [String] {
    let folder = try StoreFolder()
    _ = try folder.open(ManagedObjectModel(entities: entities))
    return try SQLiteFile(folder.store).column(
      """
      SELECT sql FROM sqlite_schema
      WHERE tbl_name NOT IN ('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE') ORDER BY rowid
      """)
  }

  @Test func `columns are grouped by type, and sorted by name within a group`() throws {
    let types: [AttributeDescription.AttributeType] = [
      .binaryData, .uuid, .uri, .string, .decimal, .date, .float, .double, .boolean, .integer64,
      .integer32, .integer16,
    ]
    let entity = EntityDescription(
      name: "All", properties: types.enumerated().map { .value("a\($0)", $1) })
    #expect(
      try statements(entity) == [
        """
        CREATE TABLE ZALL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZA10 INTEGER, ZA11 INTEGER, ZA8 INTEGER, ZA9 INTEGER, ZA5 TIMESTAMP, ZA6 FLOAT, \
        ZA7 FLOAT, ZA4 DECIMAL, ZA3 VARCHAR, ZA2 VARCHAR, ZA1 BLOB, ZA0 BLOB )
        """
      ])
  }

  @Test func `names sort by their bytes, capitals first`() throws {
    let entity = EntityDescription(
      name: "E", properties: [.value("b", .string), .value("a", .string), .value("C", .string)])
    #expect(
      try statements(entity) == [
        """
        CREATE TABLE ZE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZC VARCHAR, ZA VARCHAR, ZB VARCHAR )
        """
      ])
  }

  @Test func `transient attributes have no column`() throws {
    let entity = EntityDescription(
      name: "E", properties: [.value("kept", .string), .value("lost", .string, isTransient: true)])
    #expect(
      try statements(entity) == [
        "CREATE TABLE ZE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZKEPT VARCHAR )"
      ])
  }

  @Test func `subentities share the table, and the later column of a name has a number`() throws {
    let animal = EntityDescription(name: "Animal", isAbstract: true)
    let cat = EntityDescription(
      name: "cat", superentityName: "Animal", properties: [.value("name", .string)])
    let dog = EntityDescription(
      name: "Dog", superentityName: "Animal", properties: [.value("name", .string)])
    #expect(
      try statements(dog, animal, cat) == [
        """
        CREATE TABLE ZANIMAL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZNAME VARCHAR, ZNAME1 VARCHAR )
        """, "CREATE INDEX ZANIMAL_Z_ENT_INDEX ON ZANIMAL (Z_ENT)",
      ])
  }

  @Test func `a to-one to an entity with subentities has the entity number beside it`() throws {
    let owner = EntityDescription(
      name: "Zoo", properties: [.toOne("star", "Animal"), .toOne("keeper", "Zoo")])
    let animal = EntityDescription(name: "Animal")
    let dog = EntityDescription(name: "Dog", superentityName: "Animal")
    #expect(
      try statements(owner, animal, dog).filter { $0.contains("ZZOO") } == [
        """
        CREATE TABLE ZZOO ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZKEEPER INTEGER, ZSTAR INTEGER, Z1_STAR INTEGER )
        """, "CREATE INDEX ZZOO_ZKEEPER_INDEX ON ZZOO (ZKEEPER)",
        "CREATE INDEX ZZOO_ZSTAR_INDEX ON ZZOO (ZSTAR)",
      ])
  }

  @Test func `names beyond letters and digits are quoted`() throws {
    let entity = EntityDescription(
      name: "Größe", properties: [.value("a \"b\"", .string), .toOne("çà", "Größe")])
    #expect(
      try statements(entity) == [
        """
        CREATE TABLE "ZGRÖSSE" ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        "ZÇÀ" INTEGER, "ZA ""B""\" VARCHAR )
        """, "CREATE INDEX \"ZGRÖSSE_ZÇÀ_INDEX\" ON \"ZGRÖSSE\" (\"ZÇÀ\")",
      ])
  }

  @Test func `a unique constraint over two attributes is one index`() throws {
    let entity = EntityDescription(
      name: "E", properties: [.value("a", .string), .value("b", .string)],
      uniquenessConstraints: [["b", "a"]])
    #expect(
      try statements(entity).last
        == "CREATE UNIQUE INDEX Z_E_UNIQUE_b_a ON ZE (ZB COLLATE BINARY ASC, ZA COLLATE BINARY ASC)"
    )
  }

  @Test func `entities are numbered by family, without regard to case`() throws {
    let folder = try StoreFolder()
    _ = try folder.open(
      ManagedObjectModel(entities: [
        EntityDescription(name: "beta"), EntityDescription(name: "Gamma"),
        EntityDescription(name: "Zed", superentityName: "alpha"),
        EntityDescription(name: "alpha"), EntityDescription(name: "Bee", superentityName: "Zed"),
      ]))
    #expect(
      try SQLiteFile(folder.store).rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY") == [
        ["1", "alpha", "0"], ["2", "Zed", "1"], ["3", "Bee", "2"], ["4", "beta", "0"],
        ["5", "Gamma", "0"],
      ])
  }

  @Test(.enabled(if: StoreChecker.isAvailable, "../shared/tools or python3 is missing"))
  func `random models are laid out as by the independent reader`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for step in 0..<12 {
      let folder = try StoreFolder()
      let model = ManagedObjectModel(entities: Self.randomEntities(&random))
      _ = try folder.open(model)
      let contents = try model.writeXcodeText(into: folder.url)
      let file = try SQLiteFile(folder.store)
      let tables = try file.column(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'Z~_%' ESCAPE '~'")
      let found = try tables.map { table in
        let columns = try file.rows("PRAGMA table_info(\"\(table)\")")
          .map { "\($0[1]) \($0[2])" + ($0[5] == "1" ? " PRIMARY KEY" : "") }
        return "\(table): \(columns.joined(separator: ", "))"
      }
      let where_ = "step \(step) of seed \(seed):\n\(model.xcodeText)"
      #expect(try found == StoreChecker.layout(of: contents), "\(where_)")
      let verdict = try StoreChecker.check(folder.store, against: contents)
      #expect(verdict == "0 differences, \(model.entities.count) entities\n", "\(where_)")
    }
  }

  /// Entities in random families, with clashing names and relationships among them.
  private static func randomEntities(_ random: inout SeededGenerator) -> [EntityDescription] {
    let names = ["Dog", "ant", "Bee", "cat", "Eel", "fox"].shuffled(using: &random)
    var entities: [EntityDescription] = []
    for (place, name) in names.enumerated() {
      let parent = Bool.random(using: &random) ? entities.randomElement(using: &random)?.name : nil
      let inherited = ManagedObjectModel(entities: entities)
      let taken = Set(
        parent.flatMap { inherited.entitiesByName[$0] }
          .map { inherited.properties(of: $0).map(\.name) } ?? [])
      var properties: [PropertyDescription] = []
      for attribute in ["a", "B", "c_d", "E1", "e", "f"]
      where !taken.contains(attribute) && Bool.random(using: &random) {
        let types = AttributeDescription.AttributeType.allCases.filter {
          $0 != .undefined && $0 != .composite
        }
        properties.append(.value(attribute, types.randomElement(using: &random)!))
      }
      if let target = entities.randomElement(using: &random) {
        properties.append(.toOne("to\(place)", target.name, back: "many\(place)"))
        let index = entities.firstIndex(of: target)!
        entities[index].properties.append(
          .toMany("many\(place)", name, back: "to\(place)", isOrdered: .random(using: &random)))
      }
      entities.append(
        EntityDescription(
          name: name, isAbstract: parent == nil && Int.random(in: 0..<4, using: &random) == 0,
          superentityName: parent, properties: properties))
    }
    return entities
  }
}

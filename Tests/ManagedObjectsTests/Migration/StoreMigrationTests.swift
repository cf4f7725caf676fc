import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Stores that are migrated from one version of a model to another, in place.
struct StoreMigrationTests {
  static let dogs = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Dog",
      properties: [
        .value("name", .string), .toMany("walks", "Walk", back: "dog", isOrdered: true),
      ]),
    EntityDescription(
      name: "Walk",
      properties: [.value("duration", .double), .toOne("dog", "Dog", back: "walks")]),
  ])

  /// A store of two dogs; Fido has walks of 3, 1 and 2 minutes, in that order.
  static func kennel() throws -> StoreFolder {
    let folder = try StoreFolder()
    try folder.fill(dogs) { context in
      let dogs = ["Fido", "Rex"].map { name in
        let dog = ManagedObject("Dog", in: context)
        dog.setValue(name, forKey: "name")
        return dog
      }
      // Keys are assigned by the save, in the order of insertion.
      let walks = [1.0, 2, 3].map { minutes in
        let walk = ManagedObject("Walk", in: context)
        walk.setValue(minutes, forKey: "duration")
        return walk
      }
      try context.save()
      dogs[0].setValue([walks[2], walks[0], walks[1]], forKey: "walks")
    }
    return folder
  }

  static func changed(
    _ model: ManagedObjectModel, _ name: String,
    _ change: (inout EntityDescription) -> Void
  ) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: model.entities.map { entity in
        var entity = entity
        if entity.name == name { change(&entity) }
        return entity
      })
  }

  // MARK: Attributes

  @Test func `an added attribute is a column at the end, with its default in every row`() throws {
    let folder = try Self.kennel()
    let new = Self.changed("Dog") {
      $0.properties.append(
        .attribute(.init(name: "age", type: .integer16, defaultValue: .integer(4))))
      $0.properties.append(.value("breed", .string))
    }
    let before = try SQLiteFile(folder.store).rows(
      "SELECT Z_PK, Z_OPT, ZNAME FROM ZDOG ORDER BY Z_PK")
    let uuid = try SQLiteFile(folder.store).value("SELECT Z_UUID FROM Z_METADATA")
    try folder.migrate(to: new)
    let file = try SQLiteFile(folder.store)
    #expect(
      try file.column("SELECT name FROM pragma_table_info('ZDOG')")
        == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "ZAGE", "ZBREED"])
    #expect(
      try file.rows("SELECT Z_PK, Z_OPT, ZNAME FROM ZDOG ORDER BY Z_PK") == before)
    #expect(try file.rows("SELECT ZAGE, ZBREED FROM ZDOG") == [["4", "NULL"], ["4", "NULL"]])
    #expect(try file.value("SELECT Z_UUID FROM Z_METADATA") == uuid)
    #expect(
      try PersistentStoreCoordinator.cachedModel(at: folder.store)?.entityVersionHashesByName
        == new.entityVersionHashesByName)
  }

  @Test func `an optional attribute is added without touching a row`() throws {
    let folder = try StoreFolder()
    try folder.fill(Self.dogs) { context in
      for number in 0..<5_000 {
        let name = "Dog \(number)" + String(repeating: "!", count: 100)
        ManagedObject("Dog", in: context).setValue(name, forKey: "name")
      }
    }
    let before = try Data(contentsOf: folder.store)
    try folder.migrate(to: Self.changed("Dog") { $0.properties.append(.value("age", .integer16)) })
    let after = try Data(contentsOf: folder.store)
    let pages = stride(from: 0, to: before.count, by: 4096).filter {
      before[$0..<$0 + 4096] != after[$0..<$0 + 4096]
    }
    // The schema, the metadata and the model; the rows have more than a hundred.
    #expect(before.count / 4096 > 100 && pages.count < 12, "\(pages.count) pages")
  }

  @Test func `missing values get the default when an attribute becomes required`() throws {
    let folder = try Self.kennel()
    try SQLiteFile(folder.store).execute("UPDATE ZDOG SET ZNAME = NULL WHERE Z_PK = 2")
    let new = Self.changed("Dog") {
      $0.properties[0] = .attribute(
        .init(name: "name", type: .string, defaultValue: .string("nobody")))
    }
    try folder.migrate(to: new)
    #expect(
      try SQLiteFile(folder.store).column("SELECT ZNAME FROM ZDOG ORDER BY Z_PK")
        == ["Fido", "nobody"])
  }

  @Test func `a removed attribute loses its column, and a renamed one keeps its values`() throws {
    let folder = try Self.kennel()
    var dog = RelationshipDescription(
      name: "owner", destinationEntityName: "Hound", inverseName: "outings", isOptional: true)
    dog.renamingIdentifier = "dog"
    var walks = RelationshipDescription(
      name: "outings", destinationEntityName: "Outing", inverseName: "owner", isOptional: true,
      maxCount: 0, isOrdered: true)
    walks.renamingIdentifier = "walks"
    var title = AttributeDescription(name: "title", type: .string, isOptional: true)
    title.renamingIdentifier = "name"
    let new = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Hound", properties: [.attribute(title), .relationship(walks)],
        renamingIdentifier: "Dog"),
      // Comes before the dogs now, so all numbers change.
      EntityDescription(name: "Cat"),
      EntityDescription(
        name: "Outing", properties: [.relationship(dog)], renamingIdentifier: "Walk"),
    ])
    try folder.migrate(to: new)
    let file = try SQLiteFile(folder.store)
    #expect(
      try file.rows("SELECT Z_ENT, ZTITLE FROM ZHOUND") == [["2", "Fido"], ["2", "Rex"]])
    #expect(
      try file.rows("SELECT Z_PK, Z_ENT FROM ZOUTING ORDER BY Z_FOK_OWNER")
        == [["3", "3"], ["1", "3"], ["2", "3"]])
    #expect(
      try file.column("SELECT name FROM sqlite_schema WHERE name LIKE '%DOG%' OR name LIKE 'MO%'")
        == [])
    let context = try folder.open(new).newBackgroundContext()
    let fido = try #require(
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Hound")).first)
    #expect((fido.value(forKeyPath: "outings.@count") as? Int) == 3)
  }

  @Test func `swapped names are migrated crosswise`() throws {
    let old = ManagedObjectModel(entities: [
      EntityDescription(name: "A", properties: [.value("x", .string), .value("y", .string)])
    ])
    var (y, z) = (
      AttributeDescription(name: "y", type: .string, isOptional: true),
      AttributeDescription(name: "z", type: .string, isOptional: true)
    )
    (y.renamingIdentifier, z.renamingIdentifier) = ("x", "y")
    let new = ManagedObjectModel(entities: [
      EntityDescription(name: "A", properties: [.attribute(y), .attribute(z)])
    ])
    let folder = try StoreFolder()
    try folder.fill(old) { context in
      ManagedObject("A", in: context).setValuesForKeys(["x": "from x", "y": "from y"])
    }
    try folder.migrate(to: new)
    #expect(try SQLiteFile(folder.store).rows("SELECT ZY, ZZ FROM ZA") == [["from x", "from y"]])
  }

  @Test func `derived attributes are computed for existing rows`() throws {
    let folder = try Self.kennel()
    let new = Self.changed("Dog") {
      for (name, type, expression) in [
        ("count", .integer64, "walks.@count"), ("total", .double, "walks.duration.@sum"),
        ("plainName", .string, "canonical:(name)"),
      ] as [(String, AttributeDescription.AttributeType, String)] {
        $0.properties.append(
          .attribute(
            .init(name: name, type: type, isOptional: true, derivationExpression: expression)))
      }
    }
    try folder.migrate(to: new)
    #expect(
      try SQLiteFile(folder.store).rows("SELECT ZCOUNT, ZTOTAL, ZPLAINNAME FROM ZDOG ORDER BY Z_PK")
        == [["3", "6.0", "fido"], ["0", "0.0", "rex"]])
  }

  // MARK: Relationships

  @Test
  func `a list that becomes ordered is ordered by primary keys, and can lose its order again`()
    throws
  {
    let folder = try Self.kennel()
    func walks(isOrdered: Bool) -> ManagedObjectModel {
      Self.changed("Dog") {
        $0.properties[1] = .toMany("walks", "Walk", back: "dog", isOrdered: isOrdered)
      }
    }
    try folder.migrate(to: walks(isOrdered: false))
    var file = try SQLiteFile(folder.store)
    #expect(
      try file.column("SELECT name FROM pragma_table_info('ZWALK')")
        == ["Z_PK", "Z_ENT", "Z_OPT", "ZDOG", "ZDURATION"])
    try folder.migrate(to: walks(isOrdered: true))
    file = try SQLiteFile(folder.store)
    #expect(
      try file.rows("SELECT Z_PK, ZDOG, Z_FOK_DOG FROM ZWALK ORDER BY Z_PK")
        == [["1", "1", "2048"], ["2", "1", "3072"], ["3", "1", "4096"]])
  }

  @Test func `a to-one that becomes a to-many keeps its objects, and the order of their lists`()
    throws
  {
    let folder = try Self.kennel()
    let new = Self.changed("Walk") {
      $0.properties[1] = .toMany("dog", "Dog", back: "walks", isOrdered: true)
    }
    let before = try folder.snapshot(Self.dogs)
    try folder.migrate(to: new)
    #expect(try folder.snapshot(new) == before)
    // Links that are rows of their own cannot become a to-one again.
    #expect(throws: MigrationError.toManyBecomesToOne(entity: "Walk", relationship: "dog")) {
      try folder.migrate(to: Self.dogs)
    }
  }

  @Test func `links and references to objects of a removed entity are removed`() throws {
    let animals = [
      EntityDescription(
        name: "Animal", properties: [.toMany("owners", "Person", back: "pets")]),
      EntityDescription(name: "Cat", superentityName: "Animal"),
      EntityDescription(name: "Dog", superentityName: "Animal"),
    ]
    let person = EntityDescription(
      name: "Person",
      properties: [.toOne("favourite", "Animal"), .toMany("pets", "Animal", back: "owners")])
    let old = ManagedObjectModel(entities: animals + [person])
    let folder = try StoreFolder()
    try folder.fill(old) { context in
      let (cat, dog) = (ManagedObject("Cat", in: context), ManagedObject("Dog", in: context))
      for favourite in [cat, dog] {
        ManagedObject("Person", in: context).setValuesForKeys([
          "favourite": favourite, "pets": [cat, dog],
        ])
      }
    }
    let dogKey = try SQLiteFile(folder.store).value("SELECT Z_PK FROM ZANIMAL WHERE Z_ENT = 3")
    let new = ManagedObjectModel(entities: [animals[0], animals[2], person])
    try folder.migrate(to: new)
    let file = try SQLiteFile(folder.store)
    #expect(try file.rows("SELECT Z_PK, Z_ENT FROM ZANIMAL") == [[dogKey, "2"]])
    #expect(
      Set(try file.rows("SELECT ZFAVOURITE, Z1_FAVOURITE FROM ZPERSON"))
        == [["NULL", "NULL"], [dogKey, "2"]])
    #expect(
      try folder.snapshot(new).objects.filter { $0.key.entity == "Person" }
        .allSatisfy { $0.value["pets"] == [dogKey] })
  }

  // MARK: Hierarchies

  @Test func `properties move up and down, and entities in and out of a hierarchy`() throws {
    let down = ManagedObjectModel(entities: [
      EntityDescription(name: "Animal", isAbstract: true),
      EntityDescription(
        name: "Cat", superentityName: "Animal", properties: [.value("name", .string)]),
      EntityDescription(
        name: "Dog", superentityName: "Animal",
        properties: [.value("name", .string), .value("age", .integer16)]),
      EntityDescription(name: "Person", properties: [.toOne("dog", "Dog")]),
    ])
    let up = ManagedObjectModel(entities: [
      EntityDescription(name: "Animal", isAbstract: true, properties: [.value("name", .string)]),
      EntityDescription(name: "Cat", superentityName: "Animal"),
      EntityDescription(
        name: "Dog", superentityName: "Animal", properties: [.value("age", .integer16)]),
      EntityDescription(name: "Person", properties: [.toOne("dog", "Dog")]),
    ])
    let apart = ManagedObjectModel(entities: [
      EntityDescription(name: "Cat", properties: [.value("name", .string)]),
      EntityDescription(
        name: "Dog", properties: [.value("name", .string), .value("age", .integer16)]),
      EntityDescription(name: "Person", properties: [.toOne("dog", "Dog")]),
    ])
    let folder = try StoreFolder()
    try folder.fill(down) { context in
      ManagedObject("Cat", in: context).setValue("Tom", forKey: "name")
      let dog = ManagedObject("Dog", in: context)
      dog.setValuesForKeys(["name": "Fido", "age": 3])
      ManagedObject("Person", in: context).setValue(dog, forKey: "dog")
    }
    let before = try folder.snapshot(down)
    for model in [up, down, apart] {
      try folder.migrate(to: model)
      #expect(try folder.snapshot(model) == before)
    }
    #expect(try SQLiteFile(folder.store).value("SELECT ZNAME FROM ZCAT") == "Tom")
  }

  @Test func `objects of an entity that becomes abstract are an error that names them`() throws {
    let folder = try Self.kennel()
    let before = try folder.bytes()
    let new = Self.changed("Dog") { $0.isAbstract = true }
    #expect(throws: MigrationError.objectsOfAbstractEntity(entity: "Dog", primaryKeys: [1, 2])) {
      try folder.migrate(to: new)
    }
    #expect(try folder.bytes() == before)
  }

  @Test func `rows of no entity are not lost with a rewritten table`() throws {
    let folder = try Self.kennel()
    try SQLiteFile(folder.store).execute("UPDATE ZWALK SET Z_ENT = 99 WHERE Z_PK = 2")
    let before = try folder.bytes()
    let fewer = Self.changed("Walk") { walk in walk.properties.removeAll { $0.name == "duration" } }
    let none = ManagedObjectModel(entities: [
      EntityDescription(name: "Dog", properties: [.value("name", .string)])
    ])
    for new in [fewer, none] {
      #expect(throws: MigrationError.rowsOfNoEntity(table: "ZWALK", primaryKeys: [2])) {
        try folder.migrate(to: new)
      }
    }
    #expect(try folder.bytes() == before)
  }

  static func changed(
    _ name: String, _ change: (inout EntityDescription) -> Void
  ) -> ManagedObjectModel { changed(dogs, name, change) }
}

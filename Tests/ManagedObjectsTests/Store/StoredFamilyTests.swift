import DataModel
import Foundation
import ManagedObjects
import Testing

/// Entities with subentities: one table, several kinds of rows.
@Suite struct StoredFamilyTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Animal", isAbstract: true, properties: [.value("name", .string)]),
    EntityDescription(
      name: "Cat", superentityName: "Animal", properties: [.value("lives", .integer16)]),
    EntityDescription(
      name: "Dog", superentityName: "Animal", properties: [.value("tricks", .integer16)]),
    EntityDescription(name: "Puppy", superentityName: "Dog"),
    EntityDescription(name: "Keeper", properties: [.toOne("pet", "Animal")]),
  ])
  private static let name = PropertySlot(0, "name")
  private static let pet = PropertySlot(0, "pet")

  private let folder: StoreFolder
  private let context: ManagedObjectContext

  /// A cat, a dog and a puppy, with a keeper each.
  init() throws {
    folder = try StoreFolder()
    context = try folder.open(Self.model).newBackgroundContext()
    for kind in ["Cat", "Dog", "Puppy"] {
      let animal = ManagedObject(kind, in: context)
      animal.setOptionalValue("a \(kind)", at: Self.name)
      ManagedObject("Keeper", in: context).setToOne(animal, at: Self.pet)
      try context.save()
    }
  }

  private func names(_ entity: String, subentities: Bool = true) throws -> [String] {
    let other = try folder.open(Self.model).newBackgroundContext()
    var request = FetchRequest<ManagedObject>(entityName: entity)
    request.includesSubentities = subentities
    request.sortDescriptors = [.init(key: "name")]
    return try other.fetch(request).map {
      "\($0.optionalValue(at: Self.name) ?? "") \($0.entity.name)"
    }
  }

  @Test func `a row has its own entity's number, and keys are assigned by table`() throws {
    #expect(
      try SQLiteFile(folder.store).rows("SELECT Z_PK, Z_ENT, ZNAME FROM ZANIMAL") == [
        ["1", "2", "a Cat"], ["2", "3", "a Dog"], ["3", "4", "a Puppy"],
      ])
  }

  @Test func `Z_MAX is the root entity's alone`() throws {
    #expect(
      try SQLiteFile(folder.store).rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY") == [
        ["Animal", "3"], ["Cat", "0"], ["Dog", "0"], ["Puppy", "0"], ["Keeper", "3"],
      ])
  }

  @Test func `every row is read as an object of its entity`() throws {
    #expect(try names("Animal") == ["a Cat Cat", "a Dog Dog", "a Puppy Puppy"])
  }

  @Test func `a subentity's rows are its own and its subentities'`() throws {
    #expect(try names("Dog") == ["a Dog Dog", "a Puppy Puppy"])
    #expect(try names("Dog", subentities: false) == ["a Dog Dog"])
    #expect(try names("Animal", subentities: false) == [])
  }

  @Test func `a to-one stores the number of the entity it leads to`() throws {
    #expect(
      try SQLiteFile(folder.store).rows("SELECT ZPET, Z1_PET FROM ZKEEPER ORDER BY Z_PK") == [
        ["1", "2"], ["2", "3"], ["3", "4"],
      ])
  }

  @Test func `a to-one returns an object of the entity it leads to`() throws {
    let other = try folder.open(Self.model).newBackgroundContext()
    let pets = try other.fetch(FetchRequest<ManagedObject>(entityName: "Keeper")).map {
      $0.toOne(at: Self.pet) as ManagedObject?
    }
    #expect(pets.map { $0?.entity.name } == ["Cat", "Dog", "Puppy"])
  }

  @Test func `the store's entity numbers are used, not this model's`() throws {
    try SQLiteFile(folder.store).execute(
      """
      UPDATE Z_PRIMARYKEY SET Z_ENT = 12 WHERE Z_NAME = 'Cat';
      UPDATE ZANIMAL SET Z_ENT = 12 WHERE Z_ENT = 2;
      UPDATE ZKEEPER SET Z1_PET = 12 WHERE Z1_PET = 2
      """)
    #expect(try names("Cat") == ["a Cat Cat"])
    let other = try folder.open(Self.model).newBackgroundContext()
    ManagedObject("Cat", in: other).setOptionalValue("new", at: Self.name)
    try other.save()
    #expect(try SQLiteFile(folder.store).value("SELECT Z_ENT FROM ZANIMAL WHERE Z_PK = 4") == "12")
  }

  @Test func `an entity under another name keeps the number it would have`() throws {
    try SQLiteFile(folder.store).execute(
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Tomcat' WHERE Z_NAME = 'Cat'")
    #expect(try names("Cat") == ["a Cat Cat"])
  }

  @Test(arguments: [-1, 0])
  func `an invalid entity number is replaced`(number: Int) throws {
    try SQLiteFile(folder.store).execute(
      "UPDATE Z_PRIMARYKEY SET Z_ENT = \(number) WHERE Z_NAME = 'Cat'")
    let other = try folder.open(Self.model).newBackgroundContext()
    let cat = ManagedObject("Cat", in: other)
    ManagedObject("Keeper", in: other).setToOne(cat, at: Self.pet)
    try other.save()
    #expect(try SQLiteFile(folder.store).value("SELECT max(Z1_PET) FROM ZKEEPER") == "4")
    #expect(try names("Cat", subentities: false).count == 2)
  }

  @Test(.enabled(if: StoreChecker.isAvailable, "../shared/tools or python3 is missing"))
  func `is as the independent checker expects`() throws {
    let contents = try Self.model.writeXcodeText(into: folder.url)
    #expect(
      try StoreChecker.check(folder.store, against: contents) == "0 differences, 5 entities\n")
  }
}

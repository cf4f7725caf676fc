import Foundation
import ManagedObjects
import Testing

@testable import ManagedObjects

/// Attributes whose values the store computes.
@Suite(.enabled(if: !Fixture.all.isEmpty, "../shared/fixtures or python3 is missing"))
struct DerivedAttributeTests {
  private static let fixture = Fixture.all.first { $0.name.hasSuffix("SampleModel2_V2.sqlite") }
  private static let count = PropertySlot(-1, "pagesCount")

  @Test func `a store with triggers cannot be written, and one with a history is read-only`()
    throws
  {
    let fixture = try #require(Self.fixture)
    let folder = try fixture.copy()
    let before = try folder.bytes()
    for ignored: Set<PersistentStoreError.WriteObstacle> in [[], [.persistentHistory]] {
      #expect(throws: PersistentStoreError.self) {
        try folder.open(fixture.model.model) { $0.ignoredObstacles = ignored }
      }
    }
    let container = try folder.open(fixture.model.model) {
      $0.ignoredObstacles = [.derivedAttributes]
    }
    #expect(container.persistentStore.isReadOnly)
    #expect(try folder.bytes() == before)
  }

  @Test func `the triggers keep the value right where the caller insists`() throws {
    let fixture = try #require(Self.fixture)
    let folder = try fixture.copy()
    let container = try folder.open(fixture.model.model) {
      $0.ignoredObstacles = [.derivedAttributes, .persistentHistory]
    }
    let context = container.newBackgroundContext()
    let request = FetchRequest<ManagedObject>(entityName: "Book")
    let place = PropertySlot(-1, "pages")
    let book = try #require(
      try context.fetch(request).first {
        ($0.unorderedToMany(at: place) as Set<ManagedObject>).count > 1
      })
    let pages: Set<ManagedObject> = book.unorderedToMany(at: place)
    #expect(book.optionalValue(at: Self.count) == Int64(pages.count))
    context.delete(try #require(pages.first))
    try context.save()

    let other = container.newBackgroundContext()
    let same = try other.existingObject(with: book.objectID)
    #expect(same.optionalValue(at: Self.count) == Int64(pages.count - 1))
  }
}

/// Derived attributes of stores that were made here.
@Suite struct OwnDerivedAttributeTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Dog",
      properties: [
        .value("name", .string), derived("key", .string, "canonical:(name)"),
        derived("call", .string, "uppercase:(name)"), derived("count", .integer64, "walks.@count"),
        derived("total", .double, "walks.minutes.@sum"),
        derived("longest", .double, "max:(walks.minutes)"),
        derived("friendCount", .integer64, "friends.@count"), derived("saved", .date, "now()"),
        .value("age", .double), derived("ageOfFriends", .double, "friends.age.@sum"),
        derived("oldest", .double, "friends.age.@max"),
        derived("youngest", .double, "friends.age.@min"),
        derived("mean", .double, "friends.age.@avg"), .toOne("home", "Home", back: "dogs"),
        .toMany("walks", "Walk", back: "dog"),
        .toMany("friends", "Dog", back: "friendOf"),
        .toMany("friendOf", "Dog", back: "friends"),
      ]),
    EntityDescription(
      name: "Walk",
      properties: [
        .value("minutes", .double), derived("dogName", .string, "lowercase:(dog.name)"),
        derived("street", .string, "dog.home.street"),
        derived("town", .string, "uppercase:(dog.home.town.name)"),
        .toOne("dog", "Dog", back: "walks"),
      ]),
    EntityDescription(
      name: "Home",
      properties: [
        .value("street", .string), .toOne("town", "Town", back: "homes"),
        .toMany("dogs", "Dog", back: "home"),
      ]),
    EntityDescription(
      name: "Town",
      properties: [.value("name", .string), .toMany("homes", "Home", back: "town")]),
  ])

  static func derived(
    _ name: String, _ type: AttributeDescription.AttributeType, _ expression: String
  ) -> PropertyDescription {
    .attribute(
      AttributeDescription(
        name: name, type: type, isOptional: true, derivationExpression: expression))
  }

  private let stack: Stack
  private let context: ManagedObjectContext
  private let dog: ManagedObject

  init() throws {
    stack = try Stack(.sqlite, model: Self.model)
    context = stack.context
    dog = ManagedObject("Dog", in: context)
    dog.setOptionalValue("Fidó", at: PropertySlot(-1, "name"))
    for minutes in [10.0, 30] { add(minutes) }
    try context.save()
  }

  @discardableResult
  private func add(_ minutes: Double) -> ManagedObject {
    let walk = ManagedObject("Walk", in: context)
    walk.setOptionalValue(minutes, at: PropertySlot(-1, "minutes"))
    walk.setToOne(dog, at: PropertySlot(-1, "dog"))
    return walk
  }

  private func row(_ columns: String, _ table: String = "ZDOG") throws -> String? {
    try stack.sqlite("SELECT \(columns) FROM \(table) WHERE Z_PK = 1")
  }

  @Test func `are updated with the values of their own row`() throws {
    #expect(try row("ZKEY || ' ' || ZCALL") == "fido FIDÓ")
    dog.setOptionalValue("Réx", at: PropertySlot(-1, "name"))
    try context.save()
    #expect(try row("ZKEY || ' ' || ZCALL") == "rex RÉX")
    dog.setOptionalValue(String?.none, at: PropertySlot(-1, "name"))
    try context.save()
    #expect(try row("ZKEY IS NULL AND ZCALL IS NULL") == "1")
  }

  @Test func `are updated with a list`() throws {
    #expect(try row("ZCOUNT || ' ' || ZTOTAL || ' ' || ZLONGEST") == "2 40.0 30.0")
    let walk = add(60)
    try context.save()
    #expect(try row("ZCOUNT || ' ' || ZTOTAL || ' ' || ZLONGEST") == "3 100.0 60.0")
    walk.setOptionalValue(5.0, at: PropertySlot(-1, "minutes"))
    try context.save()
    #expect(try row("ZCOUNT || ' ' || ZTOTAL || ' ' || ZLONGEST") == "3 45.0 30.0")
    context.delete(walk)
    try context.save()
    #expect(try row("ZCOUNT || ' ' || ZTOTAL || ' ' || ZLONGEST") == "2 40.0 30.0")
  }

  @Test func `are updated when a member moves`() throws {
    let rex = ManagedObject("Dog", in: context)
    add(7).setToOne(rex, at: PropertySlot(-1, "dog"))
    try context.save()
    let walks = try context.fetch(FetchRequest<ManagedObject>(entityName: "Walk"))
    walks[0].setToOne(rex, at: PropertySlot(-1, "dog"))
    try context.save()
    #expect(
      try stack.sqlite("SELECT group_concat(ZCOUNT || ' ' || ZTOTAL) FROM ZDOG")
        == "1 30.0,2 17.0")
  }

  @Test func `count links`() throws {
    #expect(try row("ZFRIENDCOUNT") == "0")
    let rex = ManagedObject("Dog", in: context)
    let friends = PropertySlot(-1, "friends")
    dog.setUnorderedToMany(Set([rex]), at: friends)
    try context.save()
    #expect(try stack.sqlite("SELECT group_concat(ZFRIENDCOUNT) FROM ZDOG") == "1,0")
    context.delete(rex)
    try context.save()
    #expect(try row("ZFRIENDCOUNT") == "0")
  }

  @Test func `are updated with the members of a many-to-many`() throws {
    let columns = "ZAGEOFFRIENDS || ' ' || ZOLDEST || ' ' || ZYOUNGEST || ' ' || ZMEAN"
    #expect(try row("ZAGEOFFRIENDS") == "0.0" && row("ZOLDEST IS NULL AND ZMEAN IS NULL") == "1")
    let friends = PropertySlot(-1, "friends")
    let age = PropertySlot(-1, "age")
    let others = [2.0, 4, 9].map { years in
      let other = ManagedObject("Dog", in: context)
      other.setOptionalValue(years, at: age)
      return other
    }
    dog.setUnorderedToMany(Set(others), at: friends)
    try context.save()
    #expect(try row(columns) == "15.0 9.0 2.0 5.0")
    others[0].setOptionalValue(10.0, at: age)
    try context.save()
    #expect(try row(columns) == "23.0 10.0 4.0 7.66666666666667")
    dog.setUnorderedToMany(Set(others.dropLast()), at: friends)
    try context.save()
    #expect(try row(columns) == "14.0 10.0 4.0 7.0")
    context.delete(others[1])
    try context.save()
    #expect(try row(columns) == "10.0 10.0 10.0 10.0")
    // From the other end.
    let late = ManagedObject("Dog", in: context)
    late.setOptionalValue(1.0, at: age)
    late.setUnorderedToMany(Set([dog]), at: PropertySlot(-1, "friendOf"))
    try context.save()
    #expect(try row(columns) == "11.0 10.0 1.0 5.5")
  }

  @Test func `are updated over several to-ones`() throws {
    func values() throws -> String? {
      try row("coalesce(ZSTREET, '-') || ' ' || coalesce(ZTOWN, '-')", "ZWALK")
    }
    #expect(try values() == "- -")
    let home = ManagedObject("Home", in: context)
    home.setOptionalValue("Elm", at: PropertySlot(-1, "street"))
    dog.setToOne(home, at: PropertySlot(-1, "home"))
    try context.save()
    #expect(try values() == "Elm -")
    let towns = ["Bonn", "Köln"].map { name in
      let town = ManagedObject("Town", in: context)
      town.setOptionalValue(name, at: PropertySlot(-1, "name"))
      return town
    }
    home.setToOne(towns[0], at: PropertySlot(-1, "town"))
    try context.save()
    #expect(try values() == "Elm BONN")
    home.setToOne(towns[1], at: PropertySlot(-1, "town"))
    home.setOptionalValue("Ash", at: PropertySlot(-1, "street"))
    try context.save()
    #expect(try values() == "Ash KÖLN")
    towns[1].setOptionalValue("Kölle", at: PropertySlot(-1, "name"))
    try context.save()
    #expect(try values() == "Ash KÖLLE")
    context.delete(towns[1])
    try context.save()
    #expect(try values() == "Ash -")
    context.delete(home)
    try context.save()
    #expect(try values() == "- -")
  }

  @Test func `are updated with the other end of a to-one`() throws {
    #expect(try row("ZDOGNAME", "ZWALK") == "fidó")
    dog.setOptionalValue("Ada", at: PropertySlot(-1, "name"))
    try context.save()
    #expect(try row("ZDOGNAME", "ZWALK") == "ada")
  }

  @Test func `report when the row was saved`() throws {
    let saved = Double(try row("ZSAVED") ?? "") ?? 0
    #expect(abs(saved - Date.now.timeIntervalSinceReferenceDate) < 3_600)
  }

  @Test func `are visible when the object is refreshed`() throws {
    let place = PropertySlot(-1, "count")
    #expect(dog.optionalValue(at: place) == Int64?.none)
    try context.refresh(dog, mergeChanges: false)
    #expect(dog.optionalValue(at: place) == Int64(2))
  }

  @Test func `leave nothing in the file except their columns`() throws {
    #expect(try stack.sqlite("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == "0")
    _ = try stack.sqlite("INSERT INTO ZWALK (Z_ENT, Z_OPT, ZDOG) VALUES (2, 1, 1)")
    #expect(try row("ZCOUNT") == "2")
  }

  @Test func `are nil in memory`() throws {
    let stack = try Stack(.inMemory, model: Self.model)
    let dog = ManagedObject("Dog", in: stack.context)
    try stack.context.save()
    let other = try stack.anotherContext().existingObject(with: dog.objectID)
    #expect(other.optionalValue(at: PropertySlot(-1, "count")) == Int64?.none)
  }
}

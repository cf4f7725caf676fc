import DogWalkModel
import ManagedObjects
import Testing

/// Values that an accessor asks for and the store cannot provide.
@Suite struct UnreadableValueTests {
  private let stack: Stack
  private let context: ManagedObjectContext
  private let dog: Dog

  init() throws {
    stack = try Stack()
    let id = try stack.dog("Fido", minutes: [10, 20]).objectID
    context = stack.anotherContext()
    dog = try #require(context.object(with: id) as? Dog)
  }

  private func rename(_ table: String, to other: String) throws {
    _ = try stack.sqlite("ALTER TABLE \(table) RENAME TO \(other)")
  }

  @Test func `read as missing, and the context reports why`() throws {
    try rename("ZDOG", to: "KEPT")
    #expect(context.faultingError == nil)
    #expect(dog.name.isEmpty)
    #expect(dog.targetMinutes == nil)
    #expect(context.faultingError is PersistentStoreError)
  }

  @Test func `are read again after a rollback`() throws {
    try rename("ZDOG", to: "KEPT")
    _ = dog.name
    try rename("KEPT", to: "ZDOG")
    context.rollback()
    #expect(dog.name == "Fido")
    #expect(context.faultingError == nil)
    #expect(dog.managedObjectContext === context)
  }

  @Test func `are read again after everything is refreshed`() throws {
    try rename("ZDOG", to: "KEPT")
    _ = dog.name
    try rename("KEPT", to: "ZDOG")
    try context.refreshAllObjects()
    #expect(dog.name == "Fido")
    #expect(context.faultingError == nil)
  }

  @Test func `of a list read as no members, and later as its members`() throws {
    _ = dog.name
    try rename("ZWALK", to: "KEPT")
    #expect(dog.walks.isEmpty)
    #expect(context.faultingError is PersistentStoreError)
    try rename("KEPT", to: "ZWALK")
    context.rollback()
    #expect(dog.walks.count == 2)
  }

  @Test func `prevent a save, and nothing is written`() throws {
    try rename("ZWALK", to: "KEPT")
    _ = dog.walks
    try rename("KEPT", to: "ZWALK")
    dog.name = "Rex"
    #expect(throws: PersistentStoreError.self) { try context.save() }
    #expect(try stack.sqlite("SELECT ZNAME FROM ZDOG") == "Fido")

    context.rollback()
    dog.name = "Rex"
    try context.save()
    #expect(try stack.sqlite("SELECT ZNAME FROM ZDOG") == "Rex")
    #expect(dog.walks.count == 2)
  }

  @Test func `a required value missing in a damaged row is empty`() throws {
    _ = try stack.sqlite("UPDATE ZDOG SET ZNAME = NULL")
    #expect(dog.name.isEmpty)
    #expect(context.faultingError == nil)
  }
}

/// What IDs and to-ones say about an object's entity, and what its row says.
@Suite struct EntityOfRowTests {
  /// A cat and a person who likes it, in a store of their own.
  private func kennel() throws -> Stack {
    let stack = try Stack.kennel(.sqlite)
    let cat = Cat(context: stack.context)
    (cat.name, cat.lives) = ("Tom", 7)
    let person = Person(context: stack.context)
    person.favourite = cat
    try stack.context.save()
    return stack
  }

  @Test func `an ID of a superentity yields an object of the row's entity`() throws {
    let stack = try kennel()
    let coordinator = stack.container.persistentStoreCoordinator
    let id = try #require(
      coordinator.managedObjectID(
        entityName: "Animal", primaryKey: 1, in: stack.container.persistentStore))
    let other = stack.anotherContext()
    let object = other.object(with: id)
    #expect((object as? Cat)?.lives == 7)
    #expect(try other.existingObject(with: id) === object)
  }

  @Test(arguments: ["NULL", "99", "3"])
  func `a to-one with a wrong entity number still leads to the row`(
    number: String
  ) throws {
    let stack = try kennel()
    _ = try stack.sqlite("UPDATE ZPERSON SET Z1_FAVOURITE = \(number)")
    let other = stack.anotherContext()
    let person = try other.fetch(Person.fetchRequest())[0]
    let favourite = person.favourite
    // Assumed to be a hound, its row is not found among hounds; fetched, it is a cat.
    #expect(number == "3" || (favourite as? Cat)?.lives == 7)
    if number == "3" { #expect(favourite?.name == nil) }
    let cat = try other.fetch(Cat.fetchRequest())[0]
    #expect(cat.lives == 7)
    #expect(person.favourite === cat)
  }
}

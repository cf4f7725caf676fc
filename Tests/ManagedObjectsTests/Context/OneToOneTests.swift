import ManagedObjects
import Testing

@Suite struct OneToOneTests {
  /// Two people with a licence each, saved.
  private struct Couple {
    let stack: Stack
    let (anna, bert): (Person, Person)
    let (one, two): (Licence, Licence)

    init(_ type: PersistentStore.StoreType) throws {
      stack = try .kennel(type)
      let context = stack.context
      (anna, bert) = (Person(context: context), Person(context: context))
      (one, two) = (Licence(context: context), Licence(context: context))
      (anna.name, bert.name, one.number, two.number) = ("Anna", "Bert", 1, 2)
      anna.licence = one
      two.person = bert
      try context.save()
    }

    /// Each person's licence number, and each licence's person's name.
    func expect(
      anna number: Int64?, bert other: Int64?, one name: String?, two otherName: String?,
      _ location: SourceLocation = #_sourceLocation
    ) throws {
      #expect(
        anna.licence?.number == number && bert.licence?.number == other, sourceLocation: location)
      #expect(
        one.person?.name == name && two.person?.name == otherName, sourceLocation: location)
      try stack.context.save()
      let people = try stack.reread(Person.self)
      #expect(people.map { $0.licence?.number } == [number, other], sourceLocation: location)
      let licences = try stack.reread(Licence.self)
      #expect(licences.map { $0.person?.name } == [name, otherName], sourceLocation: location)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `either side sets both`(type: PersistentStore.StoreType) throws {
    try Couple(type).expect(anna: 1, bert: 2, one: "Anna", two: "Bert")
  }

  @Test(arguments: Stack.allTypes)
  func `either side clears both`(type: PersistentStore.StoreType) throws {
    let couple = try Couple(type)
    couple.anna.licence = nil
    couple.two.person = nil
    try couple.expect(anna: nil, bert: nil, one: nil, two: nil)
  }

  @Test(arguments: Stack.allTypes)
  func `taking another's partner leaves the other without one`(
    type: PersistentStore.StoreType
  ) throws {
    let couple = try Couple(type)
    couple.anna.licence = couple.two
    try couple.expect(anna: 2, bert: nil, one: nil, two: "Anna")
  }

  @Test(arguments: Stack.allTypes)
  func `setting the same partner changes nothing`(type: PersistentStore.StoreType) throws {
    let couple = try Couple(type)
    couple.anna.licence = couple.one
    couple.one.person = couple.anna
    #expect(!couple.stack.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `unread partners are updated too`(type: PersistentStore.StoreType) throws {
    let couple = try Couple(type)
    let other = couple.stack.anotherContext()
    let anna = try #require(try other.fetch(Person.fetchRequest()).first)
    let two = try #require(try other.fetch(Licence.fetchRequest()).last)
    anna.licence = two
    try other.save()
    let people = try couple.stack.reread(Person.self)
    #expect(people.map { $0.licence?.number } == [2, nil])
    #expect(try couple.stack.reread(Licence.self).map { $0.person?.name } == [nil, "Anna"])
  }

  @Test(arguments: Stack.allTypes)
  func `rolling back restores the old partners`(type: PersistentStore.StoreType) throws {
    let couple = try Couple(type)
    couple.anna.licence = couple.two
    couple.stack.context.rollback()
    try couple.expect(anna: 1, bert: 2, one: "Anna", two: "Bert")
  }

  @Test(arguments: Stack.allTypes)
  func `deleting one end clears the other`(type: PersistentStore.StoreType) throws {
    let couple = try Couple(type)
    couple.stack.context.delete(couple.one)
    #expect(couple.anna.licence == nil)
    try couple.stack.context.save()
    #expect(try couple.stack.reread(Person.self).map { $0.licence?.number } == [nil, 2])
  }

  @Test(arguments: Stack.allTypes)
  func `deleting both ends is no conflict`(type: PersistentStore.StoreType) throws {
    let couple = try Couple(type)
    couple.stack.context.delete(couple.one)
    couple.stack.context.delete(couple.anna)
    try couple.stack.context.save()
    #expect(try couple.stack.reread(Person.self).map(\.name) == ["Bert"])
    #expect(try couple.stack.reread(Licence.self).map(\.number) == [2])
  }
}

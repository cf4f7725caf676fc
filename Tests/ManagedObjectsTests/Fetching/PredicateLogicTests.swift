import ManagedObjects
import Testing

@Suite struct PredicateLogicTests {
  /// Samples 0 to 4, of which 1 leads to 0, 2 to 1 and so on; the numbers of those found.
  private struct Chain {
    let stack: Stack
    let samples: [Sample]

    init(_ mode: FetchMode) throws {
      var samples: [Sample] = []
      stack = try mode.stack { context in
        for number in 0..<5 {
          let sample = Sample(context: context)
          sample.long = Int64(number)
          sample.next = samples.last
          samples.append(sample)
        }
      }
      self.samples = samples
    }

    func numbers(_ predicate: FetchPredicate?) throws -> [Int64?] {
      var request = Sample.fetchRequest()
      request.predicate = predicate
      return try stack.context.fetch(request).map(\.long)
    }

    func ids(_ numbers: Int...) -> [ManagedObjectID] { numbers.map { samples[$0].objectID } }
  }

  private func isLess(_ number: Int64) -> FetchPredicate {
    .comparison("long", .lessThan, .integer(number))
  }

  private func isMore(_ number: Int64) -> FetchPredicate {
    .comparison("long", .greaterThan, .integer(number))
  }

  @Test(arguments: FetchMode.allCases)
  func `a constant is always or never true`(mode: FetchMode) throws {
    let chain = try Chain(mode)
    #expect(try chain.numbers(.constant(true)) == [0, 1, 2, 3, 4])
    #expect(try chain.numbers(.constant(false)) == [])
    #expect(try chain.numbers(nil) == [0, 1, 2, 3, 4])
  }

  @Test(arguments: FetchMode.allCases)
  func `AND, OR and NOT combine`(mode: FetchMode) throws {
    let chain = try Chain(mode)
    #expect(try chain.numbers(isMore(0).and(isLess(3))) == [1, 2])
    #expect(try chain.numbers(isLess(1).or(isMore(3))) == [0, 4])
    #expect(try chain.numbers(.not(isMore(2))) == [0, 1, 2])
    #expect(try chain.numbers(.not(isLess(1).or(isMore(3)))) == [1, 2, 3])
    #expect(try chain.numbers(isLess(2).or(isMore(0).and(isLess(4)))) == [0, 1, 2, 3])
    #expect(try chain.numbers(isLess(2).or(isMore(3)).and(isMore(0))) == [1, 4])
  }

  @Test(arguments: FetchMode.allCases)
  func `an empty AND is true, an empty OR is false`(mode: FetchMode) throws {
    let chain = try Chain(mode)
    #expect(try chain.numbers(.all([])) == [0, 1, 2, 3, 4])
    #expect(try chain.numbers(.any([])) == [])
    #expect(try chain.numbers(.not(.any([]))) == [0, 1, 2, 3, 4])
  }

  @Test(arguments: FetchMode.allCases)
  func `a thousand conditions form one condition`(mode: FetchMode) throws {
    let chain = try Chain(mode)
    #expect(
      try chain.numbers(.any((1...2_000).map { .comparison("long", .equal, .integer($0)) })) == [
        1, 2, 3, 4,
      ])
    #expect(
      try chain.numbers(.all((1...2_000).map { .comparison("long", .notEqual, .integer($0)) })) == [
        0
      ])
  }

  @Test(arguments: FetchMode.allCases)
  func `an object is one of several`(mode: FetchMode) throws {
    let chain = try Chain(mode)
    #expect(try chain.numbers(.object(isIn: chain.ids(3, 1))) == [1, 3])
    #expect(try chain.numbers(.object(isIn: chain.ids(2))) == [2])
    #expect(try chain.numbers(.object(isIn: [])) == [])
    #expect(try chain.numbers(.not(.object(isIn: chain.ids(0, 1, 2, 3)))) == [4])
    #expect(try chain.numbers(.not(.object(isIn: []))) == [0, 1, 2, 3, 4])
  }

  @Test(arguments: FetchMode.allCases)
  func `a to-one leads to one of several`(mode: FetchMode) throws {
    let chain = try Chain(mode)
    #expect(try chain.numbers(.relationship("next", isIn: chain.ids(0, 3))) == [1, 4])
    #expect(try chain.numbers(.relationship("next", isIn: chain.ids(4))) == [])
    #expect(try chain.numbers(.relationship("next", isIn: [])) == [])
    #expect(try chain.numbers(.relationship("next.next", isIn: chain.ids(0, 1))) == [2, 3])
    #expect(try chain.numbers(.not(.relationship("next", isIn: chain.ids(0, 1, 2)))) == [0, 4])
  }

  @Test(arguments: FetchMode.allCases)
  func `a to-one leads nowhere`(mode: FetchMode) throws {
    let chain = try Chain(mode)
    #expect(try chain.numbers(.comparison("next", .equal, nil)) == [0])
    #expect(try chain.numbers(.comparison("next", .notEqual, nil)) == [1, 2, 3, 4])
    #expect(try chain.numbers(.comparison("next.next", .equal, nil)) == [0, 1])
  }

  @Test(arguments: Stack.allTypes, [false, true])
  func `an ID of another entity identifies no object`(
    type: PersistentStore.StoreType, withChanges: Bool
  ) throws {
    let stack = try Stack.kennel(type)
    let (person, cat) = (Person(context: stack.context), Cat(context: stack.context))
    let licence = Licence(context: stack.context)
    cat.owner = person
    try stack.context.save()
    if withChanges { (cat.name, person.name) = ("Tom", "Anna") }
    // All have the primary key 1.
    var cats = Cat.fetchRequest()
    cats.predicate = .relationship("owner", isIn: [licence.objectID])
    #expect(try stack.context.fetch(cats).isEmpty)
    cats.predicate = .object(isIn: [licence.objectID])
    #expect(try stack.context.fetch(cats).isEmpty)
    cats.predicate = .relationship("owner", isIn: [licence.objectID, person.objectID])
    #expect(try stack.context.fetch(cats) == [cat])
  }

  @Test(arguments: Stack.allTypes, [false, true])
  func `an ID of another store identifies no object`(
    type: PersistentStore.StoreType, withChanges: Bool
  ) throws {
    let (stack, other) = (try Stack.kennel(type), try Stack.kennel(type))
    for stack in [stack, other] {
      Cat(context: stack.context).owner = Person(context: stack.context)
      try stack.context.save()
    }
    if withChanges { try stack.context.fetch(Cat.fetchRequest())[0].lives = 1 }
    let stranger = try #require(try other.context.fetch(Cat.fetchRequest()).first)
    var cats = Cat.fetchRequest()
    cats.predicate = .object(isIn: [stranger.objectID])
    #expect(try stack.context.fetch(cats).isEmpty)
    cats.predicate = .relationship("owner", isIn: [try #require(stranger.owner).objectID])
    #expect(try stack.context.fetch(cats).isEmpty)
  }

  @Test(arguments: Stack.allTypes.filter(\.resolvesSuperentities), [false, true])
  func `an ID of a superentity identifies the object of a subentity`(
    type: PersistentStore.StoreType, withChanges: Bool
  ) throws {
    let stack = try Stack.kennel(type)
    let puppy = Puppy(context: stack.context)
    try stack.context.save()
    if withChanges { puppy.name = "Pip" }
    let coordinator = stack.container.persistentStoreCoordinator
    let id = try #require(
      coordinator.managedObjectID(
        entityName: "Animal", primaryKey: puppy.primaryKey, in: stack.container.persistentStore))
    var hounds = Hound.fetchRequest()
    hounds.predicate = .object(isIn: [id])
    #expect(try stack.context.fetch(hounds) == [puppy])
  }
}

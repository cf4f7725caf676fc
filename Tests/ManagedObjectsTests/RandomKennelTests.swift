import Foundation
import ManagedObjects
import TestSupport
import Testing

/// Random work on unordered and one-to-one relationships, compared with a slow and obvious model.
@Suite struct RandomKennelTests {
  @Test(arguments: Stack.allTypes)
  func `a thousand random changes leave what dictionaries would hold`(
    type: PersistentStore.StoreType
  ) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let stack = try Stack.kennel(type)
    var work = KennelWork(context: stack.context)
    for step in 0..<1_000 {
      try work.step(&random)
      // Only now and then: checking reads relationships, and unread ones are to be tested too.
      guard step % 5 == 0 else { continue }
      try #require(
        try KennelState(of: stack.context) == work.state, "step \(step) of SEED=\(seed)")
    }
    try stack.context.save()
    #expect(try KennelState(of: stack.anotherContext()) == work.state, "SEED=\(seed)")
  }
}

/// The relationships, by the names of their ends.
private struct KennelState: Equatable {
  var people: Set<String> = []
  var animals: Set<String> = []
  var licences: Set<String> = []
  var ownerOfAnimal: [String: String] = [:]
  var personOfLicence: [String: String] = [:]
  var favouriteOfPerson: [String: String] = [:]

  init() {}

  /// A context's content, read from both sides of every relationship.
  init(of context: ManagedObjectContext) throws {
    for person in try context.fetch(Person.fetchRequest()) {
      let name = person.name!
      people.insert(name)
      favouriteOfPerson[name] = person.favourite?.name
      for pet in person.pets { ownerOfAnimal[pet.name!] = name }
      if let licence = person.licence { personOfLicence["\(licence.number!)"] = name }
    }
    var owners: [String: String] = [:]
    for animal in try context.fetch(Animal.fetchRequest()) {
      animals.insert(animal.name!)
      owners[animal.name!] = animal.owner?.name
    }
    var holders: [String: String] = [:]
    for licence in try context.fetch(Licence.fetchRequest()) {
      licences.insert("\(licence.number!)")
      holders["\(licence.number!)"] = licence.person?.name
    }
    #expect(owners == ownerOfAnimal && holders == personOfLicence)
  }
}

/// Random steps on a context and on dictionaries at once.
private struct KennelWork {
  let context: ManagedObjectContext
  private(set) var state = KennelState()
  private var saved = KennelState()
  private var next: Int64 = 1

  init(context: ManagedObjectContext) { self.context = context }

  mutating func step(_ random: inout SeededGenerator) throws {
    let people = try context.fetch(Person.fetchRequest())
    let animals = try context.fetch(Animal.fetchRequest())
    let licences = try context.fetch(Licence.fetchRequest())
    let step = Int.random(in: 0..<16, using: &random)
    guard let person = people.randomElement(using: &random), people.count < 9 || step != 0,
      let animal = animals.randomElement(using: &random),
      let licence = licences.randomElement(using: &random), step != 0
    else {
      return people.count < 9 ? makeOneOfEach(&random) : context.delete(forgetting(people[0]))
    }
    switch step {
    case 1: context.delete(forgetting(person))
    case 2: context.delete(forgetting(animal))
    case 3: context.delete(forgetting(licence))
    case 4, 5:
      animal.owner = person
      state.ownerOfAnimal[animal.name!] = person.name
    case 6:
      animal.owner = nil
      state.ownerOfAnimal[animal.name!] = nil
    case 7:
      let pets = Set(animals.filter { _ in Bool.random(using: &random) })
      person.pets = pets
      state.ownerOfAnimal = state.ownerOfAnimal.filter { $1 != person.name }
      for pet in pets { state.ownerOfAnimal[pet.name!] = person.name }
    case 8: give(licence, to: person) { person.licence = licence }
    case 9: give(licence, to: person) { licence.person = person }
    case 10:
      person.licence = nil
      state.personOfLicence = state.personOfLicence.filter { $1 != person.name }
    case 11:
      person.favourite = Bool.random(using: &random) ? animal : nil
      state.favouriteOfPerson[person.name!] = person.favourite?.name
    case 12:
      context.rollback()
      state = saved
    case 13, 14:
      try context.save()
      saved = state
    default: makeOneOfEach(&random)
    }
  }

  private mutating func give(_ licence: Licence, to person: Person, _ set: () -> Void) {
    set()
    state.personOfLicence = state.personOfLicence.filter { $1 != person.name }
    state.personOfLicence["\(licence.number!)"] = person.name
  }

  private mutating func makeOneOfEach(_ random: inout SeededGenerator) {
    let person = Person(context: context)
    let animal =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: Cat(context: context) as Animal
      case 1: Hound(context: context)
      default: Puppy(context: context)
      }
    let licence = Licence(context: context)
    (person.name, animal.name, licence.number) = ("Person \(next)", "Animal \(next)", next)
    state.people.insert(person.name!)
    state.animals.insert(animal.name!)
    state.licences.insert("\(next)")
    next += 1
  }

  private mutating func forgetting(_ person: Person) -> Person {
    state.people.remove(person.name!)
    state.ownerOfAnimal = state.ownerOfAnimal.filter { $1 != person.name }
    state.personOfLicence = state.personOfLicence.filter { $1 != person.name }
    state.favouriteOfPerson[person.name!] = nil
    return person
  }

  private mutating func forgetting(_ animal: Animal) -> Animal {
    state.animals.remove(animal.name!)
    state.ownerOfAnimal[animal.name!] = nil
    // Without an inverse, the objects whose favourite it was are not updated.
    for (name, favourite) in state.favouriteOfPerson where favourite == animal.name {
      state.favouriteOfPerson[name] = nil
      for person in (try? context.fetch(Person.fetchRequest())) ?? [] where person.name == name {
        person.favourite = nil
      }
    }
    return animal
  }

  private mutating func forgetting(_ licence: Licence) -> Licence {
    state.licences.remove("\(licence.number!)")
    state.personOfLicence["\(licence.number!)"] = nil
    return licence
  }
}

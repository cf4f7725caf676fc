import ManagedObjects
import SystemLibraries

/// A store of animals with two subentities in one table, for measuring subentities.
struct AnimalStore {
  private let folder: ScratchFolder
  private let url: URL
  var path: String { url.path }

  /// Creates a store with a number of hounds, and a cat for every five of them.
  init(hounds: Int) throws {
    folder = try ScratchFolder()
    url = folder.url.appending(path: "Animals.sqlite")
    let context = try makeContext()
    for number in 0..<hounds {
      let hound = Hound(context: context)
      hound.age = Int16(truncatingIfNeeded: number % 15)
      hound.tricks = Int32(truncatingIfNeeded: number)
      hound.weight = Double(number % 400) / 8
      hound.name = "Hound number \(number)"
      hound.breed = number % 3 == 0 ? nil : "Lagotto Romagnolo"
      if number % 5 == 0 { Cat(context: context).name = "Cat \(number)" }
    }
    try context.save()
  }

  func makeContext() throws -> ManagedObjectContext {
    try PersistentContainer(name: "Animals", model: Self.model, storeURL: url)
      .newBackgroundContext()
  }

  /// Like momc's output, it contains the version hashes, so that accessors use their slots.
  private static let model: ManagedObjectModel = {
    func attribute(
      _ name: String, _ type: AttributeDescription.AttributeType
    ) -> PropertyDescription {
      .attribute(AttributeDescription(name: name, type: type, isOptional: true))
    }
    let entities = [
      EntityDescription(
        name: "Animal", isAbstract: true,
        properties: [
          attribute("age", .integer16), attribute("name", .string), attribute("weight", .double),
        ]),
      EntityDescription(name: "Cat", superentityName: "Animal"),
      EntityDescription(
        name: "Hound", superentityName: "Animal",
        properties: [attribute("breed", .string), attribute("tricks", .integer32)]),
    ]
    return ManagedObjectModel(
      entities: entities,
      versionHashes: ManagedObjectModel(entities: entities).entityVersionHashesByName,
      classes: ["Animal": Animal.self, "Cat": Cat.self, "Hound": Hound.self])
  }()

  class Animal: ManagedObject {
    final var age: Int16? {
      get { optionalValue(at: PropertySlot(0, "age")) }
      set { setOptionalValue(newValue, at: PropertySlot(0, "age")) }
    }
    final var name: String? {
      get { optionalValue(at: PropertySlot(1, "name")) }
      set { setOptionalValue(newValue, at: PropertySlot(1, "name")) }
    }
    final var weight: Double? {
      get { optionalValue(at: PropertySlot(2, "weight")) }
      set { setOptionalValue(newValue, at: PropertySlot(2, "weight")) }
    }
  }

  final class Cat: Animal {}

  final class Hound: Animal {
    var breed: String? {
      get { optionalValue(at: PropertySlot(3, "breed")) }
      set { setOptionalValue(newValue, at: PropertySlot(3, "breed")) }
    }
    var tricks: Int32? {
      get { optionalValue(at: PropertySlot(4, "tricks")) }
      set { setOptionalValue(newValue, at: PropertySlot(4, "tricks")) }
    }
  }
}

import ManagedObjects

/// A model made by hand: subentities, a to-one to any of them, a one-to-one, an unordered to-many.
enum Kennel {
  static let model = ManagedObjectModel(
    entities: [animal, cat, hound, puppy, collar, person, licence],
    classes: [
      "Animal": Animal.self, "Cat": Cat.self, "Hound": Hound.self, "Puppy": Puppy.self,
      "Collar": Collar.self, "Person": Person.self, "Licence": Licence.self,
    ])

  static let animal = EntityDescription(
    name: "Animal", isAbstract: true,
    properties: [
      .attribute(.init(name: "name", type: .string, isOptional: true)),
      .relationship(
        .init(
          name: "owner", destinationEntityName: "Person", inverseName: "pets", isOptional: true)),
      .relationship(
        .init(
          name: "collar", destinationEntityName: "Collar", inverseName: "animal", isOptional: true)),
    ],
    uniquenessConstraints: [["name"]])

  static let cat = EntityDescription(
    name: "Cat", superentityName: "Animal",
    properties: [.attribute(.init(name: "lives", type: .integer16, defaultValue: .integer(9)))])

  static let hound = EntityDescription(
    name: "Hound", superentityName: "Animal",
    properties: [.attribute(.init(name: "call", type: .string, isOptional: true))],
    uniquenessConstraints: [["call"]])

  static let puppy = EntityDescription(
    name: "Puppy", superentityName: "Hound",
    properties: [.attribute(.init(name: "weeks", type: .integer32, isOptional: true))])

  static let collar = EntityDescription(
    name: "Collar",
    properties: [
      .relationship(
        .init(
          name: "animal", destinationEntityName: "Animal", inverseName: "collar", isOptional: true))
    ])

  static let person = EntityDescription(
    name: "Person",
    properties: [
      .attribute(.init(name: "name", type: .string, isOptional: true)),
      .relationship(
        .init(
          name: "pets", destinationEntityName: "Animal", inverseName: "owner", isOptional: true,
          maxCount: 0)),
      .relationship(
        .init(name: "favourite", destinationEntityName: "Animal", isOptional: true)),
      .relationship(
        .init(
          name: "licence", destinationEntityName: "Licence", inverseName: "person",
          isOptional: true)),
    ])

  static let licence = EntityDescription(
    name: "Licence",
    properties: [
      .attribute(.init(name: "number", type: .integer64, isOptional: true)),
      .relationship(
        .init(
          name: "person", destinationEntityName: "Person", inverseName: "licence",
          isOptional: true)),
    ])
}

class Animal: ManagedObject {
  var name: String? {
    get { optionalValue(at: PropertySlot(-1, "name")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "name")) }
  }
  var owner: Person? {
    get { toOne(at: PropertySlot(-1, "owner")) }
    set { setToOne(newValue, at: PropertySlot(-1, "owner")) }
  }
}

final class Collar: ManagedObject {
  var animal: Animal? {
    get { toOne(at: PropertySlot(-1, "animal")) }
    set { setToOne(newValue, at: PropertySlot(-1, "animal")) }
  }
}

final class Cat: Animal {
  var lives: Int16 {
    get { requiredValue(at: PropertySlot(-1, "lives")) }
    set { setRequiredValue(newValue, at: PropertySlot(-1, "lives")) }
  }
}

class Hound: Animal {
  var call: String? {
    get { optionalValue(at: PropertySlot(-1, "call")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "call")) }
  }
}

final class Puppy: Hound {
  var weeks: Int32? {
    get { optionalValue(at: PropertySlot(-1, "weeks")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "weeks")) }
  }
}

final class Person: ManagedObject {
  static let pets = PropertySlot(-1, "pets")

  var name: String? {
    get { optionalValue(at: PropertySlot(-1, "name")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "name")) }
  }
  var pets: Set<Animal> {
    get { unorderedToMany(at: Self.pets) }
    set { setUnorderedToMany(newValue, at: Self.pets) }
  }
  var favourite: Animal? {
    get { toOne(at: PropertySlot(-1, "favourite")) }
    set { setToOne(newValue, at: PropertySlot(-1, "favourite")) }
  }
  var licence: Licence? {
    get { toOne(at: PropertySlot(-1, "licence")) }
    set { setToOne(newValue, at: PropertySlot(-1, "licence")) }
  }
}

final class Licence: ManagedObject {
  var number: Int64? {
    get { optionalValue(at: PropertySlot(-1, "number")) }
    set { setOptionalValue(newValue, at: PropertySlot(-1, "number")) }
  }
  var person: Person? {
    get { toOne(at: PropertySlot(-1, "person")) }
    set { setToOne(newValue, at: PropertySlot(-1, "person")) }
  }
}

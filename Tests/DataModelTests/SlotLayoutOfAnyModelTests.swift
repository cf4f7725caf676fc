import Testing

@testable import DataModel

@Suite("The slots of an entity")
struct SlotLayoutOfAnyModelTests {
  private func names(of entity: String, in entities: [EntityDescription]) -> [String] {
    let model = ManagedObjectModel(entities: entities)
    guard let description = model.entitiesByName[entity] else { return [] }
    return SlotLayout(of: description, in: model).slots.map(\.name)
  }

  private let name = AttributeDescription(name: "name", type: .string)

  @Test func `a composite's elements take its position, named by their key paths`() {
    let address = AttributeDescription(
      name: "address", type: .composite,
      elements: [
        .init(name: "zip", type: .string), .init(name: "city", type: .string),
        .init(name: "note", type: .string, isTransient: true),
      ])
    let home = AttributeDescription(
      name: "home", type: .composite,
      elements: [.init(name: "latitude", type: .double), address])
    let dog = EntityDescription(
      name: "Dog",
      properties: [
        .attribute(.init(name: "weight", type: .double)), .attribute(home), .attribute(name),
      ])

    #expect(
      names(of: "Dog", in: [dog])
        == ["home.address.city", "home.address.zip", "home.latitude", "name", "weight"])
  }

  @Test func `an element of an optional composite is optional`() {
    let home = AttributeDescription(
      name: "home", type: .composite, isOptional: true,
      elements: [.init(name: "latitude", type: .double)])
    let dog = EntityDescription(name: "Dog", properties: [.attribute(home)])
    let layout = SlotLayout(of: dog, in: ManagedObjectModel(entities: [dog]))

    #expect(
      layout.slots
        == [.attribute(.init(name: "home.latitude", type: .double, isOptional: true))])
  }

  @Test func `a derived attribute has a slot; fetched and transient properties have none`() {
    let dog = EntityDescription(
      name: "Dog",
      properties: [
        .attribute(.init(name: "count", type: .integer64, derivationExpression: "walks.@count")),
        .attribute(.init(name: "mood", type: .undefined, isTransient: true)),
        .fetchedProperty(
          .init(name: "similar", fetchRequest: FetchRequestDescription(entityName: "Dog"))),
        .relationship(.init(name: "nearby", destinationEntityName: "Dog", isTransient: true)),
      ])

    #expect(names(of: "Dog", in: [dog]) == ["count"])
  }

  @Test func `a redeclared attribute keeps its slot and takes the new rules`() {
    var strict = name
    strict.isOptional = false
    var loose = name
    loose.isOptional = true
    let animal = EntityDescription(
      name: "Animal",
      properties: [.attribute(loose), .attribute(.init(name: "weight", type: .double))])
    let dog = EntityDescription(
      name: "Dog", superentityName: "Animal",
      properties: [.attribute(strict), .attribute(.init(name: "breed", type: .string))])
    let model = ManagedObjectModel(entities: [animal, dog])

    #expect(names(of: "Dog", in: [animal, dog]) == ["name", "weight", "breed"])
    #expect(SlotLayout(of: dog, in: model).slots[0] == .attribute(strict))
    #expect(SlotLayout(of: animal, in: model).slots[0] == .attribute(loose))
  }

  @Test func `an attribute redeclared with another type keeps the original column`() {
    let animal = EntityDescription(name: "Animal", properties: [.attribute(name)])
    let dog = EntityDescription(
      name: "Dog", superentityName: "Animal",
      properties: [.attribute(.init(name: "name", type: .integer16))])
    let model = ManagedObjectModel(entities: [animal, dog])

    #expect(SlotLayout(of: dog, in: model).slots == [.attribute(name)])
  }
}

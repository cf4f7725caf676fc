import DataModel
import Testing

@Suite("A slot layout")
struct SlotLayoutTests {
  /// A kennel with everything that a slot can hold.
  private let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Animal",
      properties: [
        .relationship(
          .init(name: "owner", destinationEntityName: "Person", inverseName: "pets")),
        .attribute(.init(name: "name", type: .string)),
        .attribute(.init(name: "mood", type: .string, isTransient: true)),
      ]),
    EntityDescription(
      name: "Dog", superentityName: "Animal",
      properties: [
        .attribute(.init(name: "age", type: .integer16)),
        .attribute(.init(name: "Zeal", type: .double)),
        .attribute(.init(name: "name", type: .string)),
      ]),
    EntityDescription(
      name: "Person",
      properties: [
        .relationship(
          .init(
            name: "pets", destinationEntityName: "Animal", inverseName: "owner", maxCount: 0,
            isOrdered: true)),
        .relationship(.init(name: "favourite", destinationEntityName: "Animal")),
        .relationship(.init(name: "address", destinationEntityName: "Person")),
        .relationship(
          .init(name: "friends", destinationEntityName: "Person", isTransient: true, maxCount: 0)),
      ]),
  ])

  private func layout(_ name: String) throws -> SlotLayout {
    SlotLayout(of: try #require(model.entitiesByName[name]), in: model)
  }

  private func texts(_ layout: SlotLayout) -> [String] {
    layout.slots.map { slot in
      switch slot {
      case .attribute: "attribute \(slot.name)"
      case .toOne: "to-one \(slot.name)"
      case .toOneEntity: "entity of \(slot.name)"
      case .orderKey: "place in \(slot.name)"
      }
    }
  }

  @Test func `attributes, to-ones and order keys come in this order`() throws {
    #expect(try texts(layout("Animal")) == ["attribute name", "to-one owner", "place in owner"])
  }

  @Test func `a superentity's slots come first, sorted apart from the subentity's own`() throws {
    #expect(
      try texts(layout("Dog")) == [
        "attribute name", "to-one owner", "place in owner", "attribute Zeal", "attribute age",
      ])
  }

  @Test func `the entity number follows the key where there are subentities`() throws {
    #expect(
      try texts(layout("Person")) == ["to-one address", "to-one favourite", "entity of favourite"])
  }

  @Test func `stored to-manys are numbered`() throws {
    #expect(try layout("Person").toManys.map(\.name) == ["pets"])
    #expect(try layout("Dog").toManys.isEmpty)
  }
}

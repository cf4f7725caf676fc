import DataModel
import Foundation
import Testing

@testable import ManagedObjects

/// Which bit stands for which property: cases made by hand, since no store of Apple's with updates
/// is available.
@Suite struct HistoryColumnsTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Animal",
      properties: [
        .value("zeal", .integer16), .value("age", .integer16), .value("Name", .string),
        .toOne("owner", "Person", back: "animals"), .toOne("mate", "Animal", back: "mateOf"),
        .toMany("mateOf", "Animal", back: "mate"),
        .value("passing", .string, isTransient: true),
      ]),
    EntityDescription(
      name: "Dog", superentityName: "Animal",
      properties: [
        .value("breed", .string), .toOne("basket", "Basket", back: "dogs"),
        .toMany("balls", "Ball", back: "dogs"),
      ]),
    EntityDescription(
      name: "Person", properties: [.toMany("animals", "Animal", back: "owner", isOrdered: true)]),
    EntityDescription(name: "Basket", properties: [.toMany("dogs", "Dog", back: "basket")]),
    EntityDescription(name: "Ball", properties: [.toMany("dogs", "Dog", back: "balls")]),
  ])

  private func columns(of name: String) throws -> (EntityBinding, HistoryColumns) {
    let bound = ModelBinding(Self.model, store: PersistentStoreIdentity(identifier: "A"))
    let entity = try #require(bound.entities.first { $0.name == name })
    return (entity, HistoryColumns(entity))
  }

  @Test func `to-ones come first, then attributes by entity, then to-manys`() throws {
    let (_, columns) = try columns(of: "Dog")
    // Animal has a subentity, so its entity number has a bit beside the key.
    #expect(
      columns.names == [
        "basket", "mate", "mate", "owner", "Name", "age", "zeal", "breed", "balls", "mateOf",
      ])
  }

  @Test(arguments: [
    (["basket"], [0x80, 0]), (["mate"], [0x60, 0]), (["owner"], [0x10, 0]), (["Name"], [0x08, 0]),
    (["zeal"], [0x02, 0]), (["breed"], [0x01, 0]), (["mate", "breed"], [0x61, 0]),
  ])
  func `a property's bit counts from the most significant one`(
    names: [String], bytes: [UInt8]
  ) throws {
    let (dog, columns) = try columns(of: "Dog")
    let slots = names.compactMap { dog.slotsByName[$0] }
    let found = columns.bytes(slots: slots, toManys: [])
    #expect(found == bytes)
    found.withUnsafeBytes { #expect(columns.properties(in: $0) == Set(names)) }
  }

  @Test func `to-manys have the last bits`() throws {
    let (dog, columns) = try columns(of: "Dog")
    let numbers = try #require(dog.toManysByName["balls"])
    #expect(columns.bytes(slots: [], toManys: [numbers]) == [0, 0x80])
    let mates = try #require(dog.toManysByName["mateOf"])
    #expect(columns.bytes(slots: [], toManys: [mates, numbers]) == [0, 0xC0])
  }

  @Test func `a superentity's objects have no bits for the subentity`() throws {
    let (animal, columns) = try columns(of: "Animal")
    #expect(columns.names == ["mate", "mate", "owner", "Name", "age", "zeal", "mateOf"])
    let age = try #require(animal.slotsByName["age"])
    #expect(columns.bytes(slots: [age], toManys: []) == [0x08])
  }

  @Test func `an order key is reported as the to-one beside it`() throws {
    let (dog, columns) = try columns(of: "Dog")
    let owner = try #require(dog.toOnes.first { $0.description.name == "owner" })
    let place = try #require(owner.orderKeySlot)
    #expect(columns.bytes(slots: [place], toManys: []) == [0x10, 0])
  }

  @Test func `bits beyond the entity's are ignored`() throws {
    let (_, columns) = try columns(of: "Animal")
    let bytes: [UInt8] = [0x01, 0xFF, 0xFF]
    bytes.withUnsafeBytes { #expect(columns.properties(in: $0).isEmpty) }
    [UInt8]().withUnsafeBytes { #expect(columns.properties(in: $0).isEmpty) }
  }
}

import DataModel
import Testing

@testable import ManagedObjects

/// What models allow and few have.
@Suite struct UncommonModelTests {
  private static let mate = PropertySlot(-1, "mate")

  private static func model(_ entities: [EntityDescription]) -> ManagedObjectModel {
    ManagedObjectModel(entities: entities)
  }

  @Test(arguments: Stack.allTypes)
  func `an object that was its own partner gets another one`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(
      type,
      model: Self.model([
        EntityDescription(name: "Swan", properties: [.toOne("mate", "Swan", back: "mate")])
      ]))
    let context = stack.context
    let (one, other) = (ManagedObject("Swan", in: context), ManagedObject("Swan", in: context))
    one.setToOne(one, at: Self.mate)
    try context.save()
    one.setToOne(other, at: Self.mate)
    #expect(one.toOne(at: Self.mate) == Optional(other))
    #expect(other.toOne(at: Self.mate) == Optional(one))
    try context.save()

    context.delete(one)
    try context.save()
    let left = try stack.anotherContext().existingObject(with: other.objectID)
    #expect(left.toOne(at: Self.mate) == ManagedObject?.none)
  }

  @Test(arguments: Stack.allTypes)
  func `a to-one whose inverse belongs to another one is treated as having none`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(
      type,
      model: Self.model([
        EntityDescription(
          name: "Artist", properties: [.toOne("thumbnail", "Image", back: "thumbnail")]),
        EntityDescription(
          name: "Image",
          properties: [
            .toOne("artist", "Artist", back: "thumbnail"),
            .toOne("thumbnail", "Artist", back: "thumbnail"),
          ]),
      ]))
    let (artist, thumbnail) = (PropertySlot(-1, "artist"), PropertySlot(-1, "thumbnail"))
    let painter = ManagedObject("Artist", in: stack.context)
    let (large, small) = (
      ManagedObject("Image", in: stack.context), ManagedObject("Image", in: stack.context)
    )
    large.setToOne(painter, at: artist)
    small.setToOne(painter, at: artist)
    #expect(painter.toOne(at: thumbnail) == ManagedObject?.none)
    painter.setToOne(small, at: thumbnail)
    try stack.context.save()

    let context = stack.anotherContext()
    let again = try context.existingObject(with: painter.objectID)
    #expect(again.toOne(at: thumbnail)?.objectID == small.objectID)
    for image in [large, small] {
      let image = try context.existingObject(with: image.objectID)
      #expect(image.toOne(at: artist) == Optional(again))
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a composite attribute is stored by its elements`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(
      type,
      model: Self.model([
        EntityDescription(
          name: "Walk",
          properties: [
            .attribute(
              AttributeDescription(
                name: "start", type: .composite, isOptional: true,
                elements: [
                  AttributeDescription(name: "latitude", type: .double),
                  AttributeDescription(name: "place", type: .string),
                ]))
          ])
      ]))
    let (latitude, place) = (PropertySlot(-1, "start.latitude"), PropertySlot(-1, "start.place"))
    let walk = ManagedObject("Walk", in: stack.context)
    walk.setOptionalValue(52.5, at: latitude)
    walk.setOptionalValue("park", at: place)
    try stack.context.save()
    if type == .sqlite {
      #expect(try stack.sqlite("SELECT ZSTART_LATITUDE || ZSTART_PLACE FROM ZWALK") == "52.5park")
    }
    let context = stack.anotherContext()
    let same = try context.existingObject(with: walk.objectID)
    #expect(same.optionalValue(at: latitude) == 52.5)
    same.setOptionalValue(String?.none, at: place)
    same.setOptionalValue(48.1, at: latitude)
    try context.save()
    let again = try stack.anotherContext().existingObject(with: walk.objectID)
    #expect(again.optionalValue(at: latitude) == 48.1)
    #expect(again.optionalValue(at: place) == String?.none)
  }

  @Test(arguments: [PersistentStore.StoreType.xml, .json, .binary])
  func `a document may have entities of any name`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(
      type,
      model: Self.model([
        EntityDescription(name: "Dog & <Co>", properties: [.value("name", .string)])
      ]))
    ManagedObject("Dog & <Co>", in: stack.context).setValue("Fido", forKey: "name")
    try stack.context.save()
    let context = try stack.anotherContainer().newBackgroundContext()
    #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Dog & <Co>")) == 1)
  }

  @Test func `properties may be named like the store's own columns`() throws {
    let names = ["_pk", "_ent", "_opt", "Z_PK", "order", "group"]
    let stack = try Stack(
      model: Self.model([
        EntityDescription(name: "Select", properties: names.map { .value($0, .integer64) })
      ]))
    let object = ManagedObject("Select", in: stack.context)
    let binding = object._entity.binding
    for (number, name) in names.enumerated() {
      // Every name has its slot.
      object._writeBits(UInt64(number + 10), binding.slotsByName[name]!)
    }
    try stack.context.save()
    let same = try stack.anotherContext().existingObject(with: object.objectID)
    #expect(names.map { same.row.integer(binding.slotsByName[$0]!) } == [10, 11, 12, 13, 14, 15])
  }

  @Test(arguments: Stack.allTypes.filter(\.tellsCapitals))
  func `relationships may differ in capital letters only`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(
      type,
      model: Self.model([
        EntityDescription(
          name: "Node",
          properties: [
            .toMany("z", "Leaf", back: "a"), .toMany("Z", "Leaf", back: "b"),
          ]),
        EntityDescription(
          name: "Leaf",
          properties: [.toMany("a", "Node", back: "z"), .toMany("b", "Node", back: "Z")]),
      ]))
    let node = ManagedObject("Node", in: stack.context)
    let leaves = (0..<3).map { _ in ManagedObject("Leaf", in: stack.context) }
    node.setUnorderedToMany(Set(leaves.prefix(1)), at: PropertySlot(-1, "z"))
    node.setUnorderedToMany(Set(leaves.dropFirst()), at: PropertySlot(-1, "Z"))
    try stack.context.save()
    let context = stack.anotherContext()
    let same = try context.existingObject(with: node.objectID)
    func ids(_ name: StaticString) -> Set<ManagedObjectID> {
      let members: Set<ManagedObject> = same.unorderedToMany(at: PropertySlot(-1, name))
      return Set(members.map(\.objectID))
    }
    #expect(ids("z") == Set(leaves.prefix(1).map(\.objectID)))
    #expect(ids("Z") == Set(leaves.dropFirst().map(\.objectID)))
  }
}

import Foundation
import ManagedObjects
import Testing

/// Attributes whose values a transformer turns into bytes.
@Suite struct TransformableAttributeTests {
  private struct Colour: Equatable {
    var red: UInt8
  }

  private struct ColourTransformer: AttributeDescription.ValueTransformer {
    struct WrongLength: Error {}
    func transformedValue(_ colour: Colour) -> Data { Data([0xC0, colour.red]) }
    func reverseTransformedValue(_ data: Data) throws -> Colour {
      guard data.count == 2 else { throw WrongLength() }
      return Colour(red: data[1])
    }
  }

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Wall",
      properties: [
        .attribute(
          AttributeDescription(
            name: "colour", type: .transformable, isOptional: true,
            valueTransformerName: "TestColourTransformer")),
        .attribute(
          AttributeDescription(
            name: "raw", type: .transformable, isOptional: true,
            valueTransformerName: "NobodyRegistersThis")),
        .attribute(
          AttributeDescription(name: "mood", type: .undefined, isOptional: true, isTransient: true)),
      ])
  ])
  private static let colour = PropertySlot(-1, "colour")
  private static let raw = PropertySlot(-1, "raw")
  private static let mood = PropertySlot(-1, "mood")

  init() {
    AttributeDescription.setValueTransformer(
      ColourTransformer(), forName: "TestColourTransformer")
  }

  @Test(arguments: Stack.allTypes)
  func `a value is stored as its transformer's bytes`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let wall = ManagedObject("Wall", in: stack.context)
    wall.setTransformableValue(Colour(red: 7), at: Self.colour)
    try stack.context.save()
    if type == .sqlite { #expect(try stack.sqlite("SELECT hex(ZCOLOUR) FROM ZWALL") == "C007") }
    let context = stack.anotherContext()
    let other = try context.existingObject(with: wall.objectID)
    #expect(other.transformableValue(at: Self.colour) == Colour(red: 7))
    other.setTransformableValue(Colour?.none, at: Self.colour)
    #expect(other.transformableValue(at: Self.colour) == Colour?.none)
  }

  @Test func `bytes that the transformer refuses are no value`() throws {
    let stack = try Stack(model: Self.model)
    let wall = ManagedObject("Wall", in: stack.context)
    wall.setTransformableValue(Colour(red: 7), at: Self.colour)
    try stack.context.save()
    _ = try stack.sqlite("UPDATE ZWALL SET ZCOLOUR = x'00' RETURNING 1")
    let context = stack.anotherContext()
    let other = try context.existingObject(with: wall.objectID)
    #expect(other.transformableValue(at: Self.colour) == Colour?.none)
  }

  @Test func `without a transformer the value is the bytes`() throws {
    let stack = try Stack(model: Self.model)
    let wall = ManagedObject("Wall", in: stack.context)
    wall.setTransformableValue(Data([1, 2]), at: Self.raw)
    try stack.context.save()
    #expect(try stack.sqlite("SELECT hex(ZRAW) FROM ZWALL") == "0102")
    #expect(wall.transformableValue(at: Self.raw) == Data([1, 2]))
  }

  @Test(arguments: Stack.allTypes)
  func `a transient value is whatever was set, and is rolled back`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let wall = ManagedObject("Wall", in: stack.context)
    wall.setTransformableValue(["calm"], at: Self.mood)
    try stack.context.save()
    #expect(wall.transformableValue(at: Self.mood) == ["calm"])
    wall.setTransformableValue(3, at: Self.mood)
    wall.setTransformableValue(Data(count: 100), at: Self.raw)
    #expect(wall.transformableValue(at: Self.mood) == 3)
    stack.context.rollback()
    #expect(wall.transformableValue(at: Self.mood) == ["calm"])
    wall.setTransformableValue(String?.none, at: Self.mood)
    #expect(wall.transformableValue(at: Self.mood) == [String]?.none)
  }
}

import Foundation
import ManagedObjects
import Testing

/// Attributes whose values a transformer converts to bytes.
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
            name: "posters", type: .transformable, isOptional: true,
            valueTransformerName: "NSSecureUnarchiveFromData")),
        .attribute(
          AttributeDescription(name: "unnamed", type: .transformable, isOptional: true)),
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

  @Test func `bytes that the transformer refuses are nil`() throws {
    let stack = try Stack(model: Self.model)
    let wall = ManagedObject("Wall", in: stack.context)
    wall.setTransformableValue(Colour(red: 7), at: Self.colour)
    try stack.context.save()
    _ = try stack.sqlite("UPDATE ZWALL SET ZCOLOUR = x'00' RETURNING 1")
    let context = stack.anotherContext()
    let other = try context.existingObject(with: wall.objectID)
    #expect(other.transformableValue(at: Self.colour) == Colour?.none)
  }

  @Test(arguments: Stack.allTypes)
  func `the standard transformer makes archives of numbers of any size`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let wall = ManagedObject("Wall", in: stack.context)
    let posters: [String: [Int16]] = ["left": [1, -2], "right": []]
    wall.setTransformableValue(posters, at: "posters")
    wall.setTransformableValue(Set([Float(0.5)]), at: "unnamed")
    try stack.context.save()
    let other = try stack.anotherContext().existingObject(with: wall.objectID)
    #expect(other.transformableValue(at: "posters") == posters)
    #expect(other.transformableValue(at: "posters") == ["left": [1, -2], "right": [Double]()])
    // A number that does not fit is nil.
    #expect(other.transformableValue(at: "posters") == [String: [UInt8]]?.none)
    #expect(other.transformableValue(at: "unnamed") == Set([0.5]))
    let any: Any? = other.transformableValue(at: "posters")
    #expect(any as? [String: [Int]] == ["left": [1, -2], "right": []])
  }

  @Test func `archives can be exchanged with Foundation`() throws {
    let stack = try Stack(model: Self.model)
    let wall = ManagedObject("Wall", in: stack.context)
    wall.setTransformableValue(["Fido", "Rex"], at: "posters")
    let data = try #require(wall.transformableData(at: "posters"))
    let array = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSArray.self, NSString.self], from: data)
    #expect(array as? [String] == ["Fido", "Rex"])
    let luna = try NSKeyedArchiver.archivedData(
      withRootObject: NSArray(array: [NSString("Luna")]), requiringSecureCoding: true)
    wall.setTransformableData(luna, at: "posters")
    #expect(wall.transformableValue(at: "posters") == ["Luna"])
    wall.setTransformableData(nil, at: "posters")
    #expect(wall.transformableValue(at: "posters") == [String]?.none)
  }

  @Test(arguments: Stack.allTypes)
  func `nil in a collection keeps its index`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let wall = ManagedObject("Wall", in: stack.context)
    let list: [Int?] = [1, nil, 3]
    wall.setTransformableValue(list, at: "posters")
    wall.setValue(["a": 1, "b": nil] as [String: Any?], forKey: "unnamed")
    try stack.context.save()
    let other = try stack.anotherContext().existingObject(with: wall.objectID)
    #expect(other.transformableValue(at: "posters") == list)
    // As numbers alone it is nil, not a shorter array.
    #expect(other.transformableValue(at: "posters") == [Int]?.none)
    let entries: [String: Int?]? = other.transformableValue(at: "unnamed")
    #expect(entries == ["a": 1, "b": nil])
  }

  @Test func `values read by JSONSerialization are stored unchanged`() throws {
    let stack = try Stack(model: Self.model)
    let wall = ManagedObject("Wall", in: stack.context)
    let text = #"{"none": null, "list": [1, null, 2.5, true, 7]}"#
    wall.setValue(
      try JSONSerialization.jsonObject(with: Data(text.utf8)), forKey: "unnamed")
    try stack.context.save()
    let other = try stack.anotherContext().existingObject(with: wall.objectID)
    let read = try #require(other.value(forKey: "unnamed") as? [String: Any])
    #expect(read.keys.sorted() == ["list", "none"])
    let list = try #require(read["list"] as? [Any])
    try #require(list.count == 5)
    #expect(list[0] as? Int == 1 && list[1] as? Int == nil && list[2] as? Double == 2.5)
    #expect(list[3] as? Bool == true && list[4] as? Int == 7)
  }

  @Test func `NSNull by itself is nil`() throws {
    let stack = try Stack(.inMemory, model: Self.model)
    let wall = ManagedObject("Wall", in: stack.context)
    wall.setTransformableValue(["Fido"], at: "posters")
    wall.setValue(NSNull(), forKey: "posters")
    #expect(wall.value(forKey: "posters") == nil && wall.transformableData(at: "posters") == nil)
  }

  @Test func `decimals are stored exactly, and read as numbers of other types`() throws {
    let stack = try Stack(model: Self.model)
    let wall = ManagedObject("Wall", in: stack.context)
    let prices = [Decimal(1999) / 100, Decimal(3)]
    wall.setTransformableValue(prices, at: "posters")
    wall.setTransformableValue([1, 2], at: "unnamed")
    try stack.context.save()
    let other = try stack.anotherContext().existingObject(with: wall.objectID)
    #expect(other.transformableValue(at: "posters") == prices)
    #expect(other.transformableValue(at: "posters") == [19.99, 3.0])
    #expect(other.transformableValue(at: "unnamed") == [Decimal(1), Decimal(2)])
  }

  @Test func `a registered transformer replaces the standard one`() {
    #expect(AttributeDescription.valueTransformer(forName: "NSSecureUnarchiveFromData") != nil)
    #expect(AttributeDescription.valueTransformer(forName: "NobodyRegistersThis") == nil)
    AttributeDescription.setValueTransformer(
      ColourTransformer(), forName: "NSKeyedUnarchiveFromData")
    let found = AttributeDescription.valueTransformer(forName: "NSKeyedUnarchiveFromData")
    #expect(found is ColourTransformer)
    AttributeDescription.setValueTransformer(nil, forName: "NSKeyedUnarchiveFromData")
    let standard = AttributeDescription.valueTransformer(forName: "NSKeyedUnarchiveFromData")
    #expect(standard != nil && !(standard is ColourTransformer))
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
  func `a transient value may be anything, and is rolled back`(
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

import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct DefaultValueTests {
  private static let values: [(AttributeDescription.AttributeType, AttributeValue)] = [
    (.integer16, .integer(-1)), (.integer32, .integer(2)), (.integer64, .integer(3)),
    (.boolean, .boolean(true)), (.double, .double(0.5)), (.float, .integer(6)),
    (.date, .date(Date(timeIntervalSinceReferenceDate: 7))), (.decimal, .decimal(8)),
    (.string, .string("nine")), (.uri, .uri(URL(string: "x:10")!)),
    (.uuid, .uuid(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")!)),
    (.binaryData, .binary(Data([11]))),
  ]

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Made",
      properties: values.map { type, value in
        .attribute(.init(name: "t\(type.rawValue)", type: type, defaultValue: value))
      })
  ])

  private func expectDefaults(_ made: ManagedObject) {
    #expect(made.requiredValue(at: PropertySlot(-1, "t100")) == Int16(-1))
    #expect(made.requiredValue(at: PropertySlot(-1, "t200")) == Int32(2))
    #expect(made.requiredValue(at: PropertySlot(-1, "t300")) == Int64(3))
    #expect(made.requiredValue(at: PropertySlot(-1, "t800")) == true)
    #expect(made.requiredValue(at: PropertySlot(-1, "t500")) == Double(0.5))
    #expect(made.requiredValue(at: PropertySlot(-1, "t600")) == Float(6))
    #expect(
      made.requiredValue(at: PropertySlot(-1, "t900")) == Date(timeIntervalSinceReferenceDate: 7))
    #expect(made.requiredValue(at: PropertySlot(-1, "t400")) == Decimal(8))
    #expect(made.requiredValue(at: PropertySlot(-1, "t700")) == "nine")
    #expect(made.requiredValue(at: PropertySlot(-1, "t1200")) == URL(string: "x:10")!)
    #expect(
      made.requiredValue(at: PropertySlot(-1, "t1100"))
        == UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")!)
    #expect(made.requiredValue(at: PropertySlot(-1, "t1000")) == Data([11]))
  }

  @Test(arguments: Stack.allTypes)
  func `a new object has the model's default for every type`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    expectDefaults(
      ManagedObject(entity: Self.model.entitiesByName["Made"]!, insertInto: stack.context))
  }

  @Test(arguments: Stack.allTypes)
  func `defaults are saved`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    _ = ManagedObject(entity: Self.model.entitiesByName["Made"]!, insertInto: stack.context)
    try stack.context.save()
    let context = stack.anotherContext()
    expectDefaults(try context.fetch(FetchRequest<ManagedObject>(entityName: "Made"))[0])
  }

  @Test(arguments: Stack.allTypes)
  func `changing a new object leaves the next one's defaults unchanged`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let walk = stack.walk(minutes: 1)
    walk.isOngoing = true
    #expect(stack.walk(minutes: 2).isOngoing == false)
    let dog = Dog(context: stack.context)
    dog.name = "Rex"
    #expect(Dog(context: stack.context).name == "Unnamed dog")
  }

  @Test(arguments: Stack.allTypes)
  func `a missing number in a nonoptional accessor is zero`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Samples.model)
    let sample = Sample(context: stack.context)
    #expect(sample.scalarValue(at: PropertySlot(-1, "short")) == Int16(0))
    #expect(sample.scalarValue(at: PropertySlot(-1, "middle")) == Int32(0))
    #expect(sample.scalarValue(at: PropertySlot(-1, "long")) == Int64(0))
    #expect(sample.scalarValue(at: PropertySlot(-1, "real")) == Double(0))
    #expect(sample.scalarValue(at: PropertySlot(-1, "single")) == Float(0))
    #expect(sample.scalarValue(at: PropertySlot(-1, "flag")) == false)
    #expect(
      sample.scalarValue(at: PropertySlot(-1, "date")) == Date(timeIntervalSinceReferenceDate: 0))
    sample.short = 5
    #expect(sample.scalarValue(at: PropertySlot(-1, "short")) == Int16(5))
  }

  @Test func `an object of an entity without properties has a row`() throws {
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Bare")])
    for type in Stack.allTypes {
      let stack = try Stack(type, model: model)
      for _ in 0..<3 {
        _ = ManagedObject(entity: model.entitiesByName["Bare"]!, insertInto: stack.context)
      }
      try stack.context.save()
      #expect(
        try stack.anotherContext().count(for: FetchRequest<ManagedObject>(entityName: "Bare")) == 3)
    }
  }
}

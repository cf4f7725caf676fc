import Foundation
import ManagedObjects
import Testing

/// An entity of more attributes than a word of the mask has bits.
@Suite struct WideEntityTests {
  private static let count = 70
  private static let model: ManagedObjectModel = {
    let wide = EntityDescription(
      name: "Wide",
      properties: (0..<count).map { number in
        .attribute(
          .init(
            name: "a\(100 + number)", type: isText(number) ? .string : .integer64, isOptional: true,
            defaultValue: number == 68 ? .integer(68) : number == 69 ? .string("sixty-nine") : nil))
      })
    let hashes = ManagedObjectModel(entities: [wide]).entityVersionHashesByName
    // With hashes it counts as compiled, so that the numbers of the slots are those asked for.
    return ManagedObjectModel(entities: [wide], versionHashes: hashes)
  }()

  private static func isText(_ number: Int) -> Bool { number % 3 == 0 }
  private func slot(_ number: Int) -> PropertySlot { PropertySlot(number, "a") }

  private func set(_ number: Int, of object: ManagedObject, to value: Int64?) {
    if Self.isText(number) {
      object.setOptionalValue(value.map { "text \($0)" }, at: slot(number))
    } else {
      object.setOptionalValue(value, at: slot(number))
    }
  }

  private func has(_ number: Int, _ object: ManagedObject, _ value: Int64?) -> Bool {
    if Self.isText(number) {
      let text: String? = object.optionalValue(at: slot(number))
      return text == value.map { "text \($0)" }
    }
    return object.optionalValue(at: slot(number)) == value
  }

  private func insertWide(into stack: Stack) -> ManagedObject {
    ManagedObject(
      entity: Self.model.entitiesByName["Wide"]!, insertInto: stack.context)
  }

  private func reread(_ stack: Stack) throws -> ManagedObject {
    let context = stack.anotherContext()
    stack.rereading.append(context)
    return try context.fetch(FetchRequest<ManagedObject>(entityName: "Wide"))[0]
  }

  @Test(arguments: Stack.allTypes)
  func `each attribute is set and cleared alone`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let wide = insertWide(into: stack)
    for number in 0..<Self.count { set(number, of: wide, to: nil) }
    for number in 0..<Self.count {
      set(number, of: wide, to: Int64(number))
      let others = (0..<Self.count).filter { $0 != number }
      try #require(has(number, wide, Int64(number)), "attribute \(number)")
      try #require(others.allSatisfy { has($0, wide, nil) }, "attribute \(number)")
      set(number, of: wide, to: nil)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `all attributes are stored`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let wide = insertWide(into: stack)
    for number in 0..<Self.count { set(number, of: wide, to: Int64(number)) }
    try stack.context.save()
    let reread = try reread(stack)
    #expect((0..<Self.count).allSatisfy { has($0, reread, Int64($0)) })
  }

  @Test(arguments: Stack.allTypes)
  func `every second attribute may be missing`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let wide = insertWide(into: stack)
    for number in 0..<Self.count { set(number, of: wide, to: number % 2 == 0 ? nil : 1) }
    try stack.context.save()
    let reread = try reread(stack)
    #expect((0..<Self.count).allSatisfy { has($0, reread, $0 % 2 == 0 ? nil : 1) })
  }

  @Test(arguments: Stack.allTypes)
  func `a change is undone in both words of the mask`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let wide = insertWide(into: stack)
    for number in 0..<Self.count { set(number, of: wide, to: Int64(number)) }
    try stack.context.save()
    for number in [1, 3, 63, 64, 65, 69] { set(number, of: wide, to: nil) }
    stack.context.rollback()
    #expect((0..<Self.count).allSatisfy { has($0, wide, Int64($0)) })
  }

  @Test(arguments: Stack.allTypes)
  func `defaults stand in the second word too`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let wide = insertWide(into: stack)
    #expect(wide.optionalValue(at: slot(68)) == Int64(68))
    #expect(wide.optionalValue(at: slot(69)) == "sixty-nine")
    #expect((0..<68).allSatisfy { has($0, wide, nil) })
  }
}

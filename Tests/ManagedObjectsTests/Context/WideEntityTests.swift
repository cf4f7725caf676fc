import Foundation
import Testing

@testable import ManagedObjects

/// An entity with more attributes than one word of the mask has bits.
@Suite struct WideEntityTests {
  private static let count = 70
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Wide",
      properties: (0..<count).map { number in
        .attribute(
          .init(
            name: "a\(100 + number)", type: isText(number) ? .string : .integer64, isOptional: true,
            defaultValue: number == 68 ? .integer(68) : number == 69 ? .string("text 69") : nil))
      })
  ])

  private static func isText(_ number: Int) -> Bool { number % 3 == 0 }

  private func set(_ number: Int, of object: ManagedObject, to value: Int64?) {
    guard let value else { return object._clear(number) }
    if Self.isText(number) {
      "text \(value)"._write(to: object, slot: number)
    } else {
      value._write(to: object, slot: number)
    }
  }

  private func has(_ number: Int, _ object: ManagedObject, _ value: Int64?) -> Bool {
    let (row, isText) = (object.row, Self.isText(number))
    guard let value else { return !row.hasValue(number) }
    return row.hasValue(number)
      && (isText
        ? String._read(_RowAccess(row: row), slot: number) == "text \(value)"
        : Int64._read(_RowAccess(row: row), slot: number) == value)
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
  func `each attribute is set and cleared independently`(type: PersistentStore.StoreType) throws {
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
  func `defaults in the second word of the mask work too`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let wide = insertWide(into: stack)
    #expect(has(68, wide, 68) && has(69, wide, 69))
    #expect((0..<68).allSatisfy { has($0, wide, nil) })
  }
}

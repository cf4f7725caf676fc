import Foundation
import ManagedObjects
import Testing

/// Rules that classes add to the model's.
@Suite struct OwnRulesTests {
  /// An error of another type than the library's.
  struct Mistake: Error, Equatable { let text: String }

  final class Trip: ManagedObject {
    var start: Date? {
      get { optionalValue(at: PropertySlot(-1, "start")) }
      set { setOptionalValue(newValue, at: PropertySlot(-1, "start")) }
    }
    var end: Date? {
      get { optionalValue(at: PropertySlot(-1, "end")) }
      set { setOptionalValue(newValue, at: PropertySlot(-1, "end")) }
    }
    var note: String? {
      get { optionalValue(at: PropertySlot(-1, "note")) }
      set { setOptionalValue(newValue, at: PropertySlot(-1, "note")) }
    }
    /// The rules that were called.
    var asked: [String] = []

    override func validateForInsert() throws {
      asked.append("insert")
      try super.validateForInsert()
      try validateOrder()
    }
    override func validateForUpdate() throws {
      asked.append("update")
      try super.validateForUpdate()
      try validateOrder()
    }
    override func validateForDelete() throws {
      asked.append("delete")
      try super.validateForDelete()
      if note == "precious" { throw ValidationError(self, "It is precious.") }
      if note == "cursed" { throw Mistake(text: "cursed") }
    }
    private func validateOrder() throws {
      guard let start, let end, end < start else { return }
      throw ValidationError(self, property: "end", "A trip ends after it began.")
    }
  }

  /// An object all of whose values are validated.
  final class Choosy: ManagedObject {
    var asked: [String] = []

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
      asked.append(key)
      try super.validateValue(&value, forKey: key)
      if key == "name", let name = value as? String, name.contains(" ") {
        throw ValidationError(self, property: key, "A name is one word.")
      }
      if key == "age", value as? Int16 == 13 { throw Mistake(text: "thirteen") }
    }
  }

  private static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Trip",
        properties: [
          .value("start", .date), .value("end", .date),
          .attribute(.init(name: "note", type: .string, defaultValue: .string("none"))),
        ]),
      EntityDescription(
        name: "Choosy",
        properties: [
          .attribute(
            .init(name: "age", type: .integer16, isOptional: true, maximumValue: .integer(99))),
          .attribute(.init(name: "name", type: .string)),
          .value("draft", .string, isTransient: true),
          .toOne("friend", "Choosy", back: "friends"),
          .toMany("friends", "Choosy", back: "friend"),
        ]),
    ], classes: ["Trip": Trip.self, "Choosy": Choosy.self])

  private static let noon = Date(timeIntervalSinceReferenceDate: 43_200)

  @Test(arguments: Stack.allTypes)
  func `a rule about two values is called before inserts and updates`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let trip = Trip(context: stack.context)
    (trip.start, trip.end) = (Self.noon, Self.noon - 60)
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(error?.description == "New Trip: A trip ends after it began.")
    #expect(error?.failures.first?.property == "end")
    trip.end = Self.noon + 60
    try stack.context.save()
    trip.start = Self.noon + 120
    #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(trip.asked == ["insert", "insert", "update"])
    #expect(try stack.reread(Trip.self).map(\.start) == [Self.noon])
  }

  @Test(arguments: Stack.allTypes)
  func `the model's rules come first`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let trip = Trip(context: stack.context)
    (trip.start, trip.end) = (Self.noon, Self.noon - 60)
    trip.setValue(nil, forKey: "note")
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(error?.description == "New Trip: note has no value.")
  }

  @Test(arguments: Stack.allTypes)
  func `a delete may be refused, and nothing changes`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let (trip, other) = (Trip(context: stack.context), Trip(context: stack.context))
    trip.note = "precious"
    try stack.context.save()
    stack.context.delete(trip)
    stack.context.delete(other)
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(error?.description == "Trip \(type.firstKey): It is precious.")
    #expect(stack.context.deletedObjects == [trip, other])
    #expect(try stack.reread(Trip.self).count == 2)
    stack.context.rollback()
    #expect(!trip.isDeleted && trip.note == "precious")
  }

  @Test(arguments: Stack.allTypes)
  func `a custom error is thrown unchanged, and as a message among others`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let (trip, other) = (Trip(context: stack.context), Trip(context: stack.context))
    (trip.note, other.note) = ("cursed", "precious")
    try stack.context.save()
    stack.context.delete(trip)
    #expect(throws: Mistake(text: "cursed")) { try stack.context.save() }
    stack.context.delete(other)
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(error?.failures.count == 2)
    #expect(error?.description.contains("cursed") == true)
  }

  @Test(arguments: Stack.allTypes)
  func `a save validates every value`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let choosy = Choosy(context: stack.context)
    choosy.setValuesForKeys(["name": "two words", "age": 100])
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(
      error?.description == """
        New Choosy: age is 100, above 99.
        New Choosy: A name is one word.
        """)
    #expect(choosy.asked == ["age", "name", "friend", "draft", "friends"])
    choosy.setValuesForKeys(["name": "one", "age": 13])
    #expect(throws: Mistake(text: "thirteen")) { try stack.context.save() }
    choosy.setValue(12, forKey: "age")
    try stack.context.save()
    choosy.asked = []
    choosy.setValue(nil, forKey: "name")
    #expect(throws: ValidationError.self) { try stack.context.save() }
    // An unread list remains unread.
    let again = try #require(try stack.reread(Choosy.self).first)
    again.setValue("other", forKey: "name")
    try again.managedObjectContext?.save()
    #expect(again.asked == ["age", "name", "friend", "draft"])
  }
}

import Foundation
import ManagedObjects
import Testing

/// The model's rules for attributes that are never stored.
@Suite struct TransientRulesTests {
  private static func transient(
    _ name: String, _ type: AttributeDescription.AttributeType, isOptional: Bool = true,
    _ minimum: AttributeValue? = nil, _ maximum: AttributeValue? = nil, pattern: String? = nil
  ) -> PropertyDescription {
    .attribute(
      .init(
        name: name, type: type, isOptional: isOptional, isTransient: true, minimumValue: minimum,
        maximumValue: maximum, regularExpression: pattern))
  }

  private static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Draft",
        properties: [
          .value("text", .string), transient("title", .string, isOptional: false),
          transient("pages", .integer16, .integer(1), .integer(9)),
          transient("code", .string, .integer(2), .integer(4), pattern: "[A-Z]+"),
        ]),
      EntityDescription(name: "Asked", superentityName: "Draft", properties: []),
    ], classes: ["Asked": Asked.self])

  /// Passes every value to `validateValue(_:forKey:)`.
  final class Asked: ManagedObject {
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
      try super.validateValue(&value, forKey: key)
    }
  }

  private static var forbidden: [(key: String, value: Any?, sentence: String)] {
    [
      ("title", nil, "title has no value."),
      ("pages", 0, "pages is 0, below 1."),
      ("pages", 10, "pages is 10, above 9."),
      ("code", "A", "code is “A”, shorter than 2 characters."),
      ("code", "ABCDE", "code is “ABCDE”, longer than 4 characters."),
      ("code", "ab", "code is “ab”, which does not match [A-Z]+."),
    ]
  }

  @Test(arguments: Stack.allTypes, ["Draft", "Asked"])
  func `they hold before inserts and updates`(
    type: PersistentStore.StoreType, entity: String
  ) throws {
    for (key, value, sentence) in Self.forbidden {
      let stack = try Stack(type, model: Self.model)
      let draft = ManagedObject.make(entity, in: stack.context)
      draft.setValuesForKeys(["title": "Draft", "pages": 5, "code": "ABC"])
      draft.setValue(value, forKey: key)
      let inserting = #expect(throws: ValidationError.self) { try stack.context.save() }
      #expect(inserting?.description == "New \(entity): \(sentence)")
      #expect(inserting?.failures.map(\.property) == [key] && draft.isInserted)

      draft.setValuesForKeys(["title": "Draft", "pages": 5, "code": "ABC"])
      try stack.context.save()
      draft.setValue(value, forKey: key)
      let updating = #expect(throws: ValidationError.self) { try stack.context.save() }
      #expect(updating?.description == "\(entity) \(type.firstKey): \(sentence)")
      #expect(throws: ValidationError.self) {
        var value = value
        try draft.validateValue(&value, forKey: key)
      }
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a fetched object needs its value before it is changed and saved`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let draft = ManagedObject("Draft", in: stack.context)
    draft.setValue("Draft", forKey: "title")
    try stack.context.save()
    let context = stack.anotherContext()
    let same = try context.existingObject(with: draft.objectID)
    same.setValue("text", forKey: "text")
    let error = #expect(throws: ValidationError.self) { try context.save() }
    #expect(error?.description == "Draft \(type.firstKey): title has no value.")
    same.setValue("Draft", forKey: "title")
    try context.save()
    context.delete(same)
    try context.save()
  }
}

extension ManagedObject {
  /// A new object of an entity, of its class.
  fileprivate static func make(
    _ entity: String, in context: ManagedObjectContext
  ) -> ManagedObject {
    entity == "Asked"
      ? TransientRulesTests.Asked(context: context) : ManagedObject(entity, in: context)
  }
}

import Foundation
import ManagedObjects
import Testing

/// The bounds that a model sets for values.
@Suite struct ModelRulesTests {
  private static let dayOne = Date(timeIntervalSinceReferenceDate: 0)

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Rule",
      properties: [
        bounded("age", .integer16, .integer(0), .integer(30)),
        bounded("weight", .double, .double(0.5), .double(99.5)),
        bounded("price", .decimal, .decimal(Decimal(1)), .decimal(Decimal(10))),
        bounded("since", .date, .date(dayOne), .date(dayOne.addingTimeInterval(86_400))),
        bounded("name", .string, .integer(2), .integer(5)),
        .attribute(
          .init(name: "code", type: .string, isOptional: true, regularExpression: "[A-Z]{2}\\d+")),
        .attribute(
          .init(name: "twice", type: .string, isOptional: true, regularExpression: "(a)\\1")),
        bounded("least", .integer64, .integer(5), nil),
        bounded("most", .float, nil, .double(5)),
      ])
  ])

  private static func bounded(
    _ name: String, _ type: AttributeDescription.AttributeType, _ minimum: AttributeValue?,
    _ maximum: AttributeValue?
  ) -> PropertyDescription {
    .attribute(
      .init(
        name: name, type: type, isOptional: true, minimumValue: minimum, maximumValue: maximum))
  }

  /// An invalid value, and the message about it.
  struct Case: CustomTestStringConvertible, Sendable {
    let key: String
    let value: AttributeValue
    let sentence: String
    var testDescription: String { sentence }
  }

  static let forbidden = [
    Case(key: "age", value: .integer(-1), sentence: "age is -1, below 0."),
    Case(key: "age", value: .integer(31), sentence: "age is 31, above 30."),
    Case(key: "weight", value: .double(0.4), sentence: "weight is 0.4, below 0.5."),
    Case(key: "weight", value: .double(.infinity), sentence: "weight is inf, above 99.5."),
    Case(
      key: "price", value: .decimal(Decimal(string: "0.99")!),
      sentence: "price is 0.99, below 1."),
    Case(key: "price", value: .integer(11), sentence: "price is 11, above 10."),
    Case(
      key: "since", value: .date(Date(timeIntervalSinceReferenceDate: -1)),
      sentence: "since is 2000-12-31 23:59:59 UTC, below 2001-01-01 00:00:00 UTC."),
    Case(
      key: "since", value: .date(Date(timeIntervalSinceReferenceDate: 5_000_000_000.25)),
      sentence: "since is 2159-06-12 08:53:20 UTC, above 2001-01-02 00:00:00 UTC."),
    Case(key: "name", value: .string(""), sentence: "name is “”, shorter than 2 characters."),
    Case(
      key: "name", value: .string("Struppi"),
      sentence: "name is “Struppi”, longer than 5 characters."),
    Case(
      key: "name", value: .string(String(repeating: "ab", count: 30)),
      sentence: "name is “" + String(repeating: "ab", count: 19) + "a…”, longer than 5 characters."),
    Case(
      key: "code", value: .string("AB12x"),
      sentence: "code is “AB12x”, which does not match [A-Z]{2}\\d+."),
    Case(key: "least", value: .integer(4), sentence: "least is 4, below 5."),
    Case(key: "most", value: .double(5.5), sentence: "most is 5.5, above 5.0."),
  ]

  @Test(arguments: Stack.allTypes, forbidden)
  func `a value out of bounds is refused, in the model's words`(
    type: PersistentStore.StoreType, forbidden: Case
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let object = ManagedObject("Rule", in: stack.context)
    object.setValue(forbidden.value, forKey: forbidden.key)
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(error?.description == "New Rule: \(forbidden.sentence)")
    #expect(error?.failures.map(\.property) == [forbidden.key])
    #expect(error?.failures.map(\.objectID) == [object.objectID])
    #expect(object.isInserted && stack.context.insertedObjects == [object])

    // The same rule for a change of a saved object.
    object.setValue(nil, forKey: forbidden.key)
    try stack.context.save()
    object.setValue(forbidden.value, forKey: forbidden.key)
    let later = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(later?.description == "Rule \(type.firstKey): \(forbidden.sentence)")
    let reread = stack.anotherContext()
    stack.rereading.append(reread)
    let stored = try reread.existingObject(with: object.objectID)
    #expect(stored.value(forKey: forbidden.key) == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `the bounds themselves are allowed, and so is nil`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let object = ManagedObject("Rule", in: stack.context)
    try stack.context.save()
    for bound in 0...1 {
      object.setValuesForKeys([
        "age": [0, 30][bound], "weight": [0.5, 99.5][bound], "price": [1, 10][bound],
        "since": Self.dayOne.addingTimeInterval([0, 86_400][bound]),
        "name": ["ab", "abcde"][bound],
        "least": 5, "most": 5, "code": "AB1",
      ])
      try stack.context.save()
    }
    #expect(!stack.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `all failures are reported at once`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let (one, other) = (
      ManagedObject("Rule", in: stack.context), ManagedObject("Rule", in: stack.context)
    )
    one.setValuesForKeys(["age": 99, "name": "x"])
    other.setValue(4, forKey: "least")
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(
      error?.failures.map(\.reason) == [
        .tooLarge(maximum: .integer(30)), .tooShort(minimum: 2), .tooSmall(minimum: .integer(5)),
      ])
    #expect(error?.failures.map(\.value) == [.integer(99), .string("x"), .integer(4)])
    #expect(error?.failures.map(\.objectID) == [one.objectID, one.objectID, other.objectID])
    #expect(
      try stack.anotherContext().count(for: FetchRequest<ManagedObject>(entityName: "Rule")) == 0)
  }

  @Test(arguments: Stack.allTypes)
  func `a pattern that cannot be matched refuses every value, with the reason`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let object = ManagedObject("Rule", in: stack.context)
    object.setValue("aa", forKey: "twice")
    let error = #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(
      error?.description.hasPrefix(
        "New Rule: twice cannot be checked. The pattern \"(a)\\1\" cannot be matched") == true)
  }

  @Test(arguments: Stack.allTypes)
  func `a single value can be checked without setting it`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let object = ManagedObject("Rule", in: stack.context)
    func reason(_ value: Any?, _ key: String) -> ValidationError.Failure.Reason? {
      var value = value
      let error = #expect(throws: ValidationError.self) {
        try object.validateValue(&value, forKey: key)
      }
      return error?.failures.first?.reason
    }
    #expect(reason(40, "age") == .tooLarge(maximum: .integer(30)))
    #expect(reason("old", "age") == .wrongType)
    #expect(reason(100_000, "age") == .wrongType)
    var fine: Any? = Int16(12)
    try object.validateValue(&fine, forKey: "age")
    fine = nil
    try object.validateValue(&fine, forKey: "age")
    #expect(object.value(forKey: "age") == nil)
  }
}

import ManagedObjects
import Testing

/// Validation predicates of a model made by hand.
@Suite struct ValidationPredicateTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Kennel",
      properties: [
        .attribute(
          .init(
            name: "number", type: .string, isOptional: true, minimumValue: .integer(3),
            validationPredicates: [
              ValidationPredicate("SELF BEGINSWITH 'K'", warning: "Its number begins with K."),
              ValidationPredicate("SELF MATCHES '[A-Z][0-9]+'", warning: "Digits follow."),
            ])),
        .attribute(
          .init(
            name: "places", type: .integer16, isOptional: true,
            validationPredicates: [
              ValidationPredicate(
                "SELF > 2 AND modulus:by:(SELF, 2) == 0", warning: "Places come in pairs.")
            ])),
        .attribute(
          .init(
            name: "motto", type: .string, isOptional: true,
            validationPredicates: [
              ValidationPredicate("SELF BEGINS", warning: "A motto is short.")
            ])),
        .attribute(
          .init(
            name: "owner", type: .string, isOptional: true,
            validationPredicates: [
              ValidationPredicate("number == 'K1'", warning: "Only K1 is owned.")
            ])),
      ])
  ])

  private func refusal(_ key: String, _ value: Any) throws -> String? {
    let stack = try Stack(.inMemory, model: Self.model)
    let kennel = ManagedObject("Kennel", in: stack.context)
    kennel.setValue(value, forKey: key)
    var checked: Any? = value
    do {
      try kennel.validateValue(&checked, forKey: key)
      try stack.context.save()
      return nil
    } catch let error as ValidationError {
      #expect(throws: ValidationError.self) { try stack.context.save() }
      return error.description
    }
  }

  @Test func `a value that satisfies all of them is saved`() throws {
    #expect(try refusal("number", "K17") == nil)
    #expect(try refusal("places", 4) == nil)
  }

  @Test func `a value that does not is refused with the warning`() throws {
    #expect(try refusal("number", "L17") == "New Kennel: Its number begins with K.")
    #expect(try refusal("number", "Kxy") == "New Kennel: Digits follow.")
    #expect(try refusal("places", 3) == "New Kennel: Places come in pairs.")
    #expect(try refusal("places", 2) == "New Kennel: Places come in pairs.")
  }

  @Test func `bounds are checked before them`() throws {
    #expect(
      try refusal("number", "L1") == "New Kennel: number is “L1”, shorter than 3 characters.")
  }

  @Test func `a missing value is not validated`() throws {
    let stack = try Stack(.inMemory, model: Self.model)
    _ = ManagedObject("Kennel", in: stack.context)
    try stack.context.save()
  }

  @Test func `an invalid one refuses every value, with the reason`() throws {
    let motto = try #require(try refusal("motto", "Sit!"))
    #expect(motto.hasPrefix("New Kennel: A motto is short. (It cannot be checked: "))
    let owner = try #require(try refusal("owner", "Ann"))
    #expect(owner.hasPrefix("New Kennel: Only K1 is owned. (It cannot be checked: "))
  }

  @Test func `they do not affect the version hash`() throws {
    let plain = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Kennel",
        properties: [
          .value("number", .string), .value("places", .integer16), .value("motto", .string),
          .value("owner", .string),
        ])
    ])
    #expect(plain.entityVersionHashesByName == Self.model.entityVersionHashesByName)
  }
}

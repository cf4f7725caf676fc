import ManagedObjects
import Testing

/// The model's rules for relationships that are never stored.
@Suite struct TransientRelationshipRulesTests {
  private static func transient(
    _ name: String, back: String?, isOptional: Bool, min: Int = 0, max: Int
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, destinationEntityName: "Guest", inverseName: back, isOptional: isOptional,
        isTransient: true, minCount: min, maxCount: max))
  }

  private static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Table",
        properties: [
          .value("name", .string),
          transient("host", back: nil, isOptional: false, max: 1),
          transient("guests", back: "table", isOptional: false, min: 2, max: 3),
        ]),
      EntityDescription(name: "Asked", superentityName: "Table", properties: []),
      EntityDescription(
        name: "Long", superentityName: "Table", properties: [.value("length", .double)]),
      EntityDescription(
        name: "Guest",
        properties: [
          .value("name", .string),
          .relationship(
            RelationshipDescription(
              name: "table", destinationEntityName: "Table", inverseName: "guests",
              isOptional: true, isTransient: true)),
        ]),
    ], classes: ["Asked": Asked.self])

  /// Passes every value to `validateValue(_:forKey:)`.
  final class Asked: ManagedObject {
    var asked: [String] = []

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
      asked.append(key)
      try super.validateValue(&value, forKey: key)
    }
  }

  private static func table(_ entity: String, in context: ManagedObjectContext) -> ManagedObject {
    entity == "Asked" ? Asked(context: context) : ManagedObject(entity, in: context)
  }

  @Test(arguments: Stack.allTypes, ["Table", "Asked"])
  func `they hold before inserts and updates`(
    type: PersistentStore.StoreType, entity: String
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let guests = (0..<4).map { _ in ManagedObject("Guest", in: stack.context) }
    let table = Self.table(entity, in: stack.context)
    func failures(_ place: SourceLocation = #_sourceLocation) -> String? {
      #expect(throws: ValidationError.self, sourceLocation: place) { try stack.context.save() }?
        .description
    }

    #expect(failures() == "New \(entity): host has no value.\nNew \(entity): guests has no value.")
    table.setValue(guests[0], forKey: "host")
    table.setValue(Set(guests.prefix(1)), forKey: "guests")
    #expect(failures() == "New \(entity): guests has 1 member, fewer than 2.")
    #expect(table.isInserted)
    table.setValue(Set(guests.prefix(2)), forKey: "guests")
    try stack.context.save()
    let saved = "\(entity) \(table.primaryKey)"

    table.setValue(nil, forKey: "host")
    table.setValue(Set(guests), forKey: "guests")
    #expect(
      failures()
        == "\(saved): host has no value.\n\(saved): guests has 4 members, more than 3.")
    stack.context.rollback()
    guests[1].setValue(nil, forKey: "table")
    #expect(failures() == "\(saved): guests has 1 member, fewer than 2.")
    stack.context.rollback()
    stack.context.delete(guests[1])
    #expect(failures() == "\(saved): guests has 1 member, fewer than 2.")
    #expect(throws: ValidationError.self) {
      var host: Any?
      try table.validateValue(&host, forKey: "host")
    }
    // Slots that the family keeps free belong to no property.
    if let asked = table as? Asked { #expect(Set(asked.asked) == ["name", "host", "guests"]) }
  }

  @Test(arguments: Stack.allTypes, ["Table", "Asked"])
  func `a fetched object needs them before it is changed and saved`(
    type: PersistentStore.StoreType, entity: String
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let guests = (0..<2).map { _ in ManagedObject("Guest", in: stack.context) }
    let table = Self.table(entity, in: stack.context)
    table.setValuesForKeys(["host": guests[0], "guests": Set(guests)])
    try stack.context.save()

    let context = stack.anotherContext()
    let same = try context.existingObject(with: table.objectID)
    same.setValue("Window", forKey: "name")
    let error = #expect(throws: ValidationError.self) { try context.save() }
    let saved = "\(entity) \(table.primaryKey)"
    #expect(error?.description == "\(saved): host has no value.\n\(saved): guests has no value.")
    let there = try guests.map { try context.existingObject(with: $0.objectID) }
    same.setValuesForKeys(["host": there[0], "guests": Set(there)])
    try context.save()
    // A deleted object needs none.
    context.delete(try context.existingObject(with: same.objectID))
    try context.save()
    let all = FetchRequest<ManagedObject>(entityName: entity)
    #expect(try stack.anotherContext().count(for: all) == 0)
  }
}

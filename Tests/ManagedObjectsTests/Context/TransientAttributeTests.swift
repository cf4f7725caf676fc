import ManagedObjects
import Testing

/// Attributes that exist in memory only.
@Suite struct TransientAttributeTests {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Note",
      properties: [
        .value("text", .string), .value("draft", .string, isTransient: true),
        .attribute(
          AttributeDescription(
            name: "count", type: .integer32, isTransient: true, defaultValue: .integer(3))),
      ]),
    EntityDescription(
      name: "Letter", superentityName: "Note",
      properties: [.value("address", .string), .value("stamp", .double, isTransient: true)]),
  ])
  private static let text = PropertySlot(-1, "text")
  private static let draft = PropertySlot(-1, "draft")
  private static let count = PropertySlot(-1, "count")
  private static let stamp = PropertySlot(-1, "stamp")

  @Test(arguments: Stack.allTypes)
  func `a transient value survives a save, and is never stored`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let letter = ManagedObject("Letter", in: stack.context)
    letter.setOptionalValue("kept", at: Self.text)
    letter.setOptionalValue("lost", at: Self.draft)
    letter.setOptionalValue(0.8, at: Self.stamp)
    #expect(letter.optionalValue(at: Self.count) == Int32(3))
    try stack.context.save()
    #expect(letter.optionalValue(at: Self.draft) == "lost")
    #expect(letter.optionalValue(at: Self.stamp) == 0.8)

    let context = stack.anotherContext()
    let other = try context.existingObject(with: letter.objectID)
    #expect(other.optionalValue(at: Self.text) == "kept")
    #expect(other.optionalValue(at: Self.draft) == String?.none)
    #expect(other.optionalValue(at: Self.stamp) == Double?.none)
    #expect(other.requiredValue(at: Self.count) == Int32(3))
  }

  @Test(arguments: Stack.allTypes)
  func `a rollback restores the old transient value`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let note = ManagedObject("Note", in: stack.context)
    note.setOptionalValue("first", at: Self.draft)
    try stack.context.save()
    note.setOptionalValue("second, and longer", at: Self.draft)
    #expect(stack.context.hasChanges)
    stack.context.rollback()
    #expect(note.optionalValue(at: Self.draft) == "first")
  }

  @Test func `a change of a transient value alone writes no row`() throws {
    let stack = try Stack(model: Self.model)
    let note = ManagedObject("Note", in: stack.context)
    note.setOptionalValue("text", at: Self.text)
    try stack.context.save()
    note.setOptionalValue("draft", at: Self.draft)
    try stack.context.save()
    #expect(try stack.sqlite("SELECT Z_OPT FROM ZNOTE") == "1")
    #expect(!stack.context.hasChanges)
  }
}

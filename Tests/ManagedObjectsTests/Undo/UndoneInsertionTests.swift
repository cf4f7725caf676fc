import Foundation
import Testing

@testable import ManagedObjects

/// Undoing an insertion that was saved, and deletions of objects that are linked to themselves.
@Suite struct UndoneInsertionTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Owner",
      properties: [
        .value("name", .string), .toMany("pals", "Owner", back: "pals"),
        .relationship(
          RelationshipDescription(
            name: "card", destinationEntityName: "Card", inverseName: "holder", isOptional: true,
            deleteRule: .cascade)),
        .relationship(
          RelationshipDescription(
            name: "house", destinationEntityName: "House", inverseName: nil, isOptional: true,
            deleteRule: .cascade)),
      ]),
    EntityDescription(
      name: "Card", properties: [.value("name", .string), .toOne("holder", "Owner", back: "card")]),
    EntityDescription(name: "House", properties: [.value("name", .string)]),
  ])

  private let stack: Stack
  private var context: ManagedObjectContext { stack.context }
  private let undoManager = ContextUndoManager()

  init() throws {
    stack = try Stack(model: Self.model)
    stack.context.undoManager = undoManager
  }

  private func make(_ entity: String, _ name: String) -> ManagedObject {
    let object = ManagedObject(entity, in: context)
    object.setValue(name, forKey: "name")
    return object
  }

  private func stored(_ entity: String) throws -> [ManagedObject] {
    let context = stack.anotherContext()
    stack.rereading.append(context)
    return try context.all(entity)
  }

  @Test func `a member that is undone to its stored owner is in the unread list once`() throws {
    let stack = try Stack(model: Boxes.model())
    let box = Boxes.Box(named: "box", in: stack.context)
    let things = ["first", "second"].map { Boxes.Thing(named: $0, in: stack.context) }
    things[0].setValue(box, forKey: "box")
    try stack.context.save()
    let context = stack.anotherContext()
    context.undoManager = ContextUndoManager()
    let own = try context.existingObject(with: box.objectID)
    let (one, other) = (
      try context.existingObject(with: things[0].objectID),
      try context.existingObject(with: things[1].objectID)
    )
    for (thing, owner) in [(one, nil), (one, own), (other, own), (one, nil)] {
      thing.setValue(owner, forKey: "box")
      context.processPendingChanges()
    }
    context.undo()
    let members = { own.mutableOrderedSetValue(forKey: "things").array }
    #expect(members() == [one, other])
    one.setValue(nil, forKey: "box")
    #expect(members() == [other])
  }

  @Test(arguments: ["card": "Card", "house": "House"])
  func `what the object referred to by a cascading to-one stays`(
    key: String, entity: String
  ) throws {
    let old = make(entity, "old")
    try context.save()
    undoManager.removeAllActions()
    make("Owner", "Ana").setValue(old, forKey: key)
    try context.save()
    context.undo()
    try context.save()
    #expect(try stored("Owner").isEmpty)
    #expect(try stored(entity).map { $0.value(forKey: "name") as? String } == ["old"])
  }

  @Test func `both sides of a one-to-one refer to each other again`() throws {
    let (owner, old) = (make("Owner", "Ana"), make("Card", "old"))
    owner.setValue(old, forKey: "card")
    try context.save()
    undoManager.removeAllActions()
    owner.setValue(make("Card", "new"), forKey: "card")
    try context.save()
    context.undo()
    try context.save()
    let card = try #require(try stored("Owner").first?.value(forKey: "card") as? ManagedObject)
    #expect(card.value(forKey: "name") as? String == "old")
    let holder = try #require(try stored("Card").first?.value(forKey: "holder") as? ManagedObject)
    #expect(holder.value(forKey: "name") as? String == "Ana")
    #expect(try stored("Card").count == 1)
  }

  @Test func `an object linked with itself keeps the link`() throws {
    let owner = make("Owner", "Ana")
    owner.setValue(Set([owner]), forKey: "pals")
    try context.save()
    try context.refreshAllObjects()
    undoManager.removeAllActions()
    context.delete(owner)
    context.undo()
    owner.setValue("Ben", forKey: "name")
    try context.save()
    let pals = try stored("Owner").first?.value(forKey: "pals") as? Set<ManagedObject>
    #expect(pals?.count == 1)
  }
}

import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// What remains when a context is reset or released.
@Suite struct ContextEndTests {
  @Test func `a reset clears the error of an unreadable object`() throws {
    let stack = try Stack()
    let id = try stack.dog("Fido").objectID
    let context = stack.anotherContext()
    let dog = try #require(context.object(with: id) as? Dog)
    _ = try stack.sqlite("ALTER TABLE ZDOG RENAME TO KEPT")
    #expect(dog.name.isEmpty && context.faultingError != nil)
    _ = try stack.sqlite("ALTER TABLE KEPT RENAME TO ZDOG")
    context.reset()
    #expect(context.faultingError == nil)
    let again = try #require(try context.fetch(Dog.fetchRequest()).first)
    again.targetMinutes = 5
    try context.save()
    #expect(try stack.sqlite("SELECT ZTARGETMINUTES FROM ZDOG") == "5")
  }

  @Test(arguments: Stack.allTypes)
  func `a reset releases retained objects and ends conflict detection`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10])
    let context = stack.anotherContext()
    context.retainsRegisteredObjects = true
    var events = 0
    let observation = context.observe(.objectsDidChange) { _ in events += 1 }
    defer { observation.cancel() }
    weak let dog = try context.fetch(Dog.fetchRequest()).first
    #expect(dog != nil)
    context.detectConflicts(for: try #require(dog))
    dog?.targetMinutes = 10
    context.reset()
    #expect(dog == nil && context.retainsRegisteredObjects)
    context.processPendingChanges()
    #expect(events == 0 && !context.hasChanges)
    try context.save()
    let again = try context.fetch(Dog.fetchRequest())
    #expect(again.first?.targetMinutes == nil && context.registeredObjects.count == 1)
  }

  private static let graph = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Note",
      properties: [
        .toMany("tags", "Tag", back: "notes"), .toMany("related", "Note", back: "related"),
        .toMany("others", "Note", back: nil),
      ]),
    EntityDescription(
      name: "Tag",
      properties: [
        .toMany("notes", "Note", back: "tags"), .toMany("groups", "Group", back: "owner"),
        .toOne("group", "Group", back: "members"),
      ]),
    EntityDescription(
      name: "Group",
      properties: [
        .toOne("owner", "Tag", back: "groups"),
        .toMany("members", "Tag", back: "group", isOrdered: true),
        .toMany("lines", "Line", back: "group", isOrdered: true),
      ]),
    EntityDescription(name: "Line", properties: [.toOne("group", "Group", back: "lines")]),
  ])

  @Test(arguments: Stack.allTypes)
  func `objects in a reference cycle are released with their context`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.graph)
    var context: ManagedObjectContext? = stack.anotherContext()
    // Repeated for several contexts.
    var ends: [Weak] = []
    for isRead in [false, true] {
      try autorelease {
        let current = try #require(context)
        func made(_ entity: String) throws -> ManagedObject {
          let object =
            isRead
            ? try current.fetch(FetchRequest<ManagedObject>(entityName: entity))[0]
            : ManagedObject(entity, in: current)
          ends.append(Weak(object))
          return object
        }
        let (note, tag, group) = (try made("Note"), try made("Tag"), try made("Group"))
        let line = try made("Line")
        for name in ["related", "others"] { note.mutableSetValue(forKey: name).add(note) }
        note.mutableSetValue(forKey: "tags").add(tag)
        tag.mutableSetValue(forKey: "groups").add(group)
        group.mutableOrderedSetValue(forKey: "members").add(tag)
        group.mutableOrderedSetValue(forKey: "lines").add(line)
        try current.save()
        for (object, name) in [(note, "tags"), (tag, "notes"), (tag, "groups"), (group, "members")]
        {
          #expect(object.objectIDs(forRelationshipNamed: name).count == 1)
        }
      }
      context = nil
      #expect(ends.allSatisfy { $0.object == nil })
      context = stack.anotherContext()
    }
  }

  @Test(arguments: Stack.allTypes)
  func `an object keeps a list that does not lead back to it`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20])
    var context: ManagedObjectContext? = stack.anotherContext()
    let dog = try #require(try context?.fetch(Dog.fetchRequest()).first)
    #expect(dog.minutes == [10, 20])
    context = nil
    #expect(dog.minutes == [10, 20])
  }

  private static let clubs = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Club",
      properties: [
        .relationship(
          RelationshipDescription(
            name: "members", destinationEntityName: "Member", inverseName: "clubs",
            isOptional: true, maxCount: 0, deleteRule: .cascade)),
        .toMany("friends", "Club", back: "friends"),
      ]),
    EntityDescription(name: "Member", properties: [.toMany("clubs", "Club", back: "members")]),
  ])

  /// The ways in which objects leave a context that lives on.
  enum Leaving: String, CaseIterable {
    case reset, rollback, deletion, deletionBeforeSave, deletionElsewhere, undone
  }

  @Test(arguments: Stack.allTypes, Leaving.allCases)
  func `objects in a reference cycle are released when they leave their context`(
    type: PersistentStore.StoreType, leaving: Leaving
  ) throws {
    for hasUndo in [false, true] {
      let stack = try Stack(type, model: Self.clubs)
      let context = stack.anotherContext()
      if hasUndo || leaving == .undone { context.undoManager = ContextUndoManager() }
      var ends: [Weak] = []
      try autorelease {
        let (club, other) = (ManagedObject("Club", in: context), ManagedObject("Club", in: context))
        let member = ManagedObject("Member", in: context)
        club.mutableSetValue(forKey: "members").add(member)
        other.mutableSetValue(forKey: "members").add(member)
        club.mutableSetValue(forKey: "friends").add(other)
        ends += [club, other, member].map { Weak($0) }
        if leaving == .rollback { return context.rollback() }
        if leaving == .undone { return context.undo() }
        if leaving != .deletionBeforeSave { try context.save() }
        switch leaving {
        case .reset: context.reset()
        case .deletion, .deletionBeforeSave:
          context.delete(club)
          context.delete(other)
          try context.save()
        case .deletionElsewhere:
          let another = stack.anotherContext()
          let stored = try another.fetch(FetchRequest<ManagedObject>(entityName: "Club"))
          for object in stored { another.delete(object) }
          try another.save()
          try context.save()
          for object in [club, other, member] { try context.refresh(object, mergeChanges: true) }
        case .rollback, .undone: break
        }
      }
      context.undoManager?.removeAllActions()
      try context.save()
      #expect(ends.filter { $0.object != nil }.isEmpty, "hasUndo \(hasUndo)")
    }
  }

  private func autorelease(_ body: () throws -> Void) rethrows { try body() }

  private struct Weak {
    weak var object: ManagedObject?

    init(_ object: ManagedObject) { self.object = object }
  }
}

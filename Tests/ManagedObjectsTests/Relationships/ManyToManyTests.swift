import Foundation
import ManagedObjects
import Testing

/// Relationships whose links are rows of their own.
@Suite struct ManyToManyTests {
  private static let tag = RelationshipDescription(
    name: "tags", destinationEntityName: "Tag", inverseName: "notes", isOptional: true,
    maxCount: 0, isOrdered: true)
  /// Notes with ordered tags, related notes among themselves, friends that are their own inverse,
  /// and sources without an inverse.
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Note",
      properties: [
        .attribute(AttributeDescription(name: "text", type: .string)), .relationship(tag),
        .relationship(
          RelationshipDescription(
            name: "later", destinationEntityName: "Note", inverseName: "earlier",
            isOptional: true, maxCount: 0)),
        .relationship(
          RelationshipDescription(
            name: "earlier", destinationEntityName: "Note", inverseName: "later",
            isOptional: true, maxCount: 0)),
        .relationship(
          RelationshipDescription(
            name: "friends", destinationEntityName: "Note", inverseName: "friends",
            isOptional: true, maxCount: 0)),
        .relationship(
          RelationshipDescription(
            name: "sources", destinationEntityName: "Tag", isOptional: true, maxCount: 0,
            isOrdered: true)),
      ]),
    EntityDescription(
      name: "Tag",
      properties: [
        .attribute(AttributeDescription(name: "text", type: .string)),
        .relationship(
          RelationshipDescription(
            name: "notes", destinationEntityName: "Note", inverseName: "tags", isOptional: true,
            maxCount: 0)),
      ]),
  ])

  /// Slots by name, as for a model without compiled classes.
  private static let tags = PropertySlot(-1, "tags")
  private static let notes = PropertySlot(-1, "notes")
  private static let later = PropertySlot(-1, "later")
  private static let earlier = PropertySlot(-1, "earlier")
  private static let friends = PropertySlot(-1, "friends")
  private static let sources = PropertySlot(-1, "sources")

  private func object(_ entity: String, _ text: String, in stack: Stack) -> ManagedObject {
    let object = ManagedObject(
      entity: Self.model.entitiesByName[entity]!, insertInto: stack.context)
    object.setRequiredValue(text, at: PropertySlot(-1, "text"))
    return object
  }

  /// The texts of an ordered to-many as another context reads them.
  private func texts(_ place: PropertySlot, of object: ManagedObject, in stack: Stack) throws
    -> [String]
  {
    let context = stack.anotherContext()
    let other = try context.existingObject(with: object.objectID)
    let members: OrderedSet<ManagedObject> = other.orderedToMany(at: place)
    return withExtendedLifetime(context) {
      members.map { $0.requiredValue(at: PropertySlot(-1, "text")) }
    }
  }

  @Test(arguments: Stack.allTypes)
  func `both sides of a link agree, in the context and in the store`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let note = object("Note", "note", in: stack)
    let tag = object("Tag", "tag", in: stack)
    note.add(tag, to: Self.tags)
    #expect(tag.unorderedToMany(at: Self.notes) == [note])
    try stack.context.save()
    #expect(try texts(Self.tags, of: note, in: stack) == ["tag"])
    #expect(try texts(Self.notes, of: tag, in: stack) == ["note"])

    tag.remove(note, from: Self.notes)
    #expect(note.orderedToMany(at: Self.tags).isEmpty)
    try stack.context.save()
    #expect(try texts(Self.tags, of: note, in: stack) == [])
  }

  @Test(arguments: Stack.allTypes)
  func `the order of a join is kept through appends, moves and inserts`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let note = object("Note", "note", in: stack)
    let tags = (0..<5).map { object("Tag", "\($0)", in: stack) }
    for place in [Self.tags, Self.sources] {
      for tag in tags.prefix(3) { note.add(tag, to: place) }
      try stack.context.save()
      #expect(try texts(place, of: note, in: stack) == ["0", "1", "2"])
      note.setOrderedToMany([tags[2], tags[0], tags[1]], at: place)
      try stack.context.save()
      #expect(try texts(place, of: note, in: stack) == ["2", "0", "1"])
      note.insert(tags[3], at: 1, into: place)
      note.add(tags[4], to: place)
      try stack.context.save()
      #expect(try texts(place, of: note, in: stack) == ["2", "3", "0", "1", "4"])
    }
    #expect(try texts(Self.notes, of: tags[0], in: stack) == ["note"])
  }

  @Test(arguments: Stack.allTypes)
  func `a link that is removed, added and removed while one side is unread is gone there`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let (note, tag) = (object("Note", "note", in: stack), object("Tag", "tag", in: stack))
    note.add(tag, to: Self.tags)
    try stack.context.save()
    let context = stack.anotherContext()
    let (own, other) = (
      try context.existingObject(with: note.objectID),
      try context.existingObject(with: tag.objectID)
    )
    own.remove(other, from: Self.tags)
    own.add(other, to: Self.tags)
    own.remove(other, from: Self.tags)
    #expect(other.unorderedToMany(at: Self.notes).isEmpty)
    other.setUnorderedToMany([own], at: Self.notes)
    try context.save()
    #expect(try texts(Self.tags, of: note, in: stack) == ["tag"])
  }

  @Test(arguments: [true, false])
  func `an unsaved move in an ordered list is kept by a merge`(isRefresh: Bool) throws {
    let stack = try Stack(model: Self.model)
    let note = object("Note", "note", in: stack)
    let tags = (0..<3).map { object("Tag", "\($0)", in: stack) }
    for tag in tags { note.add(tag, to: Self.tags) }
    try stack.context.save()
    stack.context.automaticallyMergesChangesFromParent = true
    note.remove(tags[0], from: Self.tags)
    note.add(tags[0], to: Self.tags)
    if isRefresh {
      try stack.context.refresh(note, mergeChanges: true)
    } else {
      let other = stack.anotherContext()
      let same = try other.existingObject(with: note.objectID)
      same.setRequiredValue("other", at: PropertySlot(-1, "text"))
      try other.save()
      stack.context.processPendingChanges()
    }
    #expect(note.orderedToMany(at: Self.tags) == OrderedSet([tags[1], tags[2], tags[0]]))
    try stack.context.save()
    #expect(try texts(Self.tags, of: note, in: stack) == ["1", "2", "0"])
  }

  @Test(arguments: Stack.allTypes)
  func `links of several deleted objects are removed with them, and others kept`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let notes = (0..<3).map { object("Note", "note \($0)", in: stack) }
    let tags = (0..<4).map { object("Tag", "\($0)", in: stack) }
    for note in notes { for tag in tags { note.add(tag, to: Self.tags) } }
    for note in notes { note.add(notes[2], to: Self.later) }
    try stack.context.save()
    for gone in [notes[0], notes[1], tags[1], tags[2]] { stack.context.delete(gone) }
    try stack.context.save()
    #expect(try texts(Self.tags, of: notes[2], in: stack) == ["0", "3"])
    let context = stack.anotherContext()
    let note = try context.existingObject(with: notes[2].objectID)
    #expect(note.unorderedToMany(at: Self.earlier) == [note])
    let tag = try context.existingObject(with: tags[0].objectID)
    #expect(tag.unorderedToMany(at: Self.notes) == [note])
  }

  @Test(arguments: Stack.allTypes)
  func `an unread side reflects changes of the other side`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let note = object("Note", "note", in: stack)
    let tags = (0..<3).map { object("Tag", "\($0)", in: stack) }
    for tag in tags.prefix(2) { note.add(tag, to: Self.tags) }
    try stack.context.save()

    let context = stack.anotherContext()
    let tag = try context.existingObject(with: tags[0].objectID)
    let third = try context.existingObject(with: tags[2].objectID)
    let same = try context.existingObject(with: note.objectID)
    tag.remove(same, from: Self.notes)
    third.add(same, to: Self.notes)
    let members: OrderedSet<ManagedObject> = same.orderedToMany(at: Self.tags)
    #expect(members.map(\.objectID) == [tags[1].objectID, tags[2].objectID])
    try context.save()
    #expect(try texts(Self.tags, of: note, in: stack) == ["1", "2"])
  }

  @Test(arguments: Stack.allTypes)
  func `relationships within one entity keep their direction, and friends have none`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let (first, second) = (object("Note", "1", in: stack), object("Note", "2", in: stack))
    first.add(second, to: Self.later)
    first.add(second, to: Self.friends)
    first.add(first, to: Self.friends)
    try stack.context.save()
    #expect(try texts(Self.later, of: first, in: stack) == ["2"])
    #expect(try texts(Self.earlier, of: first, in: stack) == [])
    #expect(try texts(Self.earlier, of: second, in: stack) == ["1"])
    #expect(try Set(texts(Self.friends, of: first, in: stack)) == ["1", "2"])
    #expect(try texts(Self.friends, of: second, in: stack) == ["1"])
    second.remove(first, from: Self.friends)
    try stack.context.save()
    #expect(try texts(Self.friends, of: first, in: stack) == ["1"])
  }

  @Test(arguments: Stack.allTypes)
  func `the links of a deleted object are removed with it`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let note = object("Note", "note", in: stack)
    let tags = (0..<3).map { object("Tag", "\($0)", in: stack) }
    for tag in tags { note.add(tag, to: Self.tags) }
    note.add(tags[0], to: Self.sources)
    try stack.context.save()
    stack.context.delete(tags[0])
    #expect(note.orderedToMany(at: Self.tags).count == 2)
    try stack.context.save()
    #expect(try texts(Self.tags, of: note, in: stack) == ["1", "2"])
    #expect(try texts(Self.sources, of: note, in: stack) == [])
  }

  @Test(arguments: Stack.allTypes)
  func `a rollback restores links and their order`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let note = object("Note", "note", in: stack)
    let tags = (0..<3).map { object("Tag", "\($0)", in: stack) }
    for tag in tags { note.add(tag, to: Self.tags) }
    try stack.context.save()
    note.setOrderedToMany([tags[2], tags[1]], at: Self.tags)
    stack.context.delete(tags[1])
    stack.context.rollback()
    #expect(note.orderedToMany(at: Self.tags) == [tags[0], tags[1], tags[2]])
    #expect(tags[0].unorderedToMany(at: Self.notes) == [note])
    #expect(!stack.context.hasChanges)
  }
}

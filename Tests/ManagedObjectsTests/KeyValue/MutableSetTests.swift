import Foundation
import ManagedObjects
import Testing

/// To-manys by name, changed in place.
@Suite struct MutableSetTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Note",
      properties: [
        .value("text", .string), .toMany("tags", "Tag", back: "notes"),
        .toMany("lines", "Line", back: "note", isOrdered: true),
        .toMany("sources", "Note", back: nil, isOrdered: true),
      ]),
    EntityDescription(
      name: "Tag", properties: [.toMany("notes", "Note", back: "tags")]),
    EntityDescription(
      name: "Line",
      properties: [.value("text", .string), .toOne("note", "Note", back: "lines")]),
  ])

  private func lines(_ count: Int, in stack: Stack) -> [ManagedObject] {
    (0..<count).map { number in
      let line = ManagedObject("Line", in: stack.context)
      line.setValue("\(number)", forKey: "text")
      return line
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a set is changed in place, on both sides`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let note = ManagedObject("Note", in: stack.context)
    let tags = (0..<4).map { _ in ManagedObject("Tag", in: stack.context) }
    let set = note.mutableSetValue(forKey: "tags")
    set.add(tags[0])
    set.add(tags[0])
    set.union(tags[1...2])
    #expect(set.count == 3 && !set.isEmpty && set.contains(tags[2]) && !set.contains(tags[3]))
    #expect(tags[1].value(forKey: "notes") as? Set<ManagedObject> == [note])
    try stack.context.save()
    set.remove(tags[0])
    set.minus([tags[1], tags[3]])
    #expect(Set(set) == [tags[2]] && tags[0].mutableSetValue(forKey: "notes").isEmpty)
    set.setSet([tags[2], tags[3]])
    set.intersect([tags[3]])
    #expect(set.allObjects == [tags[3]])
    try stack.context.save()
    let context = stack.anotherContext()
    stack.rereading.append(context)
    let again = try context.existingObject(with: note.objectID)
    #expect(again.mutableSetValue(forKey: "tags").map(\.objectID) == [tags[3].objectID])
    set.removeAllObjects()
    #expect(set.isEmpty && tags[3].mutableSetValue(forKey: "notes").isEmpty)
  }

  /// A relationship to change, with and without an inverse.
  @Test(arguments: Stack.allTypes, ["lines", "sources"])
  func `an ordered set is changed in place like an array without duplicates`(
    type: PersistentStore.StoreType, key: String
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let note = ManagedObject("Note", in: stack.context)
    let objects =
      key == "lines"
      ? lines(7, in: stack) : (0..<7).map { _ in ManagedObject("Note", in: stack.context) }
    let list = note.mutableOrderedSetValue(forKey: key)
    func expect(_ numbers: [Int], line: Int = #line) throws {
      let expected = numbers.map { objects[$0] }
      #expect(list.array == expected, "line \(line)")
      try stack.context.save()
      let context = stack.anotherContext()
      stack.rereading.append(context)
      let again = try context.existingObject(with: note.objectID)
      let stored = again.mutableOrderedSetValue(forKey: key)
      #expect(stored.map(\.objectID) == expected.map(\.objectID), "stored, line \(line)")
    }
    list.addObjects(from: objects[0...4])
    list.add(objects[0])
    try expect([0, 1, 2, 3, 4])
    list.moveObjects(at: RangeSet(0..<2), to: 3)
    try expect([2, 3, 4, 0, 1])
    list.insert(objects[5], at: 0)
    list.insert(objects[5], at: 3)
    try expect([5, 2, 3, 4, 0, 1])
    list.exchangeObject(at: 0, withObjectAt: 5)
    try expect([1, 2, 3, 4, 0, 5])
    list.replaceObject(at: 1, with: objects[6])
    list[0] = objects[0]
    try expect([0, 6, 3, 4, 5])
    #expect(list.index(of: objects[3]) == 2 && list[3] === objects[4] && list.count == 5)
    #expect(list.contains(objects[5]) && !list.contains(objects[1]))
    list.removeObjects(at: RangeSet([0..<1, 2..<4]))
    try expect([6, 5])
    list.setArray([objects[3], objects[6], objects[3], objects[5]])
    try expect([3, 6, 5])
    list.removeObject(at: 0)
    list.remove(objects[0])
    try expect([6, 5])
    let places = Dictionary(uniqueKeysWithValues: objects.enumerated().map { ($1, $0) })
    list.sort { places[$0]! < places[$1]! }
    try expect([5, 6])
    list.removeAllObjects()
    try expect([])
  }

  @Test(arguments: Stack.allTypes)
  func `members taken from another list leave it`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: Self.model)
    let (one, other) = (
      ManagedObject("Note", in: stack.context), ManagedObject("Note", in: stack.context)
    )
    let lines = lines(3, in: stack)
    let (mine, theirs) = (
      one.mutableOrderedSetValue(forKey: "lines"), other.mutableOrderedSetValue(forKey: "lines")
    )
    mine.setArray(lines)
    theirs.insert(lines[1], at: 0)
    #expect(mine.array == [lines[0], lines[2]] && theirs.array == [lines[1]])
    one.setValue(theirs, forKey: "lines")
    #expect(mine.array == [lines[1]] && theirs.isEmpty && lines[0].value(forKey: "note") == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `deleted members leave a list without an inverse, whatever was added since`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Self.model)
    let notes = (0..<4).map { _ in ManagedObject("Note", in: stack.context) }
    let sources = notes[0].mutableOrderedSetValue(forKey: "sources")
    sources.add(notes[1])
    sources.add(notes[2])
    try stack.context.save()
    stack.context.delete(notes[1])
    sources.add(notes[3])
    sources.remove(notes[2])
    #expect(Array(sources) == [notes[3]])
    try stack.context.save()
    let context = stack.anotherContext()
    let again = try context.existingObject(with: notes[0].objectID)
    #expect(
      again.objectIDs(forRelationshipNamed: "sources").map(\.primaryKey)
        == [notes[3].objectID.primaryKey])
  }
}

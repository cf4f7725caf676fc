import DogWalkModel
import ManagedObjects
import Testing

/// Rows that prove to be of another entity than an object was assumed to have: one with so many
/// attributes that its rows are laid out differently.
@Suite struct MistakenEntityTests {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Thing",
      properties: [
        .value("name", .string), .toOne("box", "Box", back: "things"),
        .toMany("parts", "Thing", back: "whole"), .toOne("whole", "Thing", back: "parts"),
      ]),
    EntityDescription(
      name: "WideThing", superentityName: "Thing",
      properties: (0..<140).map { .value("a\(100 + $0)", $0 % 2 == 0 ? .string : .integer64) }),
    EntityDescription(name: "Box", properties: [.toMany("things", "Thing", back: "box")]),
  ])

  /// A wide thing in a box, and a context that assumed it to be a thing before reading it.
  private func mistake(
    _ type: PersistentStore.StoreType
  ) throws -> (stack: Stack, wide: ManagedObject, context: ManagedObjectContext, ManagedObject) {
    let stack = try Stack(type, model: Self.model)
    let coordinator = stack.container.persistentStoreCoordinator
    let id = try #require(
      coordinator.managedObjectID(
        entityName: "Thing", primaryKey: type.firstKey, in: coordinator.persistentStores[0]))
    let context = stack.anotherContext()
    stack.rereading.append(context)
    let mistaken = context.object(with: id)
    #expect(mistaken.entity.name == "Thing" && mistaken.isFault)
    let wide = ManagedObject("WideThing", in: stack.context)
    for number in 0..<140 {
      wide.setValue(number % 2 == 0 ? "text \(number)" : number as Any, forKey: "a\(100 + number)")
    }
    wide.setValue("wide", forKey: "name")
    wide.setValue(ManagedObject("Box", in: stack.context), forKey: "box")
    try stack.context.save()
    #expect(wide.objectID == id)
    return (stack, wide, context, mistaken)
  }

  /// Whether a context has all of the wide thing.
  private func isWhole(_ context: ManagedObjectContext) throws -> Bool {
    let found = try context.fetch(FetchRequest<ManagedObject>(entityName: "Thing"))
    return found.count == 1 && found[0].entity.name == "WideThing"
      && found[0].value(forKey: "a238") as? String == "text 138"
      && found[0].value(forKey: "a239") as? Int64 == 139
  }

  @Test(arguments: Stack.allTypes.filter(\.resolvesSuperentities))
  func `reading a value`(type: PersistentStore.StoreType) throws {
    var (stack, _, context, mistaken):
      (Stack, ManagedObject, ManagedObjectContext, ManagedObject?) =
        try mistake(type)
    defer { withExtendedLifetime(stack) {} }
    #expect(mistaken?.value(forKey: "name") == nil)
    #expect(mistaken?.managedObjectContext == nil)
    mistaken = nil
    #expect(try isWhole(context))
  }

  @Test(arguments: Stack.allTypes.filter(\.resolvesSuperentities))
  func `firing faults, one by one and in a batch`(type: PersistentStore.StoreType) throws {
    let (stack, _, context, mistaken) = try mistake(type)
    defer { withExtendedLifetime(stack) {} }
    try context.fireFaults([mistaken])
    #expect(try isWhole(context))
    let (otherStack, _, other, again) = try mistake(type)
    defer { withExtendedLifetime(otherStack) {} }
    var request = FetchRequest<ManagedObject>(entityName: "Thing")
    request.fetchBatchSize = 1
    let found = try other.fetch(request)
    #expect(found.map { $0.value(forKey: "a100") as? String } == ["text 0"])
    #expect(again.value(forKey: "name") == nil)
  }

  @Test(arguments: Stack.allTypes.filter(\.resolvesSuperentities))
  func `merging and refreshing`(type: PersistentStore.StoreType) throws {
    let (stack, wide, context, mistaken) = try mistake(type)
    defer { withExtendedLifetime(stack) {} }
    try context.mergeChanges(from: ChangedObjectIDs(inserted: [wide.objectID]))
    try context.refresh(mistaken, mergeChanges: true)
    #expect(try isWhole(context))
    let (second, _, other, again) = try mistake(type)
    defer { withExtendedLifetime(second) {} }
    let box = try #require(
      try other.fetch(FetchRequest<ManagedObject>(entityName: "Box")).first)
    #expect(box.mutableSetValue(forKey: "things").count == 1)
    let another = ManagedObject("WideThing", in: second.context)
    another.setValue(second.context.object(with: box.objectID), forKey: "box")
    try second.context.save()
    try other.mergeChanges(from: ChangedObjectIDs(inserted: [another.objectID]))
    #expect(box.mutableSetValue(forKey: "things").count == 2)
    #expect(again.value(forKey: "name") == nil)
  }

  @Test(arguments: Stack.allTypes.filter(\.resolvesSuperentities))
  func `evaluating an unsaved object by what it is related to`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type, model: Self.model)
    let part = ManagedObject("Thing", in: stack.context)
    part.setValue("part", forKey: "name")
    part.setValue(ManagedObject("WideThing", in: stack.context), forKey: "whole")
    try stack.context.save()
    let context = stack.anotherContext()
    let same = try context.existingObject(with: part.objectID)
    same.setValue("changed", forKey: "name")
    // Of the wide thing only the key is known, and that a thing is at the other end.
    var request = FetchRequest<ManagedObject>(entityName: "Thing")
    request.predicate = try FetchPredicate(format: "ANY whole.parts.name == 'changed'")
    #expect(try context.fetch(request) == [same])
    #expect(try [same].filtered(using: #require(request.predicate)) == [same])
  }

  @Test(arguments: Stack.allTypes.filter(\.resolvesSuperentities))
  func `reading through a parent`(type: PersistentStore.StoreType) throws {
    let (stack, wide, _, _) = try mistake(type)
    let coordinator = stack.container.persistentStoreCoordinator
    let next = try #require(
      coordinator.managedObjectID(
        entityName: "Thing", primaryKey: type.secondKey, in: coordinator.persistentStores[0]))
    let parent = stack.anotherContext()
    let child = ManagedObjectContext(parent: parent)
    let mistaken = child.object(with: next)
    let second = ManagedObject("WideThing", in: stack.context)
    second.setValue(wide, forKey: "whole")
    try stack.context.save()
    #expect(second.objectID == next && mistaken.value(forKey: "name") == nil)
    let whole = child.object(with: wide.objectID)
    #expect(whole.objectIDs(forRelationshipNamed: "parts") == [next])
    #expect(child.object(with: next).entity.name == "WideThing")
  }
}

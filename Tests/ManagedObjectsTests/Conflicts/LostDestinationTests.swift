import Foundation
import ManagedObjects
import Testing

/// A relationship's destination has to exist when it is saved.
@Suite struct LostDestinationTests {
  private typealias Rivalry = DeletionRaceTests.Rivalry

  /// An object that a relationship leads to, and that another context deletes.
  private struct Loss {
    let stack: Stack
    let context: ManagedObjectContext
    let box: Boxes.Box
    let thing: Boxes.Thing
    let maker: Boxes.Maker
    let label: Boxes.Label
    private let container: PersistentContainer

    init(_ rivalry: Rivalry) throws {
      stack = try Stack(
        rivalry == .contextInMemory ? .inMemory : .sqlite, model: Boxes.model())
      context = stack.context
      box = Boxes.Box(named: "box", in: context)
      thing = Boxes.Thing(named: "thing", in: context)
      maker = Boxes.Maker(named: "maker", in: context)
      label = Boxes.Label(named: "label", in: context)
      try context.save()
      container = rivalry == .container ? try stack.anotherContainer() : stack.container
    }

    func delete(_ object: ManagedObject) throws {
      let rival = container.newBackgroundContext()
      rival.delete(try rival.existingObject(with: object.objectID))
      try rival.save()
    }

    func expectConflict(
      with object: ManagedObject, _ location: SourceLocation = #_sourceLocation
    ) {
      let error = #expect(throws: ConflictError.self, sourceLocation: location) {
        try context.save()
      }
      #expect(error?.objectID == object.objectID, sourceLocation: location)
    }
  }

  @Test(arguments: DeletionRaceTests.Rivalry.allCases)
  func `a new to-one without an inverse to a deleted object is a conflict`(
    rivalry: DeletionRaceTests.Rivalry
  ) throws {
    let loss = try Loss(rivalry)
    loss.thing.maker = loss.maker
    try loss.delete(loss.maker)
    loss.expectConflict(with: loss.maker)
    loss.context.rollback()
    #expect(loss.thing.maker == nil)
    Boxes.Thing(named: "new", in: loss.context).maker = loss.maker
    loss.expectConflict(with: loss.maker)
  }

  @Test(arguments: DeletionRaceTests.Rivalry.allCases)
  func `a stored to-one to a deleted object is not a conflict`(rivalry: DeletionRaceTests.Rivalry)
    throws
  {
    let loss = try Loss(rivalry)
    loss.thing.maker = loss.maker
    try loss.context.save()
    try loss.delete(loss.maker)
    loss.thing.name = "renamed"
    try loss.context.save()
    #expect(try loss.stack.reread(Boxes.Thing.self).map(\.name) == ["renamed"])
  }

  @Test(arguments: DeletionRaceTests.Rivalry.allCases)
  func `a deleted owner is a conflict`(rivalry: DeletionRaceTests.Rivalry) throws {
    let loss = try Loss(rivalry)
    loss.thing.box = loss.box
    try loss.delete(loss.box)
    loss.expectConflict(with: loss.box)
  }

  @Test(arguments: DeletionRaceTests.Rivalry.allCases)
  func `a deleted object at the other end of a link is a conflict`(
    rivalry: DeletionRaceTests.Rivalry
  ) throws {
    let loss = try Loss(rivalry)
    loss.box.labels = [loss.label]
    try loss.delete(loss.label)
    loss.expectConflict(with: loss.label)
  }

  @Test(arguments: DeletionRaceTests.Rivalry.allCases)
  func `so is one whose link has no inverse`(rivalry: DeletionRaceTests.Rivalry) throws {
    let loss = try Loss(rivalry)
    loss.box.guests = [loss.thing]
    try loss.delete(loss.thing)
    loss.expectConflict(with: loss.thing)
  }

  @Test(
    arguments: DeletionRaceTests.Rivalry.allCases,
    [MergePolicy.MergePolicyType.mergeByPropertyStoreTrump, .rollback])
  func `a policy for the store clears the relationship`(
    rivalry: DeletionRaceTests.Rivalry, policy: MergePolicy.MergePolicyType
  ) throws {
    let loss = try Loss(rivalry)
    loss.context.mergePolicy = MergePolicy(policy)
    let new = Boxes.Thing(named: "new", in: loss.context)
    (new.maker, loss.thing.maker) = (loss.maker, loss.maker)
    loss.box.guests = [loss.thing, new]
    try loss.delete(loss.maker)
    try loss.context.save()
    let things = try loss.stack.reread(Boxes.Thing.self)
    #expect(things.map(\.maker?.name) == [nil, nil])
    loss.box.guests = []
    try loss.context.save()
    loss.box.guests = [loss.thing, new]
    try loss.delete(loss.thing)
    try loss.context.save()
    #expect(try loss.stack.reread(Boxes.Box.self).first?.guests.map(\.name) == ["new"])
  }

  @Test(
    arguments: DeletionRaceTests.Rivalry.allCases,
    [MergePolicy.MergePolicyType.mergeByPropertyObjectTrump, .overwrite])
  func `a policy for the object inserts the destination again`(
    rivalry: DeletionRaceTests.Rivalry, policy: MergePolicy.MergePolicyType
  ) throws {
    let loss = try Loss(rivalry)
    loss.context.mergePolicy = MergePolicy(policy)
    loss.thing.maker = loss.maker
    try loss.delete(loss.maker)
    try loss.context.save()
    #expect(try loss.stack.reread(Boxes.Thing.self).map(\.maker?.name) == ["maker"])
  }

  @Test(
    arguments: DeletionRaceTests.Rivalry.allCases,
    [
      MergePolicy.MergePolicyType.mergeByPropertyObjectTrump, .overwrite,
      .mergeByPropertyStoreTrump, .rollback,
    ])
  func `a destination that was never read cannot be inserted again`(
    rivalry: DeletionRaceTests.Rivalry, policy: MergePolicy.MergePolicyType
  ) throws {
    let loss = try Loss(rivalry)
    let context = loss.stack.anotherContext()
    context.mergePolicy = MergePolicy(policy)
    let new = Boxes.Thing(named: "new", in: context)
    new.maker = context.object(with: loss.maker.objectID) as? Boxes.Maker
    new.box = context.object(with: loss.box.objectID) as? Boxes.Box
    try loss.delete(loss.maker)
    try loss.delete(loss.box)
    try context.save()
    let stored = try #require(try loss.stack.reread(Boxes.Thing.self).last)
    #expect(stored.name == "new" && stored.maker == nil && stored.box == nil)
    #expect(try loss.stack.reread(Boxes.Maker.self).isEmpty)
  }

  @Test(arguments: DeletionRaceTests.Rivalry.allCases)
  func `rows of a batch need existing owners`(rivalry: DeletionRaceTests.Rivalry) throws {
    let loss = try Loss(rivalry)
    try loss.delete(loss.box)
    let request = BatchInsertRequest(
      entityName: "Thing",
      objects: [["name": .string("new"), "box": .uri(loss.box.objectID.uriRepresentation())]])
    let error = #expect(throws: ConflictError.self) { try loss.context.execute(request) }
    #expect(error?.objectID == loss.box.objectID)
    #expect(try loss.stack.reread(Boxes.Thing.self).count == 1)
  }

  @Test(arguments: Stack.allTypes)
  func `an object that the same save inserts or deletes is not a conflict`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type, model: Boxes.model(things: .noAction))
    let box = Boxes.Box(named: "box", in: stack.context)
    try stack.context.obtainPermanentIDs(for: [box])
    let thing = Boxes.Thing(named: "thing", in: stack.context)
    thing.box = box
    try stack.context.save()
    let other = Boxes.Box(named: "other", in: stack.context)
    try stack.context.save()
    thing.box = other
    stack.context.delete(other)
    try stack.context.save()
    #expect(try stack.reread(Boxes.Box.self).map(\.name) == ["box"])
  }

  @Test(arguments: Stack.allTypes)
  func `no link remains to an object that the same save deletes`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type, model: Boxes.model())
    let context = stack.context
    let box = Boxes.Box(named: "box", in: context)
    let (old, kept) = (
      Boxes.Thing(named: "old", in: context), Boxes.Thing(named: "kept", in: context)
    )
    try context.save()
    let new = Boxes.Thing(named: "new", in: context)
    box.guests = [old, kept, new]
    context.delete(old)
    context.delete(new)
    try context.save()
    #expect(try stack.reread(Boxes.Box.self)[0].guests.map(\.name) == ["kept"])
    guard type == .sqlite else { return }
    #expect(try stack.sqlite("SELECT count(*) FROM Z_1GUESTS") == "1")
  }
}

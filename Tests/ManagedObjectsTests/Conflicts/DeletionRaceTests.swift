import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Delete rules apply to the rows as they are when the deletion is saved, not as they were when
/// it was requested.
@Suite struct DeletionRaceTests {
  enum Rivalry: CaseIterable {
    case contextInMemory, context, container, contextOnServer

    static var allCases: [Rivalry] {
      [.contextInMemory, .context, .container] + (Stack.server == nil ? [] : [.contextOnServer])
    }

    var storeType: PersistentStore.StoreType {
      switch self {
      case .contextInMemory: .inMemory
      case .context, .container: .sqlite
      case .contextOnServer: .postgreSQL
      }
    }
  }

  /// A box with a thing and a label, read by two contexts; ours deletes it after reading its lists.
  private struct Race {
    let stack: Stack
    let context: ManagedObjectContext
    let box: Boxes.Box
    let rival: ManagedObjectContext
    let rivalBox: Boxes.Box
    // Contexts do not retain their container.
    private let container: PersistentContainer

    init(
      _ rivalry: Rivalry, _ model: ManagedObjectModel = Boxes.model(),
      undoManager: ContextUndoManager? = nil
    ) throws {
      stack = try Stack(rivalry.storeType, model: model)
      context = stack.context
      box = Boxes.Box(named: "box", in: context)
      box.things = [Boxes.Thing(named: "one", in: context)]
      box.labels = [Boxes.Label(named: "red", in: context)]
      try context.save()
      context.undoManager = undoManager
      container = rivalry == .container ? try stack.anotherContainer() : stack.container
      rival = container.newBackgroundContext()
      rivalBox = try #require(try rival.existingObject(with: box.objectID) as? Boxes.Box)
      #expect(rivalBox.things.count == 1 && rivalBox.labels.count == 1)
      context.delete(box)
    }

    /// The stored names of an entity's objects.
    func names<Object: Boxes.Named>(of type: Object.Type) throws -> [String] {
      try stack.reread(type).map { $0.name ?? "" }.sorted()
    }
  }

  // MARK: Members added by other contexts

  @Test(arguments: Rivalry.allCases)
  func `cascade reaches a member added meanwhile, and calls its life-cycle methods`(
    rivalry: Rivalry
  ) throws {
    let race = try Race(rivalry)
    race.rivalBox.things.append(Boxes.Thing(named: "two", in: race.rival))
    try race.rival.save()
    var deleted: [String] = []
    let observation = race.context.observe(.didSave) { changes in
      deleted = changes.deleted.compactMap { ($0 as? Boxes.Named)?.name }
    }
    try race.context.save()
    withExtendedLifetime(observation) {}
    #expect(try race.names(of: Boxes.Box.self).isEmpty)
    #expect(try race.names(of: Boxes.Thing.self).isEmpty)
    #expect(Set(deleted.dropFirst()) == ["one", "two"])
    // Each one's `prepareForDeletion` was called while the box still existed.
    #expect(race.box.name == "box -one -two")
    #expect(!race.context.hasChanges)
  }

  @Test(arguments: Rivalry.allCases)
  func `cascade continues from members added meanwhile`(rivalry: Rivalry) throws {
    let race = try Race(rivalry)
    let inner = Boxes.Box(named: "inner", in: race.rival)
    inner.outer = race.rivalBox
    inner.things = [Boxes.Thing(named: "deep", in: race.rival)]
    Boxes.Box(named: "innermost", in: race.rival).outer = inner
    try race.rival.save()
    try race.context.save()
    #expect(try race.names(of: Boxes.Box.self).isEmpty)
    #expect(try race.names(of: Boxes.Thing.self).isEmpty)
    #expect(try race.names(of: Boxes.Label.self) == ["red"])
  }

  @Test(arguments: Rivalry.allCases)
  func `nullify clears the owner of a member added meanwhile`(rivalry: Rivalry) throws {
    let race = try Race(rivalry, Boxes.model(things: .nullify))
    race.rivalBox.things.append(Boxes.Thing(named: "two", in: race.rival))
    try race.rival.save()
    try race.context.save()
    let things = try race.stack.reread(Boxes.Thing.self)
    #expect(things.map(\.name) == ["one", "two"] && things.allSatisfy { $0.box == nil })
    guard rivalry.storeType == .sqlite else { return }
    #expect(
      try race.stack.sqlite("SELECT group_concat(Z_OPT) FROM ZTHING WHERE ZBOX IS NULL") == "2,2")
  }

  @Test(arguments: Rivalry.allCases)
  func `a member that requires its owner prevents the deletion`(rivalry: Rivalry) throws {
    let race = try Race(rivalry, Boxes.model(things: .nullify, isBoxRequired: true))
    for thing in race.box.things { race.context.delete(thing) }
    race.rivalBox.things.append(Boxes.Thing(named: "two", in: race.rival))
    try race.rival.save()
    let error = #expect(throws: ValidationError.self) { try race.context.save() }
    #expect(error?.failures.map(\.property) == ["box"])
    #expect(try race.names(of: Boxes.Box.self) == ["box"])
  }

  @Test(arguments: Rivalry.allCases)
  func `deny refuses because of a member added meanwhile, until it is gone`(rivalry: Rivalry) throws
  {
    let race = try Race(rivalry, Boxes.model(things: .deny))
    race.context.delete(race.box.things[0])
    race.rivalBox.things.append(Boxes.Thing(named: "two", in: race.rival))
    try race.rival.save()
    let error = #expect(throws: ValidationError.self) { try race.context.save() }
    #expect(error?.failures.map(\.reason) == [.deleteDenied])
    #expect(error?.failures.map(\.property) == ["things"])
    #expect(try race.names(of: Boxes.Thing.self) == ["one", "two"])
    #expect(race.box.isDeleted && race.context.hasChanges)
    race.rival.delete(race.rivalBox.things[1])
    try race.rival.save()
    try race.context.refreshAllObjects()
    try race.context.save()
    #expect(try race.names(of: Boxes.Box.self).isEmpty)
  }

  @Test(arguments: Rivalry.allCases)
  func `no action ignores a member added meanwhile`(rivalry: Rivalry) throws {
    let race = try Race(rivalry, Boxes.model(things: .noAction))
    race.rivalBox.things.append(Boxes.Thing(named: "two", in: race.rival))
    try race.rival.save()
    try race.context.save()
    #expect(try race.names(of: Boxes.Thing.self) == ["one", "two"])
  }

  @Test(arguments: Rivalry.allCases)
  func `a member moved in meanwhile is included too`(rivalry: Rivalry) throws {
    let race = try Race(rivalry)
    Boxes.Thing(named: "loose", in: race.rival).box = race.rivalBox
    let other = Boxes.Box(named: "other", in: race.rival)
    other.things = [Boxes.Thing(named: "guest", in: race.rival)]
    try race.rival.save()
    other.things[0].box = race.rivalBox
    try race.rival.save()
    try race.context.save()
    #expect(try race.names(of: Boxes.Box.self) == ["other"])
    #expect(try race.names(of: Boxes.Thing.self).isEmpty)
  }

  @Test(arguments: Rivalry.allCases, [false, true])
  func `a member moved out meanwhile stays`(rivalry: Rivalry, isRead: Bool) throws {
    let race = try Race(rivalry)
    race.context.rollback()
    let second = Boxes.Thing(named: "two", in: race.context)
    race.box.things.append(second)
    try race.context.save()
    // Its owner's list is known, and it is no longer read, or is read again later than the list.
    let thing = race.box.things[0]
    for member in race.box.things { try race.context.refresh(member, mergeChanges: false) }
    race.rivalBox.things[0].box = Boxes.Box(named: "other", in: race.rival)
    try race.rival.save()
    if isRead { #expect(thing.name == "one" && second.name == "two") }
    race.context.delete(race.box)
    try race.context.save()
    #expect(try race.names(of: Boxes.Box.self) == ["other"])
    #expect(try race.stack.reread(Boxes.Thing.self).map(\.box?.name) == ["other"])
    #expect(thing.box?.name == "other")
  }

  @Test(arguments: Rivalry.allCases)
  func `a member moved in is deleted too, though its own row was read before`(rivalry: Rivalry)
    throws
  {
    let race = try Race(rivalry)
    race.context.rollback()
    let other = Boxes.Box(named: "other", in: race.rival)
    other.things = [Boxes.Thing(named: "guest", in: race.rival)]
    try race.rival.save()
    let guest = try #require(
      try race.context.existingObject(with: other.things[0].objectID) as? Boxes.Thing)
    #expect(guest.box?.name == "other")
    other.things[0].box = race.rivalBox
    try race.rival.save()
    try race.context.refresh(race.box, mergeChanges: false)
    #expect(race.box.things.count == 2)
    race.context.mergePolicy = .mergeByPropertyObjectTrump
    race.context.delete(race.box)
    try race.context.save()
    #expect(try race.names(of: Boxes.Box.self) == ["other"])
    #expect(try race.names(of: Boxes.Thing.self).isEmpty)
  }

  // MARK: Links made by other contexts

  @Test(arguments: Rivalry.allCases)
  func `cascade over links reaches an object linked meanwhile`(rivalry: Rivalry) throws {
    let race = try Race(rivalry, Boxes.model(labels: .cascade))
    race.rivalBox.labels.insert(Boxes.Label(named: "blue", in: race.rival))
    try race.rival.save()
    try race.context.save()
    #expect(try race.names(of: Boxes.Label.self).isEmpty)
  }

  @Test(arguments: Rivalry.allCases)
  func `cascade over links spares an object that another context has unlinked`(rivalry: Rivalry)
    throws
  {
    let race = try Race(rivalry, Boxes.model(labels: .cascade))
    race.context.rollback()
    #expect(race.box.labels.count == 1)
    race.context.mergePolicy = .mergeByPropertyObjectTrump
    race.rivalBox.labels = [Boxes.Label(named: "blue", in: race.rival)]
    try race.rival.save()
    race.context.delete(race.box)
    try race.context.save()
    #expect(try race.names(of: Boxes.Box.self).isEmpty)
    #expect(try race.names(of: Boxes.Label.self) == ["red"])
  }

  @Test(arguments: Rivalry.allCases)
  func `a link that another context removes after the deletion is a conflict`(rivalry: Rivalry)
    throws
  {
    let race = try Race(rivalry, Boxes.model(labels: .cascade))
    race.rivalBox.labels = []
    try race.rival.save()
    let error = #expect(throws: ConflictError.self) { try race.context.save() }
    #expect(error?.objectIDs.contains(race.box.objectID) == true)
    #expect(try race.names(of: Boxes.Label.self) == ["red"])
    race.context.rollback()
    race.context.delete(race.box)
    try race.context.save()
    #expect(try race.names(of: Boxes.Box.self).isEmpty)
    #expect(try race.names(of: Boxes.Label.self) == ["red"])
  }

  @Test(arguments: Rivalry.allCases)
  func `a label that another context deletes after the deletion is resolved by a policy`(
    rivalry: Rivalry
  )
    throws
  {
    let race = try Race(rivalry, Boxes.model(labels: .cascade))
    race.rival.delete(race.rivalBox.labels.first!)
    try race.rival.save()
    race.context.mergePolicy = .mergeByPropertyObjectTrump
    try race.context.save()
    #expect(try race.names(of: Boxes.Box.self).isEmpty)
    #expect(try race.names(of: Boxes.Label.self).isEmpty)
  }

  @Test(arguments: Rivalry.allCases)
  func `a link that was removed before is ignored`(rivalry: Rivalry) throws {
    for rule in [Boxes.Rule.cascade, .deny] {
      let race = try Race(rivalry, Boxes.model(labels: rule))
      race.context.rollback()
      race.box.labels = []
      race.context.delete(race.box)
      try race.context.save()
      #expect(try race.names(of: Boxes.Label.self) == ["red"])
    }
  }

  @Test(arguments: Rivalry.allCases)
  func `deny over links refuses because of an object linked meanwhile`(rivalry: Rivalry) throws {
    let race = try Race(rivalry, Boxes.model(labels: .deny))
    for label in race.box.labels { race.context.delete(label) }
    race.rivalBox.labels.insert(Boxes.Label(named: "blue", in: race.rival))
    try race.rival.save()
    let error = #expect(throws: ValidationError.self) { try race.context.save() }
    #expect(error?.failures.map(\.property) == ["labels"])
    #expect(try race.names(of: Boxes.Label.self) == ["blue", "red"])
  }

  @Test(arguments: Rivalry.allCases)
  func `nullify over links removes a link made meanwhile`(rivalry: Rivalry) throws {
    let race = try Race(rivalry)
    race.rivalBox.labels.insert(Boxes.Label(named: "blue", in: race.rival))
    try race.rival.save()
    try race.context.save()
    let labels = try race.stack.reread(Boxes.Label.self)
    #expect(labels.count == 2 && labels.allSatisfy { $0.boxes.isEmpty })
    guard rivalry.storeType == .sqlite else { return }
    #expect(try race.stack.sqlite("SELECT count(*) FROM Z_1LABELS") == "0")
  }

  // MARK: Further cases

  @Test(arguments: Rivalry.allCases)
  func `undo also restores members added meanwhile`(rivalry: Rivalry) throws {
    let race = try Race(rivalry, undoManager: ContextUndoManager())
    race.rivalBox.things.append(Boxes.Thing(named: "two", in: race.rival))
    try race.rival.save()
    try race.context.save()
    race.context.undo()
    #expect(race.box.things.map(\.name) == ["one", "two"])
    try race.context.save()
    #expect(try race.stack.reread(Boxes.Box.self).first?.things.map(\.name) == ["one", "two"])
    race.context.redo()
    try race.context.save()
    #expect(try race.names(of: Boxes.Thing.self).isEmpty)
  }

  @Test(arguments: Rivalry.allCases)
  func `a deletion saved by a child follows the same rules`(rivalry: Rivalry) throws {
    let race = try Race(rivalry)
    race.context.rollback()
    let child = ManagedObjectContext(parent: race.context)
    child.delete(child.object(with: race.box.objectID))
    try child.save()
    race.rivalBox.things.append(Boxes.Thing(named: "two", in: race.rival))
    try race.rival.save()
    try race.context.save()
    #expect(try race.names(of: Boxes.Thing.self).isEmpty)
  }

  @Test func `inside performWriting no other context can interfere`() throws {
    let race = try Race(.container)
    race.rivalBox.things.append(Boxes.Thing(named: "two", in: race.rival))
    try race.rival.save()
    try race.context.performWriting { try race.context.save() }
    #expect(try race.names(of: Boxes.Thing.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `the undo log includes members added meanwhile`(type: PersistentStore.StoreType) throws {
    guard type == .sqlite else { return }
    let folder = try StoreFolder()
    let container = try folder.open { $0.undoLogLimit = 10 }
    let log = try #require(
      container.persistentStoreCoordinator.undoLog(of: container.persistentStore))
    try folder.save("Fido", minutes: [10])
    let context = container.newBackgroundContext()
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    context.delete(dog)
    try folder.save("Fido", minutes: [20])
    try context.save()
    #expect(try folder.contents().isEmpty)
    try log.undo()
    #expect(try folder.contents() == ["Fido": [10, 20]])
  }

  @Test(arguments: Stack.allTypes)
  func `concurrent batch deletions and insertions leave nothing behind`(
    type: PersistentStore.StoreType
  ) async throws {
    let stack = try Stack(type, model: Boxes.model(labels: .cascade))
    let count = 6
    let containers = try (0..<2).map { _ in
      type.isFile ? try stack.anotherContainer() : stack.container
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let context = containers[0].newBackgroundContext()
        for number in 0..<count {
          let box = Boxes.Box(named: "\(number)", in: context)
          try context.save()
          for thing in 0..<4 {
            box.things.append(Boxes.Thing(named: "\(thing)", in: context))
            box.labels.insert(Boxes.Label(named: "\(thing)", in: context))
            // The box may be gone: then nothing of it is to be saved.
            do { try context.save() } catch is ConflictError { context.rollback() }
          }
        }
      }
      group.addTask {
        let context = containers[1].newBackgroundContext()
        for _ in 0..<count * 3 {
          _ = try context.execute(
            BatchDeleteRequest(fetchRequest: FetchRequest<Boxes.Box>(entityName: "Box")))
        }
      }
      try await group.waitForAll()
    }
    let boxes = try stack.reread(Boxes.Box.self)
    let things = try stack.reread(Boxes.Thing.self)
    #expect(boxes.flatMap(\.things).count == things.count)
    #expect(try stack.reread(Boxes.Label.self).allSatisfy { !$0.boxes.isEmpty })
  }
}

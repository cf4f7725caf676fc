import Foundation
import ManagedObjects
import TestSupport
import Testing

/// Random work by several contexts on the same rows: nothing dangles, and what saves report is
/// what is stored.
///
/// `STEPS=20000 SEED=… swift test --filter RandomRaceTests` for a long run.
@Suite struct RandomRaceTests {
  private static let steps =
    ProcessInfo.processInfo.environment["STEPS"].flatMap { Int($0) } ?? 60

  @Test(arguments: Stack.allTypes)
  func `rows of several writers stay consistent`(type: PersistentStore.StoreType)
    async throws
  {
    let seed = SeededGenerator.seed()
    let stack = try Stack(type, model: Boxes.model(labels: .cascade))
    for number in 0..<4 { _ = Boxes.Box(named: "\(number)", in: stack.context) }
    try stack.context.save()
    var counts = try await withThrowingTaskGroup(of: [String: Int].self) { group in
      for writer in 0..<3 {
        // With files, each writer has a connection of its own, as a process does.
        let container = type.isFile ? try stack.anotherContainer() : stack.container
        group.addTask {
          var work = RaceWork(container, seed: seed &+ UInt64(writer))
          for _ in 0..<Self.steps { try work.step() }
          return work.counts.counts
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
    counts["Box", default: 0] += 4
    try check(stack, counts, "SEED=\(seed)")
  }

  /// Makes sure that relationships lead to existing rows, from both sides, and that there are as
  /// many as the saves reported.
  private func check(_ stack: Stack, _ counts: [String: Int], _ seed: Comment) throws {
    let boxes = try stack.reread(Boxes.Box.self)
    let things = try stack.reread(Boxes.Thing.self)
    let labels = try stack.reread(Boxes.Label.self)
    #expect(boxes.count == counts["Box"], seed)
    #expect(things.count == counts["Thing"], seed)
    #expect(labels.count == counts["Label"], seed)
    // Reading an object whose row is gone detaches it from its context.
    for thing in things {
      #expect(thing.box.map { $0.name != nil && $0.managedObjectContext != nil } != false, seed)
      #expect(thing.maker.map { $0.name != nil } != false, seed)
    }
    #expect(boxes.flatMap(\.things).count == things.count { $0.box != nil }, seed)
    #expect(
      boxes.reduce(0) { $0 + $1.labels.count } == labels.reduce(0) { $0 + $1.boxes.count }, seed)
    guard stack.container.persistentStore.type == .sqlite else { return }
    for (table, column, other) in [
      ("ZTHING", "ZBOX", "ZBOX"), ("ZBOX", "ZOUTER", "ZBOX"), ("ZTHING", "ZMAKER", "ZMAKER"),
      ("Z_1LABELS", "Z_1BOXES", "ZBOX"), ("Z_1LABELS", "Z_2LABELS", "ZLABEL"),
      ("Z_1GUESTS", "Z_1OWNER", "ZBOX"), ("Z_1GUESTS", "Z_4GUESTS", "ZTHING"),
    ] {
      let dangling = try stack.sqlite(
        """
        SELECT count(*) FROM \(table) WHERE \(column) NOT NULL
        AND \(column) NOT IN (SELECT Z_PK FROM \(other))
        """)
      #expect(dangling == "0", "\(table).\(column) \(seed)")
    }
    #expect(
      try stack.sqlite(
        "SELECT count(*) - count(DISTINCT ZBOX || ' ' || Z_FOK_BOX) FROM ZTHING WHERE ZBOX NOT NULL"
      )
        == "0", seed)
  }
}

/// One writer's work, step by step.
private struct RaceWork {
  /// How many rows of each entity were inserted, less those deleted.
  final class Counts {
    var counts: [String: Int] = [:]
  }

  let counts = Counts()
  private var random: SeededGenerator
  private let context: ManagedObjectContext
  private let observation: ContextObservation
  // Contexts do not retain their container.
  private let container: PersistentContainer

  init(_ container: PersistentContainer, seed: UInt64) {
    self.container = container
    random = SeededGenerator(seed: seed)
    context = container.newBackgroundContext()
    observation = context.observe(.didSave) { [counts] changes in
      for object in changes.inserted { counts.counts[object.entity.name, default: 0] += 1 }
      for object in changes.deleted { counts.counts[object.entity.name, default: 0] -= 1 }
    }
  }

  /// Changes a few things on the basis of earlier reads, and saves them if possible.
  mutating func step() throws {
    if Int.random(in: 0..<3, using: &random) == 0 { try context.refreshAllObjects() }
    context.mergePolicy = [
      .error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
    ].randomElement(using: &random)!
    for _ in 0..<Int.random(in: 1...4, using: &random) { try change() }
    do {
      try context.save()
    } catch is ConflictError {
      context.rollback()
      try context.refreshAllObjects()
    }
  }

  private mutating func change() throws {
    let boxes = try context.fetch(FetchRequest<Boxes.Box>(entityName: "Box"))
    let things = try context.fetch(FetchRequest<Boxes.Thing>(entityName: "Thing"))
    let labels = try context.fetch(FetchRequest<Boxes.Label>(entityName: "Label"))
    let makers = try context.fetch(FetchRequest<Boxes.Maker>(entityName: "Maker"))
    let (box, thing) = (boxes.randomElement(using: &random), things.randomElement(using: &random))
    switch Int.random(in: 0..<12, using: &random) {
    case 0: Boxes.Box(named: "box", in: context).outer = box
    case 1: if let box, boxes.count > 3 { context.delete(box) }
    case 2, 3: Boxes.Thing(named: "thing", in: context).box = box
    case 4: thing?.box = box
    case 5: if let thing { context.delete(thing) }
    case 6: box?.labels.insert(Boxes.Label(named: "label", in: context))
    case 7: if let label = labels.randomElement(using: &random) { box?.labels.insert(label) }
    case 8: if let label = labels.randomElement(using: &random) { context.delete(label) }
    case 9: thing?.maker = makers.randomElement(using: &random)
    case 10:
      _ = Boxes.Maker(named: "maker", in: context)
      if let thing { box?.guests.insert(thing) }
    default:
      if let box { box.things = OrderedSet(box.things.array.shuffled(using: &random)) }
    }
  }
}

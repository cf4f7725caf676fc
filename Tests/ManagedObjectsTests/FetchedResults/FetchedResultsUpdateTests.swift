import DogWalkModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Controllers that apply changes without fetching, and what they report to their delegates.
@Suite struct FetchedResultsUpdateTests {
  typealias Place = FetchedResultsIndexPath

  /// Requests of every kind, some of which have to be fetched again.
  private static let requests: [FetchRequest<Walk>] = {
    func request(
      _ predicate: FetchPredicate?, _ descriptors: [FetchSortDescriptor],
      _ change: (inout FetchRequest<Walk>) -> Void = { _ in }
    ) -> FetchRequest<Walk> {
      var request = Walk.fetchRequest()
      request.predicate = predicate
      request.sortDescriptors = descriptors
      change(&request)
      return request
    }
    let long = FetchPredicate.comparison("duration", .greaterThan, .double(1_200))
    let duration = FetchSortDescriptor(key: "duration", ascending: false)
    return [
      request(nil, [duration]), request(long, []), request(long, [duration]),
      request(long, [.init(key: "note"), .init(key: "date")]),
      request(.comparison("dog.name", .lessThan, .string("C")), [duration]),
      request(nil, [.init(key: "dog.name"), duration]),
      // swift-format-ignore: NeverUseForceTry
      request(try! FetchPredicate(format: "dog.walks.@count > 2"), [duration]),
      request(long, [duration]) { $0.fetchLimit = 3 },
      request(nil, [duration]) { $0.fetchOffset = 2 },
      request(long, [duration]) { $0.includesPendingChanges = false },
    ]
  }()

  @Test(arguments: Stack.allTypes, requests.indices)
  func `the list is what a fetch would return`(
    type: PersistentStore.StoreType, number: Int
  ) throws {
    let seed = SeededGenerator.seed() &+ UInt64(number)
    var random = SeededGenerator(seed: seed)
    let stack = try Stack(type)
    let (context, request) = (stack.context, Self.requests[number])
    var dogs: [Dog] = []
    for name in ["Ada", "Bo", "Cleo"] { dogs.append(try stack.dog(name, minutes: [10, 20, 30])) }
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: context,
      sectionNameKeyPath: number % 2 == 0 ? "note" : nil)
    try controller.performFetch()
    let listener = Listener(controller.sections.map { ($0.name, $0.objects) })
    controller.delegate = listener
    for round in 0..<60 {
      let walks = try context.fetch(Walk.fetchRequest())
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let walk = walks.randomElement(using: &random)
        let dog = dogs.randomElement(using: &random)!
        switch Int.random(in: 0...8, using: &random) {
        case 0...1:
          let new = stack.walk(minutes: Int.random(in: 0...60, using: &random))
          new.dog = dog
        case 2: if let walk, walk.managedObjectContext != nil { context.delete(walk) }
        case 3...4:
          if walk?.isDeleted == false {
            walk?.duration = Double(Int.random(in: 0...60, using: &random) * 60)
          }
        case 5: if walk?.isDeleted == false { walk?.dog = dog }
        case 6...7:
          if walk?.isDeleted == false {
            walk?.note = ["a", "b", nil].randomElement(using: &random)!
          }
        default: dog.name = ["Ada", "Bo", "Cleo", "Dot"].randomElement(using: &random)!
        }
      }
      switch Int.random(in: 0...6, using: &random) {
      case 0...1: try context.save()
      case 2: context.rollback()
      default: context.processPendingChanges()
      }
      let fresh = FetchedResultsController(
        fetchRequest: request, managedObjectContext: context,
        sectionNameKeyPath: controller.sectionNameKeyPath)
      try fresh.performFetch()
      let expected = fresh.sections.map { Listener.Section(name: $0.name, objects: $0.objects) }
      let found = controller.sections.map { Listener.Section(name: $0.name, objects: $0.objects) }
      // Some requests ignore unsaved changes: then only a save changes the list.
      if request.includesPendingChanges {
        try #require(found == expected, "round \(round), SEED=\(seed &- UInt64(number))")
      }
      try #require(listener.list == found, "round \(round), SEED=\(seed &- UInt64(number))")
    }
    // Sixty random rounds rarely change the list fewer than thirty times, but some seeds do.
    #expect(listener.steps > 10 && !listener.isOpen)
  }

  @Test(arguments: Stack.allTypes)
  func `unrelated changes cause no query of the store`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20, 30])
    let controller = FetchedResultsController(
      fetchRequest: Self.requests[2], managedObjectContext: stack.context)
    try controller.performFetch()
    var reports = 0
    controller.onChange = { _ in reports += 1 }
    fido.targetMinutes = 60
    try stack.context.save()
    #expect(reports == 0 && controller.fetchCount == 1)
    fido.walks[0].duration = 3_600
    stack.context.processPendingChanges()
    fido.addToWalks(stack.walk(minutes: 40))
    try stack.context.save()
    stack.context.delete(fido.walks[2])
    try stack.context.save()
    #expect(controller.fetchedObjects.map { $0.duration } == [3_600, 2_400])
    // One of them is about the permanent ID alone.
    #expect(reports == 4 && controller.fetchCount == 1)
    stack.context.rollback()
    fido.walks[0].note = "changed"
    stack.context.rollback()
    #expect(controller.fetchCount > 1)
  }

  @Test(arguments: Stack.allTypes)
  func `other contexts' saves are adopted with a merge`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 30])
    let controller = FetchedResultsController(
      fetchRequest: Self.requests[2], managedObjectContext: stack.context)
    try controller.performFetch()
    let other = stack.anotherContext()
    let walk = stack.walk(minutes: 50, in: other)
    walk.dog = try #require(try other.existingObject(with: fido.objectID) as? Dog)
    try #require(try other.existingObject(with: fido.walks[0].objectID) as? Walk).duration = 2_400
    var saved = ChangedObjectIDs()
    let observation = other.observe(.didSave) { saved = $0.objectIDs }
    try other.save()
    observation.cancel()
    try stack.context.mergeChanges(from: saved)
    #expect(controller.fetchedObjects.map { $0.duration } == [3_000, 2_400, 1_800])
  }

  @Test func `many objects move to other sections, and into another order, at once`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let stack = try Stack(.inMemory)
    let walks = try stack.dog("Fido", minutes: Array(1...60)).walks.map { $0 }
    for walk in walks { walk.note = walk.duration! < 900 ? "done" : "open" }
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "note"), .init(key: "duration")]
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "note")
    try controller.performFetch()
    let listener = Listener(controller.sections.map { ($0.name, $0.objects) })
    controller.delegate = listener
    func process() throws {
      stack.context.processPendingChanges()
      let shown = controller.sections.map { Listener.Section(name: $0.name, objects: $0.objects) }
      try #require(listener.list == shown, "SEED=\(seed)")
    }
    for walk in walks where walk.note == "open" { walk.note = "done" }
    try process()
    #expect(controller.sections.map(\.name) == ["done"])
    for walk in walks { walk.duration = 4_000 - walk.duration! }
    try process()
    #expect(controller.fetchedObjects == walks.reversed())
    for (index, walk) in walks.shuffled(using: &random).enumerated() {
      (walk.note, walk.duration) = (["done", "late", "open"][index % 3], Double(index))
    }
    try process()
    #expect(controller.sections.map(\.numberOfObjects) == [20, 20, 20])
    for walk in walks { walk.note = walk.note == "open" ? "done" : "open" }
    try process()
    #expect(controller.sections.map(\.numberOfObjects) == [20, 40])
  }

  @Test func `a delegate receives the steps in order, and is not retained`() throws {
    let stack = try Stack(.inMemory)
    let fido = try stack.dog("Fido", minutes: [10, 30])
    let controller = FetchedResultsController(
      fetchRequest: Self.requests[2], managedObjectContext: stack.context)
    try controller.performFetch()
    var listener: Listener? = Listener(controller.sections.map { ($0.name, $0.objects) })
    controller.delegate = listener
    fido.walks[0].duration = 1_500
    stack.context.processPendingChanges()
    #expect(listener?.heard == ["will", "insert nil 0.1", "did"])
    listener?.heard = []
    fido.walks[0].duration = 3_000
    stack.context.processPendingChanges()
    #expect(listener?.heard == ["will", "move 0.1 0.0", "did"])
    listener?.heard = []
    fido.walks[1].note = "rain"
    stack.context.processPendingChanges()
    #expect(listener?.heard == ["will", "update 0.1 nil", "did"])
    listener?.heard = []
    for walk in fido.walks { stack.context.delete(walk) }
    stack.context.processPendingChanges()
    #expect(
      listener?.heard == ["will", "delete 0.1 nil", "delete 0.0 nil", "did"])
    listener = nil
    #expect(controller.delegate == nil)
  }
}

/// A list that is updated by its controller's reports alone.
private final class Listener: FetchedResultsControllerDelegate {
  struct Section: Equatable {
    let name: String
    var objects: [Walk]
  }

  private(set) var list: [Section]
  private(set) var isOpen = false
  private(set) var steps = 0
  var heard: [String] = []

  init(_ list: [(String, [Walk])]) { self.list = list.map { Section(name: $0.0, objects: $0.1) } }

  func controllerWillChangeContent(_ controller: FetchedResultsController<Walk>) {
    #expect(!isOpen)
    isOpen = true
    heard.append("will")
    #expect(controller.sections.map { Section(name: $0.name, objects: $0.objects) } == list)
  }

  func controller(
    _ controller: FetchedResultsController<Walk>, didChangeSectionNamed name: String,
    atSectionIndex index: Int, for type: FetchedResultsChangeType
  ) {
    heard.append("section \(type) \(name) \(index)")
    if type == .insert {
      list.insert(Section(name: name, objects: []), at: index)
    } else {
      #expect(list.remove(at: index) == Section(name: name, objects: []))
    }
  }

  func controller(
    _ controller: FetchedResultsController<Walk>, didChange object: Walk,
    at indexPath: FetchedResultsIndexPath?, for type: FetchedResultsChangeType,
    newIndexPath: FetchedResultsIndexPath?
  ) {
    steps += 1
    heard.append(
      "\(type) \(indexPath?.description ?? "nil") \(newIndexPath?.description ?? "nil")")
    if type == .update {
      #expect(indexPath.map { list[$0.section].objects[$0.item] } === object)
      return
    }
    if let indexPath {
      #expect(list[indexPath.section].objects.remove(at: indexPath.item) === object)
    }
    if let newIndexPath {
      list[newIndexPath.section].objects.insert(object, at: newIndexPath.item)
    }
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController<Walk>) {
    #expect(isOpen)
    isOpen = false
    heard.append("did")
  }
}

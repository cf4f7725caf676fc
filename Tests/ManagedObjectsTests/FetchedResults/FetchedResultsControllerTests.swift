import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

@Suite struct FetchedResultsControllerTests {
  typealias Place = FetchedResultsIndexPath

  /// Walks in sections by their dogs' names.
  private static func controller(of stack: Stack) throws -> FetchedResultsController<Walk> {
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "dog.name"), .init(key: "duration")]
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "dog.name")
    try controller.performFetch()
    return controller
  }

  private func names(_ controller: FetchedResultsController<Walk>) -> [String] {
    controller.sections.map { section in
      section.name + " "
        + section.objects.map { String(Int($0.duration! / 60)) }.joined(separator: ",")
    }
  }

  @Test(arguments: Stack.allTypes)
  func `objects with equal values form a section`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Rex", minutes: [30])
    try stack.dog("Fido", minutes: [20, 10])
    try stack.dog("fritz", minutes: [5])
    let controller = try Self.controller(of: stack)
    #expect(names(controller) == ["Fido 10,20", "Rex 30", "fritz 5"])
    #expect(controller.sectionIndexTitles == ["F", "R"])
    #expect(controller.section(forSectionIndexTitle: "R") == 1)
    #expect(controller.section(forSectionIndexTitle: "X") == nil)
    #expect(controller.sections[0].numberOfObjects == 2)
    let walk = controller.object(at: Place(section: 0, item: 1))
    #expect(walk.duration == 1_200)
    #expect(controller.indexPath(forObject: walk) == Place(section: 0, item: 1))
    #expect(controller.fetchedObjects.count == 4)
    #expect(controller.indexPath(forObject: stack.walk(minutes: 1)) == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `a closure may name sections`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20, 70])
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "duration")]
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: stack.context
    ) { $0.duration! < 3_600 ? "short" : "long" }
    try controller.performFetch()
    #expect(names(controller) == ["short 10,20", "long 70"])
  }

  @Test(arguments: Stack.allTypes)
  func `each kind of change is one step`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20, 30])
    let rex = try stack.dog("Rex", minutes: [15])
    let controller = try Self.controller(of: stack)
    var reports: [[FetchedResultsChange]] = []
    controller.onChange = { reports.append($0) }
    func report() -> [FetchedResultsChange] {
      stack.context.processPendingChanges()
      defer { reports = [] }
      return reports.flatMap { $0 }
    }
    let walks = fido.walks.map { $0 }

    walks[1].note = "sunny"
    #expect(report() == [.update(walks[1].objectID, at: Place(section: 0, item: 1))])
    walks[0].duration = 2_400
    #expect(
      report() == [
        .move(
          walks[0].objectID, from: Place(section: 0, item: 0), to: Place(section: 0, item: 2))
      ])
    let new = stack.walk(minutes: 5)
    new.dog = rex
    #expect(report() == [.insert(new.objectID, at: Place(section: 1, item: 0))])
    stack.context.delete(walks[2])
    #expect(report() == [.delete(walks[2].objectID, at: Place(section: 0, item: 1))])
    walks[1].dog = rex
    #expect(
      report() == [
        .move(
          walks[1].objectID, from: Place(section: 0, item: 0), to: Place(section: 1, item: 2))
      ])
    // The last object of a section removes it.
    walks[0].dog = rex
    #expect(
      report() == [
        .move(
          walks[0].objectID, from: Place(section: 0, item: 0), to: Place(section: 1, item: 3)),
        .deleteSection(name: "Fido", at: 0),
      ])
    let zoe = try Dog.findOrCreate(named: "Zoë", in: stack.context)
    new.dog = zoe
    #expect(
      report() == [
        .insertSection(name: "Zoë", at: 1),
        .move(new.objectID, from: Place(section: 0, item: 0), to: Place(section: 1, item: 0)),
      ])
    #expect(report() == [])
  }

  @Test(arguments: Stack.allTypes)
  func `changes are adopted after a save and a rollback`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10])
    let controller = try Self.controller(of: stack)
    fido.addToWalks(stack.walk(minutes: 20))
    #expect(names(controller) == ["Fido 10"])
    try stack.context.save()
    #expect(names(controller) == ["Fido 10,20"])
    fido.walks[0].duration = 3_000
    stack.context.processPendingChanges()
    #expect(names(controller) == ["Fido 20,50"])
    stack.context.rollback()
    #expect(names(controller) == ["Fido 10,20"])
  }

  @Test func `reports are a stream that ends with the controller`() async throws {
    let stack = try Stack(.inMemory)
    let fido = try stack.dog("Fido", minutes: [10])
    var controller: FetchedResultsController<Walk>? = try Self.controller(of: stack)
    let stream = try #require(controller).changes()
    for minutes in [20, 30] {
      fido.addToWalks(stack.walk(minutes: minutes))
      try stack.context.save()
    }
    controller = nil
    var steps = 0
    for await changes in stream { steps += changes.count }
    // Two walks were added and got their permanent IDs, and nothing else; the dog is not a result.
    #expect(steps == 4)
  }

  @Test(arguments: Stack.allTypes)
  func `the steps lead from each list to the next`(type: PersistentStore.StoreType) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let stack = try Stack(type)
    let context = stack.context
    var dogs: [Dog] = []
    for name in ["Ada", "Bo", "Cleo", "Dot"] {
      dogs.append(try stack.dog(name, minutes: [10, 20]))
    }
    let controller = try Self.controller(of: stack)
    var list = controller.sections.map { Mirror(name: $0.name, objects: $0.objects) }
    var steps = 0
    controller.onChange = { changes in
      for change in changes { Mirror.apply(change, to: &list, in: context) }
      steps += changes.count
    }
    var walks = controller.fetchedObjects
    for round in 0..<250 {
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let walk = walks.randomElement(using: &random)
        let dog = dogs.randomElement(using: &random)!
        switch Int.random(in: 0...9, using: &random) {
        case 0...2:
          let new = stack.walk(minutes: Int.random(in: 0...60, using: &random))
          new.dog = dog
          walks.append(new)
        case 3...4: if let walk { context.delete(walk) }
        case 5...6: walk?.duration = Double(Int.random(in: 0...60, using: &random) * 60)
        case 7: walk?.dog = dog
        case 8: walk?.note = "\(round)"
        default: dog.name = ["Ada", "Bo", "Cleo", "Dot", "Ed"].randomElement(using: &random)!
        }
        walks.removeAll { $0.isDeleted || $0.managedObjectContext == nil }
      }
      switch Int.random(in: 0...5, using: &random) {
      case 0: try context.save()
      case 1: context.rollback()
      default: context.processPendingChanges()
      }
      walks = walks.filter { !$0.isDeleted && $0.managedObjectContext != nil }
      try #require(
        list == controller.sections.map { Mirror(name: $0.name, objects: $0.objects) },
        "round \(round), seed \(seed)")
      // A list that was just fetched has them at the same indexes.
      let fresh = try Self.controller(of: stack)
      try #require(
        fresh.sections.map { Mirror(name: $0.name, objects: $0.objects) } == list,
        "round \(round), seed \(seed)")
    }
    #expect(steps > 250)
  }

  /// A list that is updated by the steps alone.
  private struct Mirror: Equatable {
    let name: String
    var objects: [Walk]

    static func apply(
      _ change: FetchedResultsChange, to list: inout [Mirror], in context: ManagedObjectContext
    ) {
      switch change {
      case .insertSection(let name, let place):
        list.insert(Mirror(name: name, objects: []), at: place)
      case .deleteSection(let name, let place):
        let section = list.remove(at: place)
        #expect(section.name == name && section.objects.isEmpty)
      case .insert(let id, let place):
        let walk = context.registeredObject(for: id) as? Walk
        list[place.section].objects.insert(walk!, at: place.item)
      case .delete(let id, let place):
        #expect(list[place.section].objects.remove(at: place.item).objectID == id)
      case .move(let id, let from, let to):
        let walk = list[from.section].objects.remove(at: from.item)
        #expect(walk.objectID == id)
        list[to.section].objects.insert(walk, at: to.item)
      case .update(let id, let place):
        #expect(list[place.section].objects[place.item].objectID == id)
      case .obtainPermanentID(let id, let temporary, let place):
        #expect(list[place.section].objects[place.item].objectID == id)
        #expect(temporary.isTemporaryID && !id.isTemporaryID)
      }
    }
  }
}

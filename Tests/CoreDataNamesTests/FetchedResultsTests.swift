import CoreDataListings
import CoreDataNames
import Foundation
import TestSupport
import Testing

/// What a delegate is told about a list, when applied to a table.
@Suite struct FetchedResultsTests {
  private let container: NSPersistentContainer
  private var context: NSManagedObjectContext { container.viewContext }

  init() {
    container = NSPersistentContainer(name: "Kennel", managedObjectModel: .kennel)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    container.loadPersistentStores { _, error in #expect(error == nil) }
  }

  /// Dogs by age, in sections by their names, in the order of each section's youngest.
  private func controller() throws -> NSFetchedResultsController<Dog> {
    let request: NSFetchRequest<Dog> = Dog.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "name",
      cacheName: nil)
    try controller.performFetch()
    return controller
  }

  @discardableResult
  private func dog(_ name: String, age: Int16) -> Dog {
    let dog = Dog(context: context)
    (dog.name, dog.age) = (name, age)
    return dog
  }

  private func rows(_ controller: NSFetchedResultsController<Dog>) -> [[Dog]] {
    (controller.sections ?? []).map { $0.objects as? [Dog] ?? [] }
  }

  @Test func `a section that moves is deleted and inserted, with its objects`() throws {
    let (ada, bo) = (dog("Ada", age: 1), dog("Bo", age: 2))
    try context.save()
    let controller = try controller()
    let table = Table(rows(controller))
    controller.delegate = table

    ada.age = 3
    context.processPendingChanges()

    #expect(
      table.told == [
        "delete section Ada 0", "insert section Ada 1", "delete Ada [0, 0]", "insert Ada [1, 0]",
      ])
    #expect(table.rows == [[bo], [ada]])
    #expect(rows(controller) == [[bo], [ada]])
  }

  @Test func `the delegate's calls lead a table from each list to the next`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let names = ["Ada", "Bo", "Cleo", "Dot"]
    for age in 0..<8 { dog(names[age % 4], age: Int16(age)) }
    try context.save()
    let controller = try controller()
    let table = Table(rows(controller))
    controller.delegate = table
    for round in 0..<300 {
      var dogs = try context.fetch(Dog.fetchRequest() as NSFetchRequest<Dog>)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let one = dogs.randomElement(using: &random)!
        switch Int.random(in: 0...9, using: &random) {
        case 0: dogs.append(dog(names.randomElement(using: &random)!, age: 5))
        case 1 where dogs.count > 5:
          context.delete(one)
          dogs.removeAll { $0 === one }
        case 2: one.name = names.randomElement(using: &random)!
        case 3: one.born = Date(timeIntervalSinceReferenceDate: Double(round))
        default: one.age = Int16.random(in: 0...20, using: &random)
        }
      }
      switch Int.random(in: 0...5, using: &random) {
      case 0: try context.save()
      case 1: context.rollback()
      default: context.processPendingChanges()
      }
      try #require(table.rows == rows(controller), "round \(round), SEED=\(seed)")
    }
    // There was something to report.
    #expect(table.movedSectionCount > 30)
  }
}

/// A table that is updated by the calls alone: deletions are at indexes of the old list, from the
/// last to the first, and then insertions at indexes of the new one.
private final class Table: NSFetchedResultsControllerDelegate {
  private(set) var rows: [[Dog]]
  private(set) var told: [String] = []
  private(set) var movedSectionCount = 0
  private var deletedSections: [Int: String] = [:]
  private var insertedSections: [Int: String] = [:]
  private var deletedRows: [IndexPath] = []
  private var insertedRows: [IndexPath: Dog] = [:]

  init(_ rows: [[Dog]]) { self.rows = rows }

  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    (deletedSections, insertedSections, deletedRows, insertedRows) = ([:], [:], [], [:])
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    told.append("\(type) section \(sectionInfo.name) \(sectionIndex)")
    if type == .insert {
      insertedSections[sectionIndex] = sectionInfo.name
    } else {
      deletedSections[sectionIndex] = sectionInfo.name
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let dog = anObject as? Dog
    let places = [indexPath, newIndexPath].compactMap { $0?.description }
    // An object that has left its context has no values any more.
    let name = dog?.managedObjectContext == nil ? nil : dog?.name
    told.append("\(type) \(name ?? "") \(places.joined(separator: " "))")
    if let indexPath { #expect(rows[indexPath.section][indexPath.item] === dog) }
    guard type != .update else { return }
    if let indexPath { deletedRows.append(indexPath) }
    if let newIndexPath { insertedRows[newIndexPath] = dog }
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    for indexPath in deletedRows.sorted(by: >) {
      rows[indexPath.section].remove(at: indexPath.item)
    }
    for section in deletedSections.keys.sorted(by: >) { rows.remove(at: section) }
    for section in insertedSections.keys.sorted() { rows.insert([], at: section) }
    for (indexPath, dog) in insertedRows.sorted(by: { $0.key < $1.key }) {
      rows[indexPath.section].insert(dog, at: indexPath.item)
    }
    movedSectionCount += Set(deletedSections.values).intersection(insertedSections.values).count
  }
}

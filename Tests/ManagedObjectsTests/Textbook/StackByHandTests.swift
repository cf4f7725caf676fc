import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// A textbook's first chapter: the stack built by hand, piece by piece.
@Suite struct StackByHandTests {
  @Test func `model, coordinator, store and context, with an entity made in code`() throws {
    let folder = try StoreFolder(named: "People.sqlite")

    let name = AttributeDescription(name: "name", type: .string, isOptional: false)
    let born = AttributeDescription(name: "born", type: .date, isOptional: true)
    let person = EntityDescription(
      name: "Person", properties: [.attribute(name), .attribute(born)])
    let model = ManagedObjectModel(entities: [person])

    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: folder.store)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)

    let ada = ManagedObject(entity: person, insertInto: context)
    ada.setValue("Ada", forKey: "name")
    ada.setValue(Date(timeIntervalSinceReferenceDate: -5_844_960_000), forKey: "born")
    #expect(context.hasChanges && ada.objectID.isTemporaryID)
    try context.save()
    #expect(!context.hasChanges && !ada.objectID.isTemporaryID)

    // The next time the program runs.
    let later = PersistentStoreCoordinator(managedObjectModel: model)
    try later.addPersistentStore(type: .sqlite, at: folder.store)
    let other = ManagedObjectContext(persistentStoreCoordinator: later)
    var request = FetchRequest<ManagedObject>(entityName: "Person")
    request.predicate = .comparison("name", .equal, .string("Ada"))
    let found = try other.fetch(request)
    #expect(found.map { $0.value(forKey: "name") as? String } == ["Ada"])
    #expect(found.first?.value(forKey: "born") as? Date == ada.value(forKey: "born") as? Date)
  }

  @Test func `a store in memory is released with its coordinator`() throws {
    func coordinator() throws -> PersistentStoreCoordinator {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
      try coordinator.addPersistentStore(type: .inMemory, at: nil)
      return coordinator
    }
    let context = ManagedObjectContext(persistentStoreCoordinator: try coordinator())
    _ = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    #expect(try context.count(for: Dog.fetchRequest()) == 1)
    let other = ManagedObjectContext(persistentStoreCoordinator: try coordinator())
    #expect(try other.count(for: Dog.fetchRequest()) == 0)
  }
}

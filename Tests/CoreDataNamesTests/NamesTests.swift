import CoreDataListings
import CoreDataNames
import Foundation
import TestSupport
import Testing

/// Names whose values are other ones in the library.
@Suite struct `Names` {
  private let container: NSPersistentContainer
  private var context: NSManagedObjectContext { container.viewContext }

  init() {
    container = NSPersistentContainer(name: "Kennel", managedObjectModel: .kennel)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    container.loadPersistentStores { _, error in #expect(error == nil) }
  }

  @Test func `contexts, coordinators and stores are compared`() throws {
    let other = container.newBackgroundContext()
    #expect(context != other)
    #expect(Set([context, other, context]).count == 2)
    #expect(other.persistentStoreCoordinator == container.persistentStoreCoordinator)
    let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
    #expect(
      container.newBackgroundContext().persistentStoreCoordinator?.persistentStores == [store])
  }

  @Test func `names of entities are optional, and requests need no type`() throws {
    let dog = Dog(context: context)
    dog.name = "Fido"
    #expect(dog.entity.name! == "Dog")
    if let name = Dog.entity().name { #expect(name == "Dog") }
    let attribute = try #require(dog.entity.attributesByName["born"])
    #expect(attribute.attributeType == .dateAttributeType)
    #expect(attribute.userInfo?.isEmpty == true)

    let request = Dog.fetchRequest()
    #expect(try context.fetch(request).first?.name == "Fido")
    let controller: NSFetchedResultsController<Dog> = NSFetchedResultsController()
    #expect(controller.fetchedObjects == nil)
  }

  @Test func `a batch deletion is of some stores`() throws {
    Dog(context: context).name = "Fido"
    try context.save()
    let request = NSBatchDeleteRequest(fetchRequest: Dog.fetchRequest())
    request.resultType = .resultTypeCount
    request.affectedStores = []
    #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 0)
    request.affectedStores = container.persistentStoreCoordinator.persistentStores
    #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 1)
  }

  @Test func `a save is told by IDs too`() throws {
    nonisolated(unsafe) var ids: Set<NSManagedObjectID> = []
    let token = NotificationCenter.default.addObserver(
      forName: NSManagedObjectContext.didSaveObjectIDsNotification, object: context, queue: nil
    ) { notification in
      let key = NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue
      ids = notification.userInfo?[key] as? Set<NSManagedObjectID> ?? []
    }
    let dog = Dog(context: context)
    dog.name = "Fido"
    try context.save()
    #expect(ids == [dog.objectID])
    NotificationCenter.default.removeObserver(token)
  }

  @Test func `errors have Core Data's numbers`() throws {
    let dog = Dog(context: context)
    do { try context.save() } catch { #expect(message(for: error) == "name is missing.") }
    Dog(context: context).age = 3
    do { try context.save() } catch {
      #expect(message(for: error) == "name is missing. name is missing.")
    }
    context.rollback()
    #expect(dog.managedObjectContext == nil)

    let failure = ValidationError.Failure(
      Dog(context: context), property: "age", value: .integer(200),
      reason: .tooLarge(maximum: .integer(30)))
    let error = ValidationError(failures: [failure]) as NSError
    #expect(message(for: error) == "age is out of range.")
    #expect(error.userInfo[NSValidationValueErrorKey] as? Int == 200)
    #expect(
      (PersistentStoreError.busy(URL(fileURLWithPath: "/kennel")) as NSError).code
        == NSPersistentStoreTimeoutError)
    #expect(
      (MigrationError.missingMappingModel(URL(fileURLWithPath: "/kennel")) as NSError).code
        == NSMigrationMissingMappingModelError)
  }

  @Test func `a policy of one's own resolves conflicts`() throws {
    let dog = Dog(context: context)
    (dog.name, dog.age) = ("Fido", 3)
    try context.save()
    let other = container.newBackgroundContext()
    try other.performAndWait {
      let same = try #require(try other.existingObject(with: dog.objectID) as? Dog)
      same.age = 7
      try other.save()
    }

    dog.age = 5
    do { try context.save() } catch { #expect(message(for: error) == "Somebody else was faster.") }
    let policy = OlderDogPolicy()
    context.mergePolicy = policy
    try context.save()
    #expect(dog.age == 7)
    #expect(policy.resolved == 1)
    #expect(policy.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
    #expect((NSOverwriteMergePolicy as MergePolicy) is NSMergePolicy)
  }

  @Test func `transformers are Foundation's class`() throws {
    BadgeTransformer.register()
    let model = NSManagedObjectModel(entities: [
      NSEntityDescription(
        name: "Box",
        properties: [
          .attribute(
            NSAttributeDescription(
              name: "badge", type: .transformable, isOptional: true,
              valueTransformerName: "BadgeTransformer"))
        ])
    ])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
      box.setValue(Badge("good"), forKey: "badge")
      try context.save()
      context.reset()
      let again = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box"))[0]
      #expect((again.value(forKey: "badge") as? Badge)?.text == "good")
    }
    #expect(ValueTransformer.valueTransformerNames().map(\.rawValue).contains("BadgeTransformer"))
  }
}

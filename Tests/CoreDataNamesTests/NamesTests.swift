import CoreDataListings
import CoreDataNames
import Foundation
import TestSupport
import Testing

/// Names whose values differ in the library.
@Suite struct `Names` {
  private let container: NSPersistentContainer
  private var context: NSManagedObjectContext { container.viewContext }

  init() {
    container = NSPersistentContainer(name: "Kennel", managedObjectModel: .kennel)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    container.loadPersistentStores { _, error in #expect(error == nil) }
  }

  @Test func `contexts, coordinators and stores can be compared`() throws {
    let other = container.newBackgroundContext()
    #expect(context != other)
    #expect(Set([context, other, context]).count == 2)
    #expect(other.persistentStoreCoordinator == container.persistentStoreCoordinator)
    let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
    #expect(
      container.newBackgroundContext().persistentStoreCoordinator?.persistentStores == [store])
  }

  @Test func `entity names are optional, and requests need no type`() throws {
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

  @Test func `templates of a model are new requests, without try`() throws {
    let model = NSManagedObjectModel(
      entities: [NSManagedObjectModel.kennel.entitiesByName["Dog"]!],
      fetchRequestTemplates: [
        "Named": FetchRequestDescription(
          entityName: "Dog", predicateFormat: "name == $NAME", fetchLimit: 3)
      ])
    #expect(model.fetchRequestTemplate(forName: "Other") == nil)
    let template = try #require(model.fetchRequestTemplate(forName: "Named"))
    #expect(template.entityName == "Dog" && template.fetchLimit == 3)
    template.fetchLimit = 1
    #expect(model.fetchRequestTemplate(forName: "Named")?.fetchLimit == 3)

    for name in ["Fido", "Rex"] { Dog(context: context).name = name }
    let request = try #require(
      model.fetchRequestFromTemplate(withName: "Named", substitutionVariables: ["NAME": "Rex"]))
    #expect(try context.fetch(request).compactMap { ($0 as? Dog)?.name } == ["Rex"])
  }

  @Test func `a copy of a request is changed on its own`() throws {
    let request: NSFetchRequest<Dog> = Dog.fetchRequest()
    request.predicate = NSPredicate(format: "name == %@", "Fido")
    let copy = try #require(request.copy() as? NSFetchRequest<Dog>)
    copy.fetchLimit = 1
    #expect(copy.predicate?.fetchPredicate == request.predicate?.fetchPredicate)
    #expect(copy.entityName == "Dog" && request.fetchLimit == 0)
  }

  @Test func `a batch deletion may be limited to stores`() throws {
    Dog(context: context).name = "Fido"
    try context.save()
    let request = NSBatchDeleteRequest(fetchRequest: Dog.fetchRequest())
    request.resultType = .resultTypeCount
    request.affectedStores = []
    #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 0)
    request.affectedStores = container.persistentStoreCoordinator.persistentStores
    #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 1)
  }

  @Test func `a save is also reported as IDs`() throws {
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

  @Test func `a custom policy resolves conflicts`() throws {
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

  @Test func `objects are compared as a fetch sorts them`() throws {
    let (one, other) = (Dog(context: context), Dog(context: context))
    (one.name, other.name, one.age, other.age) = ("dog 10", "Dog 2", 3, 3)
    (one.born, one.fee, other.fee) = (.now, 2.5, 10)
    func order(_ key: String, _ selector: Selector? = nil) -> ComparisonResult {
      NSSortDescriptor(key: key, ascending: true, selector: selector).compare(one, to: other)
    }
    #expect(order("name") == .orderedDescending)
    #expect(order("name", "caseInsensitiveCompare:") == .orderedAscending)
    #expect(order("name", "localizedStandardCompare:") == .orderedDescending)
    #expect(order("age") == .orderedSame && order("fee") == .orderedAscending)
    #expect(order("born") == .orderedDescending && order("weight") == .orderedSame)
    let byLength = NSSortDescriptor(
      FetchSortDescriptor(key: "name") { one, other in
        "\(one)".count < "\(other)".count ? .orderedAscending : .orderedDescending
      })
    #expect(byLength.compare(one, to: other) == .orderedDescending)
  }

  @Test func `an expression may begin with one function and end with another`() throws {
    let dog = Dog(context: context)
    (dog.name, dog.age) = ("Fido", 4)
    try context.save()
    let ratio = NSExpressionDescription()
    (ratio.name, ratio.expressionResultType) = ("ratio", .doubleAttributeType)
    ratio.expression = NSExpression(format: "max(age) - min(age)")
    let highest = NSExpressionDescription()
    (highest.name, highest.expressionResultType) = ("highest", .integer64AttributeType)
    highest.expression = NSExpression(format: "max(age)")
    let request = NSFetchRequest<NSDictionary>(entityName: "Dog")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [highest]
    #expect(try context.fetch(request).first?["highest"] as? Int == 4)
  }

  @Test func `an unsigned number that fits no integer is a large one`() throws {
    let dog = Dog(context: context)
    dog.name = "Fido"
    #expect(NSPredicate(format: "age < %@", NSNumber(value: UInt64.max)).evaluate(with: dog))
    #expect(NSPredicate(format: "age < %@", NSNumber(value: UInt64(5))).evaluate(with: dog))
  }

  @Test func `a batch inserts values of transformers and composites`() throws {
    let model = NSManagedObjectModel(entities: [
      EntityDescription(
        name: "Place",
        properties: [
          .attribute(.init(name: "colour", type: .transformable, isOptional: true)),
          .attribute(
            .init(
              name: "position", type: .composite, isOptional: true,
              elements: [
                .init(name: "latitude", type: .double, isOptional: true),
                .init(name: "longitude", type: .double, isOptional: true),
              ])),
        ])
    ])
    let container = NSPersistentContainer(name: "Places", managedObjectModel: model)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let context = container.viewContext
    var isDone = false
    try context.execute(
      NSBatchInsertRequest(entityName: "Place") { (place: NSManagedObject) in
        defer { isDone = true }
        place.setValue(Data([1, 2]), forKey: "colour")
        place.setValue(52.5, forKeyPath: "position.latitude")
        return isDone
      })
    try context.execute(
      NSBatchInsertRequest(
        entityName: "Place", objects: [["colour": Data([3]), "position.longitude": 13.4]]))
    let places = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Place"))
    #expect(places.map { $0.value(forKey: "colour") as? Data } == [Data([1, 2]), Data([3])])
    #expect(places[0].value(forKeyPath: "position.latitude") as? Double == 52.5)
    #expect(places[1].value(forKeyPath: "position.longitude") as? Double == 13.4)
  }

  @Test func `a batch deletion by IDs is limited to one entity, or to none`() async throws {
    let (dog, walk) = (Dog(context: context), Walk(context: context))
    dog.name = "Fido"
    try context.save()
    let request = NSBatchDeleteRequest(objectIDs: [dog.objectID])
    request.resultType = .resultTypeObjectIDs
    let result = try context.execute(request) as? NSBatchDeleteResult
    #expect(result?.result as? [NSManagedObjectID] == [dog.objectID])
    try context.execute(NSBatchDeleteRequest(objectIDs: []))
    #expect(try context.count(for: NSFetchRequest<Walk>(entityName: "Walk")) == 1)
    #expect(walk.managedObjectContext === context)
    await #expect(processExitsWith: .failure) {
      let names = Names()
      let (dog, walk) = (Dog(context: names.context), Walk(context: names.context))
      _ = NSBatchDeleteRequest(objectIDs: [dog.objectID, walk.objectID])
    }
  }

  @Test func `a reversed sort descriptor sorts in its own order`() throws {
    for (name, age) in [("Ada", 1), ("Bo", 2)] as [(String, Int16)] {
      let dog = Dog(context: context)
      (dog.name, dog.age) = (name, age)
    }
    let sort = NSSortDescriptor(key: "age", ascending: true)
    let request: NSFetchRequest<Dog> = Dog.fetchRequest()
    request.sortDescriptors = [try #require(sort.reversedSortDescriptor as? NSSortDescriptor)]
    #expect(try context.fetch(request).map(\.name) == ["Bo", "Ada"])
  }

  @Test func `errors that objects throw are kept, alone and among others`() throws {
    let stack = ManualStack(
      model: NSManagedObjectModel(entities: [
        NSEntityDescription(
          name: "Muzzle",
          properties: [.attribute(NSAttributeDescription(name: "size", type: .string))])
      ]).withClasses(["Muzzle": Muzzle.self]), storeURL: nil)
    _ = Muzzle(context: stack.mainContext)
    do { try stack.mainContext.save() } catch {
      let error = error as NSError
      #expect(error.domain == "Kennel" && error.code == 42)
    }
    _ = Muzzle(context: stack.mainContext)
    do { try stack.mainContext.save() } catch {
      let error = error as NSError
      #expect(error.code == NSValidationMultipleErrorsError)
      let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      #expect(errors.map(\.domain) == ["Kennel", "Kennel"] && errors.map(\.code) == [42, 42])
      #expect(errors.first?.localizedDescription == "It bites.")
    }
    #expect(stack.mainContext.hasChanges)
  }

  @Test func `errors of fetches and batches have Core Data's numbers`() throws {
    let request: NSFetchRequest<Dog> = Dog.fetchRequest()
    request.predicate = NSPredicate(format: "nothing == 3")
    let error =
      try #require(
        #expect(throws: PredicateBindingError.self) { try context.fetch(request) }) as NSError
    #expect(error.domain == NSCocoaErrorDomain && error.code == NSCoreDataError)
    let batch = NSBatchInsertRequest(entityName: "Dog", objects: [["age": 3]])
    let missing =
      try #require(
        #expect(throws: BatchRequestError.self) { try context.execute(batch) }) as NSError
    #expect(missing.code == NSValidationMissingMandatoryPropertyError)
    #expect(missing.localizedDescription.contains("name is required"))
  }
}

private final class Muzzle: NSManagedObject {
  override func validateForInsert() throws {
    throw NSError(domain: "Kennel", code: 42, userInfo: [NSLocalizedDescriptionKey: "It bites."])
  }
}

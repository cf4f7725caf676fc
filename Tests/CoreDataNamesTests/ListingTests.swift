import CoreDataListings
import CoreDataNames
import Foundation
import TestSupport
import Testing

/// Code as in tutorials: it compiles, and does what it is meant to.
@MainActor
@Suite struct `Listings` {
  private let app = AppDelegate(url: nil)
  private var context: NSManagedObjectContext { app.persistentContainer.viewContext }

  @Test func `a container finds the model with its name, and keeps a file`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("Kennel.sqlite")
    DogNames(AppDelegate(url: url).persistentContainer.viewContext).save(name: "Fido")

    let again = DogNames(AppDelegate(url: url).persistentContainer.viewContext)
    again.load()

    #expect(again.dogs.count == 1)
    #expect(again.title(at: 0) == "Fido, 3")
  }

  @Test func `numbers set by name may be of any width`() throws {
    let dog = Dog(context: context)
    dog.setValue(3, forKey: "age")
    dog.setValue(NSNumber(value: 12.5), forKey: "weight")
    dog.setValue(NSNull(), forKey: "name")

    #expect(dog.value(forKey: "age") as? Int == 3)
    #expect(dog.value(forKey: "age") as? Int16 == 3)
    #expect(dog.weight?.doubleValue == 12.5)
    #expect(dog.name == nil)
  }

  @Test func `an ordered to-many is an NSOrderedSet, changed through a copy`() throws {
    let list = WalkList(context)
    list.open("Fido")
    let date = Date(timeIntervalSinceReferenceDate: 1000)
    try list.add(date)
    try list.addAnother(date + 60)

    #expect(list.rows == 3)
    #expect(list.date(at: IndexPath(row: 0, section: 0)) == nil)
    #expect(list.date(at: IndexPath(row: 1, section: 0)) == date)
    #expect(list.allWalks().map(\.minutes) == [0, 0, 30])
    try list.remove(at: 0)
    #expect(list.rows == 2)
    #expect(list.allWalks()[0].dog === list.currentDog)
  }

  @Test func `handwritten classes get their properties, and sets are read as NSSet`() throws {
    let owner = Owner(context: context)
    #expect(owner.name == "Nobody")
    let dog = Dog(context: context)
    dog.name = "Fido"
    owner.addToDogs(dog)

    #expect(owner.dogs?.count == 1)
    #expect(owner.dogs?.allObjects as? [Dog] == [dog])
    #expect(dog.owners as? Set<Owner> == [owner])
    owner.dogs = NSSet()
    #expect(dog.owners?.count == 0)
    #expect(dog.value(forKey: "walks") is NSOrderedSet)
  }

  @Test func `predicates are combined, sorted by keys and key paths, and counted`() throws {
    let filters = Filters(context)
    for (name, age) in [("Rex", 1), ("Fido", 5), ("fifi", 5), ("Bello", 9)] as [(String, Int16)] {
      let dog = Dog(context: context)
      (dog.name, dog.age) = (name, age)
    }

    try filters.fetch(old: true, named: nil)
    #expect(filters.dogs.map(\.name) == ["Bello", "Fido", "fifi"])
    try filters.fetch(old: true, named: "FI")
    #expect(filters.dogs.map(\.name) == ["Fido", "fifi"])
    #expect(filters.countYoung() == 1)
    #expect(NSPredicate(format: "age > 3").evaluate(with: filters.dogs[0]))
    #expect(
      !NSPredicate(format: "age > $LEAST").withSubstitutionVariables(["LEAST": 7])
        .evaluate(with: filters.dogs[0]))
  }

  @Test func `arguments of predicates may be of Foundation's classes`() throws {
    let dog = Dog(context: context)
    (dog.name, dog.age, dog.born) = ("Fido", 5, Date(timeIntervalSinceReferenceDate: 0))
    let predicates = [
      NSPredicate(format: "name == %@", NSString(string: "Fido")),
      NSPredicate(format: "age == %@", NSNumber(value: 5)),
      NSPredicate(format: "born == %@", NSDate(timeIntervalSinceReferenceDate: 0)),
      NSPredicate(format: "name IN %@", NSSet(array: ["Fido", "Rex"])),
      NSPredicate(format: "name IN %@", argumentArray: [["Fido", "Rex"]]),
      NSPredicate(format: "weight == %@", NSNull()), NSPredicate(format: "SELF == %@", dog),
      NSPredicate(value: true),
    ]
    for predicate in predicates {
      let request: NSFetchRequest<Dog> = Dog.fetchRequest()
      request.predicate = predicate
      #expect(try context.fetch(request) == [dog], "\(predicate.fetchPredicate)")
    }
  }

  @Test func `sums and dictionaries are returned as NSDictionary`() throws {
    let list = WalkList(context)
    list.open("Fido")
    try list.addAnother(.now)
    try list.addAnother(.now)

    #expect(Filters(context).totalMinutes() == 60)
    #expect(try Filters(context).ageByName() == ["Fido": 0])
  }

  @Test func `dictionaries identify objects by their IDs, and are requested by descriptions`()
    throws
  {
    let list = WalkList(context)
    list.open("Fido")
    try list.addAnother(.now)
    try list.addAnother(.now)
    let dog = try #require(try context.fetch(Dog.fetchRequest() as NSFetchRequest<Dog>).first)

    let name = try #require(Dog.entity().propertiesByName["name"])
    let request = NSFetchRequest<NSDictionary>(entityName: "Dog")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [name, "objectID"]
    let found = try #require(try context.fetch(request).first)
    #expect(found["name"] as? String == "Fido")
    #expect(found["objectID"] as? NSManagedObjectID == dog.objectID)

    let count = NSExpressionDescription()
    count.name = "count"
    count.expression = NSExpression(
      forFunction: "count:", arguments: [NSExpression.expressionForEvaluatedObject()])
    count.expressionResultType = .integer64AttributeType
    let groups = NSFetchRequest<NSDictionary>(entityName: "Walk")
    groups.resultType = .dictionaryResultType
    groups.propertiesToFetch = ["dog", count]
    groups.propertiesToGroupBy = ["dog"]
    groups.havingPredicate = NSPredicate(
      format: "%@ > 1", NSExpression(forVariable: "count"))
    #expect(try context.fetch(groups).map { $0["dog"] as? NSManagedObjectID } == [dog.objectID])
    groups.havingPredicate = NSPredicate(format: "$count > 99")
    #expect(try context.fetch(groups).isEmpty)
  }

  @Test func `a batch accepts descriptions as well as names of updated properties`() throws {
    let filters = Filters(context)
    try filters.insert(["Fido", "Rex"])
    let batch = NSBatchUpdateRequest(entityName: "Dog")
    batch.propertiesToUpdate = [try #require(Dog.entity().attributesByName["age"]): 9]
    batch.resultType = .updatedObjectsCountResultType
    #expect((try context.execute(batch) as? NSBatchUpdateResult)?.result as? Int == 2)
    #expect(try filters.ageByName() == ["Fido": 9, "Rex": 9])
  }

  @Test func `batches change, insert and delete in the store`() throws {
    let filters = Filters(context)
    try filters.insert(["Fido", "Rex"])
    #expect(try filters.ageByName() == ["Fido": 7, "Rex": 7])
    #expect(try filters.feedAll() == 2)
    #expect(try filters.deleteAll() == 2)
    #expect(try context.count(for: Dog.fetchRequest() as NSFetchRequest<Dog>) == 0)
  }

  @Test func `a list reports indexes of the old list and of the new one`() throws {
    let controller = DogListController(context)
    for (name, age) in [("Rex", 1), ("Fido", 1), ("Bello", 3)] as [(String, Int16)] {
      let dog = Dog(context: context)
      (dog.name, dog.age) = (name, age)
    }
    try context.save()
    controller.load()
    #expect(controller.numberOfSections() == 2)
    #expect(controller.numberOfRows(inSection: 0) == 2)
    #expect(controller.title(forRowAt: IndexPath(row: 0, section: 0)) == "Fido")

    try controller.select(IndexPath(row: 0, section: 0))

    #expect(
      controller.steps == ["begin", "insert section 2 1", "move Fido [0, 0] [1, 0]", "end"])
  }

  @Test func `Xcode's template for previews works in memory`() throws {
    let context = PersistenceController.preview.container.viewContext
    #expect(try context.count(for: Walk.fetchRequest() as NSFetchRequest<Walk>) == 10)
  }

  @Test func `a stack built by hand has children that save into their parent`() throws {
    let stack = ManualStack(model: .kennel, storeURL: nil)
    let child = stack.makeChild()
    try child.performAndWait {
      Dog(context: child).name = "Fido"
      try child.save()
    }

    #expect(child.parent === stack.mainContext)
    #expect(stack.mainContext.insertedObjects.count == 1)
    #expect(stack.mainContext.persistentStoreCoordinator === stack.persistentStoreCoordinator)
    try stack.mainContext.save()
    #expect(!stack.mainContext.hasChanges)
  }

  @Test func `a model that is read has the classes of the module that reads it`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let stack = ReadModelStack(
      modelURL: folder.appendingPathComponent("CoreDataListings/Kennel.xcdatamodeld"))
    try stack.addDog(named: "Fido", minutes: 30)

    let dogs = try stack.container.viewContext.fetch(NSFetchRequest<Dog>(entityName: "Dog"))
    #expect(dogs.map(\.name) == ["Fido"])
    #expect((dogs[0].walks?.firstObject as? Walk)?.minutes == 30)
    let store = try #require(
      stack.container.persistentStoreCoordinator.persistentStores.first)
    #expect(store.type == NSInMemoryStoreType)
  }
}

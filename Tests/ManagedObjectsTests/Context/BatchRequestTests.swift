import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

@Suite struct BatchRequestTests {
  private func minutes(_ stack: Stack, of dog: Dog) throws -> [Int] {
    let context = stack.anotherContext()
    let other = try #require(try context.existingObject(with: dog.objectID) as? Dog)
    return other.minutes
  }

  private func values(_ dog: Dog, minutes: Int) -> [String: AttributeValue] {
    [
      "date": .date(Date(timeIntervalSinceReferenceDate: Double(minutes))),
      "duration": .double(Double(minutes * 60)), "dog": .uri(dog.objectID.uriRepresentation()),
    ]
  }

  @Test(arguments: Stack.allTypes)
  func `new rows follow the existing ones, and are merged`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10])
    let rex = try stack.dog("Rex")
    #expect(fido.minutes == [10] && rex.minutes.isEmpty)
    let changes = try stack.context.execute(
      BatchInsertRequest(
        entityName: "Walk",
        objects: [
          values(fido, minutes: 20), values(rex, minutes: 5), values(fido, minutes: 15),
        ]))
    #expect(changes.inserted.count == 3)
    #expect(try minutes(stack, of: fido) == [10, 20, 15])
    try stack.context.mergeChanges(from: changes)
    #expect(fido.minutes == [10, 20, 15])
    #expect(rex.minutes == [5])
    let last = try #require(stack.context.object(with: changes.inserted[2]) as? Walk)
    #expect(last.duration == 900.0)
    #expect(last.isOngoing == false)
    if type == .sqlite, StoreChecker.isAvailable {
      #expect(try StoreChecker.check(stack.url).contains("0 differences"))
    }
  }

  @Test(arguments: Stack.allTypes, [false, true])
  func `a denied deletion names the object that has members`(
    type: PersistentStore.StoreType, areLinked: Bool
  ) throws {
    let pets = RelationshipDescription(
      name: "pets", destinationEntityName: "Pet", inverseName: "owners", isOptional: true,
      maxCount: 0, deleteRule: .deny)
    let back: PropertyDescription =
      areLinked
      ? .toMany("owners", "Owner", back: "pets") : .toOne("owners", "Owner", back: "pets")
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Owner", properties: [.value("name", .string), .relationship(pets)]),
      EntityDescription(name: "Pet", properties: [.value("name", .string), back]),
    ])
    let stack = try Stack(type, model: model)
    let owners = (0..<3).map { _ in ManagedObject("Owner", in: stack.context) }
    try stack.context.save()
    owners[2].setValue(Set([ManagedObject("Pet", in: stack.context)]), forKey: "pets")
    try stack.context.save()
    let request = FetchRequest<ManagedObject>(entityName: "Owner")
    let error = #expect(throws: BatchRequestError.self) {
      try stack.context.execute(BatchDeleteRequest(fetchRequest: request))
    }
    #expect(error == .deniedDeletion(owners[2].objectID, relationship: "Owner.pets"))
  }

  @Test(arguments: Stack.allTypes)
  func `a row without a required value is refused, and all others with it`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido")
    var wrong = values(fido, minutes: 20)
    wrong["dog"] = nil
    let error = #expect(throws: BatchRequestError.self) {
      try stack.context.execute(
        BatchInsertRequest(entityName: "Walk", objects: [values(fido, minutes: 10), wrong]))
    }
    #expect(error == .missingValue("Walk.dog", at: 1))
    wrong["dog"] = .uri(URL(string: "x-coredata://nowhere/Dog/p1")!)
    #expect(throws: BatchRequestError.notAnObject("Walk.dog")) {
      try stack.context.execute(BatchInsertRequest(entityName: "Walk", objects: [wrong]))
    }
    #expect(try stack.context.count(for: Walk.fetchRequest()) == 0)
  }

  @Test(arguments: Stack.allTypes)
  func `rows that meet a condition are updated, and their lock counts incremented`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20, 30])
    let other = stack.anotherContext()
    let stale = try #require(try other.existingObject(with: fido.walks[1].objectID) as? Walk)
    var request = BatchUpdateRequest(entityName: "Walk")
    request.predicate = .comparison("duration", .greaterThan, .double(600))
    request.propertiesToUpdate = ["note": .string("long"), "distance": nil]
    let changes = try stack.context.execute(request)
    #expect(Set(changes.updated) == Set(fido.walks.dropFirst().map(\.objectID)))
    try stack.context.mergeChanges(from: changes)
    #expect(fido.walks.map(\.note) == [nil, "long", "long"])
    stale.note = "mine"
    #expect(throws: ConflictError.self) { try other.save() }
  }

  @Test(arguments: Stack.allTypes)
  func `rows are deleted, with those that they cascade to`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20])
    let rex = try stack.dog("Rex", minutes: [30])
    let walks = fido.walks.map { $0 }
    var request = Dog.fetchRequest()
    request.predicate = .comparison("name", .equal, .string("Fido"))
    let changes = try stack.context.execute(BatchDeleteRequest(fetchRequest: request))
    #expect(Set(changes.deleted) == Set(walks.map(\.objectID) + [fido.objectID]))
    try stack.context.mergeChanges(from: changes)
    #expect(try stack.context.fetch(Walk.fetchRequest()) == [rex.walks[0]])
    #expect(try stack.context.fetch(Dog.fetchRequest()) == [rex])
    if type == .sqlite, StoreChecker.isAvailable {
      #expect(try StoreChecker.check(stack.url).contains("0 differences"))
    }
  }

  @Test(arguments: Stack.allTypes)
  func `remaining rows no longer refer to the deleted ones`(type: PersistentStore.StoreType) throws
  {
    let stack = try Stack.kennel(type)
    let (ada, bo) = (Person(context: stack.context), Person(context: stack.context))
    (ada.name, bo.name) = ("Ada", "Bo")
    let (cat, hound) = (Cat(context: stack.context), Hound(context: stack.context))
    (cat.name, cat.owner, hound.name, hound.owner) = ("Tom", ada, "Pluto", bo)
    let licence = Licence(context: stack.context)
    licence.person = ada
    try stack.context.save()
    var request = Person.fetchRequest()
    request.predicate = .comparison("name", .equal, .string("Ada"))
    let changes = try stack.context.execute(BatchDeleteRequest(fetchRequest: request))
    #expect(changes.deleted == [ada.objectID])
    #expect(Set(changes.updated) == [cat.objectID, licence.objectID])
    let context = stack.anotherContext()
    let animals = try context.fetch(Animal.fetchRequest())
    #expect(animals.map { $0.owner?.name } == [nil, "Bo"])
    #expect(try context.fetch(Licence.fetchRequest()).map { $0.person == nil } == [true])
  }

  @Test(arguments: Stack.allTypes)
  func `a fetch limit applies`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20, 30])
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "duration", ascending: false)]
    request.fetchLimit = 2
    #expect(try stack.context.execute(BatchDeleteRequest(fetchRequest: request)).deleted.count == 2)
    #expect(try minutes(stack, of: fido) == [10])
  }

  // MARK: One statement

  private func statements(of stack: Stack, _ body: () throws -> Void) throws -> [String] {
    let store = try #require(stack.container.persistentStore as? SQLiteStore)
    var heard: [String] = []
    store.connection.onStatement { heard.append($0) }
    defer { store.connection.onStatement { _ in } }
    try body()
    return heard.filter {
      $0.hasPrefix("UPDATE") || $0.hasPrefix("DELETE") || $0.hasPrefix("SELECT")
    }
  }

  @Test func `an update is one statement, in a file`() throws {
    let stack = try Stack()
    let fido = try stack.dog("Fido", minutes: Array(1...300))
    try stack.dog("Rex", minutes: [1])
    var request = BatchUpdateRequest(entityName: "Walk")
    request.predicate = try FetchPredicate(format: "dog.name == 'Fido' AND note == NULL")
    request.propertiesToUpdate = [
      "note": .string("walked"), "distance": .double(1), "duration": nil,
      "isOngoing": .boolean(true),
    ]
    var changes = ChangedObjectIDs()
    let heard = try statements(of: stack) { changes = try stack.context.execute(request) }
    #expect(heard.count == 1, "\(heard)")
    #expect(changes.updated.count == 300)
    #expect(
      try stack.sqlite(
        "SELECT count(*) FROM ZWALK WHERE ZNOTE = 'walked' AND ZDURATION IS NULL AND ZISONGOING AND Z_OPT > 1"
      ) == "300")
    #expect(try stack.sqlite("SELECT count(*) FROM ZWALK WHERE ZNOTE IS NULL") == "1")
    try stack.context.mergeChanges(from: changes)
    #expect(fido.walks.allSatisfy { $0.note == "walked" && $0.duration == nil && $0.distance == 1 })
    #expect(try stack.context.execute(request).updated.isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `an update that breaks a constraint changes nothing`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    for name in ["Fido", "Rex"] { try stack.dog(name) }
    var request = BatchUpdateRequest(entityName: "Dog")
    request.propertiesToUpdate = ["nameKey": .string("same")]
    let error = #expect(throws: PersistentStoreError.self) { try stack.context.execute(request) }
    guard case .uniquenessViolation(entity: "Dog", properties: ["nameKey"])? = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(try stack.reread(Dog.self).map(\.nameKey).sorted() == ["fido", "rex"])
  }

  @Test func `a delete whose rules affect no other rows is one statement, in a file`() throws {
    let stack = try Stack(model: StoreMigrationTests.dogs)
    let fido = ManagedObject("Dog", in: stack.context)
    fido.setValue("Fido", forKey: "name")
    for minutes in 1...300 {
      let walk = ManagedObject("Walk", in: stack.context)
      walk.setValue(Double(minutes), forKey: "duration")
      walk.setValue(fido, forKey: "dog")
    }
    try stack.context.save()
    var request = FetchRequest<ManagedObject>(entityName: "Walk")
    request.predicate = try FetchPredicate(format: "dog == %@", fido)
    request.sortDescriptors = [.init(key: "duration")]
    request.fetchOffset = 2
    request.fetchLimit = 200
    var changes = ChangedObjectIDs()
    let heard = try statements(of: stack) {
      changes = try stack.context.execute(BatchDeleteRequest(fetchRequest: request))
    }
    #expect(heard.count == 1, "\(heard)")
    #expect(changes.deleted.count == 200)
    try stack.context.mergeChanges(from: changes)
    let walks = try #require(fido.value(forKey: "walks") as? OrderedSet<ManagedObject>)
    #expect(
      walks.map { $0.value(forKey: "duration") as? Double }
        == ([1, 2] + Array(203...300)).map { Double($0) })
    let faults = try PersistentStoreCoordinator.problems(
      ofStoreAt: stack.url, model: StoreMigrationTests.dogs)
    #expect(faults.isEmpty)
  }

  @Test(.timeLimit(.minutes(5)))
  func `clearing references to a deleted row takes linear time, not quadratic`()
    throws
  {
    let stack = try Stack(.inMemory, model: Boxes.model(things: .nullify))
    let box = Boxes.Box(named: "box", in: stack.context)
    for _ in 0..<60_000 { Boxes.Thing(context: stack.context).box = box }
    try stack.context.save()
    let request = FetchRequest<Boxes.Box>(entityName: "Box")
    let changes = try stack.context.execute(BatchDeleteRequest(fetchRequest: request))
    #expect(changes.deleted.count == 1 && changes.updated.count == 60_000)
  }

  @Test(arguments: Stack.allTypes)
  func `links are deleted with the rows of a batch`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type, model: ManyToManyTests.model)
    func object(_ entity: String, _ text: String) -> ManagedObject {
      let object = ManagedObject(
        entity: ManyToManyTests.model.entitiesByName[entity]!, insertInto: stack.context)
      object.setRequiredValue(text, at: PropertySlot(-1, "text"))
      return object
    }
    let tags = ["x", "y", "z"].map { object("Tag", $0) }
    let place = PropertySlot(-1, "tags")
    let note = object("Note", "a")
    note.setOrderedToMany(OrderedSet(tags), at: place)
    try stack.context.save()
    var request = FetchRequest<ManagedObject>(entityName: "Tag")
    request.predicate = .comparison("text", .notEqual, .string("y"))
    let changes = try stack.context.execute(BatchDeleteRequest(fetchRequest: request))
    #expect(Set(changes.deleted) == [tags[0].objectID, tags[2].objectID])
    let other = stack.anotherContext()
    let again = try other.existingObject(with: note.objectID)
    #expect((again.orderedToMany(at: place) as OrderedSet<ManagedObject>).count == 1)
    guard type == .sqlite else { return }
    let join = try stack.sqlite(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_*TAGS'")
    let links = try stack.sqlite("SELECT count(*) FROM \(try #require(join))")
    #expect(links == "1", "\(join ?? "")")
  }
}

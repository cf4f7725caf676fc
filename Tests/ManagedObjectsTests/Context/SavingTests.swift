import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct SavingTests {
  // MARK: Pending changes

  @Test(arguments: Stack.allTypes)
  func `a new context has no changes`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    #expect(!stack.context.hasChanges)
    try stack.context.save()
    #expect(try stack.reread(Dog.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a new object is inserted until it is saved`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
    #expect(dog.isInserted && dog.hasChanges && !dog.isUpdated && !dog.isDeleted && !dog.isFault)
    #expect(stack.context.insertedObjects == [dog])
    #expect(stack.context.hasChanges)
    try stack.context.save()
    #expect(!dog.isInserted && !dog.hasChanges)
    #expect(stack.context.insertedObjects.isEmpty && !stack.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `a changed object is updated until it is saved`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    dog.targetMinutes = 60
    #expect(dog.isUpdated && dog.hasChanges && !dog.isInserted && !dog.isDeleted)
    #expect(stack.context.updatedObjects == [dog])
    #expect(stack.context.hasChanges)
    try stack.context.save()
    #expect(!dog.isUpdated && !dog.hasChanges)
    #expect(stack.context.updatedObjects.isEmpty && !stack.context.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `a deleted object is deleted until it is saved, then detached`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    dog.targetMinutes = 60
    stack.context.delete(dog)
    #expect(dog.isDeleted && dog.hasChanges && !dog.isInserted && !dog.isUpdated)
    #expect(stack.context.deletedObjects == [dog])
    #expect(stack.context.updatedObjects.isEmpty)
    try stack.context.save()
    #expect(!dog.isDeleted && !dog.hasChanges && dog.managedObjectContext == nil)
    #expect(stack.context.deletedObjects.isEmpty && !stack.context.hasChanges)
    #expect(stack.context.registeredObjects.isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a deleted object still has its values`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    stack.context.delete(dog)
    try stack.context.save()
    #expect(dog.name == "Fido")
  }

  @Test(arguments: Stack.allTypes)
  func `an object discarded before it was saved leaves nothing to save`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
    stack.context.delete(dog)
    #expect(!dog.isInserted && !dog.isDeleted && !dog.hasChanges)
    #expect(stack.context.insertedObjects.isEmpty && stack.context.deletedObjects.isEmpty)
    #expect(!stack.context.hasChanges)
    try stack.context.save()
    #expect(stack.context.registeredObjects.isEmpty)
    #expect(try stack.reread(Dog.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `deleting twice is like deleting once`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    stack.context.delete(dog)
    stack.context.delete(dog)
    try stack.context.save()
    stack.context.delete(dog)
    #expect(!stack.context.hasChanges)
  }

  // MARK: What is written

  @Test(arguments: Stack.allTypes)
  func `inserts, updates and deletes are made in one save`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10, 20])
    let rex = try stack.dog("Rex")
    fido.name = "Fidolino"
    stack.context.delete(rex)
    stack.context.delete(fido.walks[0])
    try Dog.findOrCreate(named: "Bello", in: stack.context).addToWalks(stack.walk(minutes: 30))
    try stack.context.save()
    let dogs = try stack.reread(Dog.self)
    #expect(dogs.map(\.name) == ["Fidolino", "Bello"])
    #expect(dogs.map(\.minutes) == [[20], [30]])
  }

  @Test(arguments: Stack.allTypes)
  func `new objects that refer to each other are saved together`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.kennel(type)
    // The licence is made first, so that neither order of inserting would do by itself.
    let (licence, person) = (Licence(context: stack.context), Person(context: stack.context))
    let hound = Hound(context: stack.context)
    person.licence = licence
    person.favourite = hound
    hound.owner = person
    try stack.context.save()
    let reread = try stack.reread(Person.self)[0]
    #expect(reread.licence?.person === reread)
    #expect(reread.favourite?.owner === reread)
    #expect(person.licence === licence && hound.owner === person)
  }

  @Test(arguments: Stack.allTypes)
  func `a stored object can refer to a new one`(type: PersistentStore.StoreType) throws {
    let stack = try Stack.kennel(type)
    let person = Person(context: stack.context)
    try stack.context.save()
    let cat = Cat(context: stack.context)
    person.favourite = cat
    try stack.context.save()
    #expect(person.favourite === cat)
    #expect(try stack.reread(Person.self)[0].favourite?.objectID == cat.objectID)
  }

  @Test(arguments: Stack.allTypes)
  func `an object can be saved repeatedly`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    for minutes in 1...5 {
      dog.targetMinutes = Int16(minutes)
      dog.addToWalks(stack.walk(minutes: minutes))
      try stack.context.save()
    }
    let reread = try stack.reread(Dog.self)[0]
    #expect(reread.targetMinutes == 5)
    #expect(reread.minutes == [1, 2, 3, 4, 5])
  }

  @Test(arguments: Stack.allTypes)
  func `keys are never reused`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    var keys: [Int64?] = []
    for _ in 0..<3 {
      let dog = try stack.dog("Fido")
      keys.append(dog.objectID.primaryKey)
      stack.context.delete(dog)
      try stack.context.save()
    }
    #expect(keys == (0..<3).map { type.firstKey + $0 })
  }

  @Test func `setting an equal value writes no row`() throws {
    let stack = try Stack()
    let dog = try stack.dog("Fido", minutes: [10])
    dog.name = "Fido"
    dog.targetMinutes = 5
    dog.targetMinutes = nil
    try stack.context.save()
    #expect(try stack.sqlite("SELECT Z_OPT FROM ZDOG") == "1")
  }

  // MARK: Observers

  @Test(arguments: Stack.allTypes)
  func `observers receive the saved changes`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let (fido, rex) = (try stack.dog("Fido"), try stack.dog("Rex"))
    var heard: [ObjectChanges] = []
    let observation = stack.context.observe(.didSave) { heard.append($0) }
    defer { observation.cancel() }
    let bello = try Dog.findOrCreate(named: "Bello", in: stack.context)
    fido.targetMinutes = 5
    let id = rex.objectID
    stack.context.delete(rex)
    try stack.context.save()
    #expect(heard.count == 1)
    #expect(heard[0].inserted == [bello])
    #expect(heard[0].updated == [fido])
    #expect(heard[0].deleted == [rex] && rex.objectID == id)
  }

  @Test(arguments: Stack.allTypes)
  func `observers see permanent IDs`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    var keys: [Int64?] = []
    let observation = stack.context.observe(.didSave) {
      keys = $0.inserted.map(\.objectID.primaryKey)
    }
    defer { observation.cancel() }
    try stack.dog("Fido")
    #expect(keys == [type.firstKey])
  }

  @Test(arguments: Stack.allTypes)
  func `observers receive nothing of an empty or failed save`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido")
    var count = 0
    let observation = stack.context.observe(.didSave) { _ in count += 1 }
    defer { observation.cancel() }
    try stack.context.save()
    _ = Walk(context: stack.context)
    #expect(throws: ValidationError.self) { try stack.context.save() }
    #expect(count == 0)
  }

  @Test(arguments: Stack.allTypes)
  func `an observer may itself make changes and save`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let context = stack.context
    let observation = context.observe(.didSave) { [unowned context] changes in
      guard let dog = changes.inserted.first as? Dog else { return }
      dog.targetMinutes = 30
      #expect(throws: Never.self) { try context.save() }
    }
    defer { observation.cancel() }
    try stack.dog("Fido")
    #expect(!context.hasChanges)
    #expect(try stack.reread(Dog.self)[0].targetMinutes == 30)
  }
}

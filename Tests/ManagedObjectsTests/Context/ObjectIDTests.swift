import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct ObjectIDTests {
  @Test(arguments: Stack.allTypes)
  func `an ID is temporary until the object is saved`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try Dog.findOrCreate(named: "Fido", in: stack.context)
    let temporary = dog.objectID
    #expect(temporary.isTemporaryID && temporary.primaryKey == nil)
    try stack.context.save()
    #expect(!dog.objectID.isTemporaryID && dog.objectID.primaryKey == type.firstKey)
    #expect(dog.objectID != temporary)
  }

  @Test(arguments: Stack.allTypes)
  func `new objects have different IDs`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let ids = (0..<100).map { stack.walk(minutes: $0).objectID }
    #expect(Set(ids).count == 100)
  }

  @Test(arguments: Stack.allTypes)
  func `IDs of one row are equal across contexts`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let id = try stack.dog("Fido").objectID
    let other = try stack.reread(Dog.self)[0].objectID
    #expect(id == other && id.hashValue == other.hashValue)
  }

  @Test func `IDs of one row are equal across containers`() throws {
    let stack = try Stack()
    let id = try stack.dog("Fido").objectID
    let container = try stack.anotherContainer()
    let context = container.newBackgroundContext()
    let dog = try #require(try context.fetch(Dog.fetchRequest()).first)
    #expect(dog.objectID == id && dog.objectID.hashValue == id.hashValue)
    #expect(context.object(with: id) === dog)
  }

  @Test(arguments: Stack.allTypes)
  func `IDs of two entities or stores differ`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10])
    let isShared = dog.objectID.primaryKey == dog.walks[0].objectID.primaryKey
    #expect(isShared != type.keysAreOfAllEntities)
    #expect(dog.objectID != dog.walks[0].objectID)
    #expect(try Stack(type).dog("Fido").objectID != dog.objectID)
  }

  @Test(arguments: Stack.allTypes)
  func `a URI leads back to its ID`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let id = try stack.dog("Fido").objectID
    let uri = id.uriRepresentation()
    let store = stack.container.persistentStore
    #expect(uri.absoluteString == "x-coredata://\(store.identifier)/Dog/p\(type.firstKey)")
    #expect(id.description == uri.absoluteString)
    let coordinator = stack.container.persistentStoreCoordinator
    #expect(coordinator.managedObjectID(forURIRepresentation: uri) == id)
  }

  @Test(arguments: Stack.allTypes)
  func `the URI of a temporary ID cannot be resolved`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let uri = stack.walk(minutes: 1).objectID.uriRepresentation()
    #expect(uri.absoluteString.hasPrefix("x-coredata:///Walk/t"))
    let coordinator = stack.container.persistentStoreCoordinator
    #expect(coordinator.managedObjectID(forURIRepresentation: uri) == nil)
  }

  @Test(arguments: [
    "x-coredata://STORE/Dog/p0", "x-coredata://STORE/Dog/p-1", "x-coredata://STORE/Dog/p",
    "x-coredata://STORE/Dog/1", "x-coredata://STORE/Dog/p1x", "x-coredata://STORE/Cat/p1",
    "x-coredata://STORE/Dog", "x-coredata://STORE/Dog/p1/p2", "http://STORE/Dog/p1",
    "x-coredata://00000000-0000-0000-0000-000000000000/Dog/p1",
    "x-coredata://STORE/Dog/p99999999999999999999",
  ])
  func `other URIs are not IDs`(uri: String) throws {
    let stack = try Stack(.inMemory)
    let coordinator = stack.container.persistentStoreCoordinator
    let identifier = stack.container.persistentStore.identifier
    let url = try #require(URL(string: uri.replacing("STORE", with: identifier)))
    #expect(coordinator.managedObjectID(forURIRepresentation: url) == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `an entity and a number lead to an ID`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let id = try stack.dog("Fido").objectID
    let coordinator = stack.container.persistentStoreCoordinator
    let store = stack.container.persistentStore
    let key = type.firstKey
    #expect(coordinator.managedObjectID(entityName: "Dog", primaryKey: key, in: store) == id)
    #expect(coordinator.managedObjectID(entityName: "Cat", primaryKey: key, in: store) == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `an ID knows its entity`(type: PersistentStore.StoreType) throws {
    #expect(try Stack(type).walk(minutes: 1).objectID.entity.name == "Walk")
  }

  @Test(arguments: Stack.allTypes)
  func `IDs can be sent where objects cannot`(type: PersistentStore.StoreType) async throws {
    let stack = try Stack(type)
    let ids = try ["Fido", "Rex"].map { try stack.dog($0).objectID }
    let kennel = Worker(stack.container)
    #expect(try await kennel.names(of: ids) == ["Fido", "Rex"])
    let made = try await kennel.dog(named: "Bello")
    #expect((try stack.context.existingObject(with: made) as? Dog)?.name == "Bello")
  }

  /// An actor with a context of its own.
  private actor Worker {
    private let context: ManagedObjectContext

    init(_ container: PersistentContainer) { context = container.newBackgroundContext() }

    func names(of ids: [ManagedObjectID]) throws -> [String] {
      try ids.compactMap { try (context.existingObject(with: $0) as? Dog)?.name }
    }

    func dog(named name: String) throws -> ManagedObjectID {
      let dog = try Dog.findOrCreate(named: name, in: context)
      try context.save()
      return dog.objectID
    }
  }

  @Test(arguments: Stack.allTypes, ["Hündin", "犬", "Dog_2"])
  func `an ID is found by its URI whatever letters its entity's name has`(
    type: PersistentStore.StoreType, name: String
  ) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: name,
        properties: [.toOne("dam", name, back: "pups"), .toMany("pups", name, back: "dam")])
    ])
    let stack = try Stack(type, model: model)
    let dam = ManagedObject(name, in: stack.context)
    let pup = ManagedObject(name, in: stack.context)
    pup.setValue(dam, forKey: "dam")
    try stack.context.save()
    let uri = dam.objectID.uriRepresentation()
    let coordinator = stack.container.persistentStoreCoordinator
    #expect(coordinator.managedObjectID(forURIRepresentation: uri) == dam.objectID)
    var request = FetchRequest<ManagedObject>(entityName: name)
    request.predicate = try .init(format: "dam == %@", dam)
    let text = try #require(request.predicate?.predicateFormat)
    request.predicate = try .init(format: text)
    #expect(try stack.context.fetch(request) == [pup])
  }
}

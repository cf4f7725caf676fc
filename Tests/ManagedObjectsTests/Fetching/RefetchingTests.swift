import DogWalkModel
import ManagedObjects
import Testing

/// What a request says about its entity, and about objects already registered.
@Suite struct RefetchingTests {
  @Test(arguments: Stack.allTypes, [true, false])
  func `registered objects adopt stored values on request`(
    type: PersistentStore.StoreType, isWanted: Bool
  ) throws {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [10])
    let context = stack.anotherContext()
    let dog = try #require(try context.fetch(Dog.fetchRequest()).first)
    #expect(dog.minutes == [10])
    fido.targetMinutes = 30
    fido.maximumGap = 60
    fido.addToWalks(stack.walk(minutes: 20))
    try stack.context.save()
    dog.maximumGap = 5
    var request = Dog.fetchRequest()
    request.shouldRefreshRefetchedObjects = isWanted
    #expect(try context.fetch(request) == [dog])
    #expect(dog.targetMinutes == (isWanted ? 30 : nil) && dog.maximumGap == 5)
    #expect(dog.minutes == (isWanted ? [10, 20] : [10]))
    guard isWanted else { return }
    try context.save()
    #expect(try stack.reread(Dog.self)[0].maximumGap == 5)
  }

  @Test(arguments: Stack.allTypes)
  func `observers are notified of refetched objects that had changed`(
    type: PersistentStore.StoreType
  ) async throws {
    let stack = try Stack(type)
    let (fido, _) = (try stack.dog("Fido"), try stack.dog("Rex"))
    let context = stack.anotherContext()
    let dogs = try context.fetch(Dog.fetchRequest())
    fido.targetMinutes = 30
    try stack.context.save()
    var refreshed: [ManagedObject] = []
    let observation = context.observe(.objectsDidChange) { refreshed += $0.refreshed }
    defer { observation.cancel() }
    var request = Dog.fetchRequest()
    request.shouldRefreshRefetchedObjects = true
    let again = try await context.fetchAsynchronously(request)
    #expect(again == dogs)
    context.processPendingChanges()
    #expect(refreshed == [dogs[0]] && dogs[0].targetMinutes == 30)
  }

  @Test(arguments: Stack.allTypes)
  func `a request may be given its entity`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10])
    var request = FetchRequest<ManagedObject>()
    request.entity =
      stack.context.persistentStoreCoordinator.managedObjectModel
      .entitiesByName["Walk"]
    #expect(request.entityName == "Walk")
    #expect(try stack.context.count(for: request) == 1)
    request.entityName = "Dog"
    #expect(request.entity == nil)
    #expect(try stack.context.fetch(request).map(\.entity.name) == ["Dog"])
    request.entity = nil
    #expect(request.entityName == "Dog")
  }

  @Test(arguments: Stack.allTypes)
  func `a column for a to-many is refused, with a suggestion`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20])
    func refusal(_ change: (inout FetchRequest<Dog>) -> Void) -> String {
      var request = Dog.fetchRequest()
      change(&request)
      let error = #expect(throws: PredicateBindingError.self) {
        try stack.context.fetchDictionaries(request)
      }
      return error?.reason ?? ""
    }
    #expect(
      refusal { $0.propertiesToFetch = ["walks"] } == """
        walks refers to many objects, but a column has one value: combine them with an \
        operator, as in walks.@count, or fetch objects.
        """)
    #expect(
      refusal { $0.propertiesToFetch = ["name", "walks.duration"] }
        .contains("as in walks.@max.duration"))
    #expect(refusal { $0.propertiesToGroupBy = ["walks.note"] }.contains("as in walks.@max.note"))
    #expect(refusal { $0.propertiesToFetch = ["walks.dog"] }.contains("refers to many objects"))
    var request = Dog.fetchRequest()
    request.propertiesToFetch = ["name", "walks.@count", "walks.@max.duration"]
    let found = try stack.context.fetchDictionaries(request)
    #expect(found.count == 1 && found[0]["walks.@max.duration"] == .double(1_200))
  }
}

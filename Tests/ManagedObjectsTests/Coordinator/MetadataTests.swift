import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct MetadataTests {
  @Test(arguments: Stack.allTypes)
  func `a store's metadata have its type and its model's hashes`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type)
    let metadata = try stack.metadata()
    #expect(metadata["NSStoreType"] == .string(type.rawValue))
    let hashes = ManagedObjectModel.dogWalk.entityVersionHashesByName
    #expect(
      metadata["NSStoreModelVersionHashes"]
        == .dictionary(hashes.mapValues { .data(Data($0.bytes)) }))
  }

  @Test(arguments: Stack.allTypes)
  func `an application's own key is kept`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.set("fido", "currentDog")
    #expect(try stack.metadata()["currentDog"] == .string("fido"))
  }

  @Test(arguments: Stack.allTypes)
  func `setting a key keeps all others`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let before = try stack.metadata()
    try stack.set("fido", "currentDog")
    try stack.set("Anna", "walker")
    try stack.set("rex", "currentDog")
    var expected = before
    (expected["currentDog"], expected["walker"]) = (.string("rex"), .string("Anna"))
    #expect(try stack.metadata() == expected)
  }

  @Test(arguments: Stack.allTypes)
  func `a key is removed`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let before = try stack.metadata()
    try stack.set("fido", "currentDog")
    try stack.set(nil, "currentDog")
    #expect(try stack.metadata() == before)
  }

  @Test(arguments: Stack.allTypes)
  func `keys that describe the store are unchanged`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let before = try stack.metadata()
    for key in ["NSStoreModelVersionHashes", "NSStoreType", "NSStoreUUID", "_NSAutoVacuumLevel"] {
      try stack.set(nil, key)
      try stack.set("else", key)
    }
    #expect(try stack.metadata() == before)
    if type.isFile { _ = try stack.anotherContainer() }
  }

  @Test(arguments: Stack.allTypes)
  func `values of every kind are kept`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let value = PropertyList.dictionary([
      "list": .array([.integer(1), .real(0.5), .boolean(true)]),
      "date": .date(Date(timeIntervalSinceReferenceDate: 0)), "data": .data(Data([1, 2])),
      "🐕": .string("wuff"),
    ])
    let coordinator = stack.container.persistentStoreCoordinator
    try coordinator.setMetadata(value, forKey: "own", of: stack.container.persistentStore)
    #expect(try stack.metadata()["own"] == value)
  }

  @Test(arguments: Stack.allTypes)
  func `saving leaves the metadata unchanged`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.set("fido", "currentDog")
    let before = try stack.metadata()
    try stack.dog("Fido", minutes: [10])
    #expect(try stack.metadata() == before)
  }

  @Test func `another container sees the metadata, and keeps unknown keys`() throws {
    let stack = try Stack()
    let other = try stack.anotherContainer()
    try stack.set("fido", "currentDog")
    try other.persistentStoreCoordinator.setMetadata(
      .string("Anna"), forKey: "walker", of: other.persistentStore)
    #expect(try stack.metadata()["currentDog"] == .string("fido"))
    #expect(try stack.metadata()["walker"] == .string("Anna"))
  }
}

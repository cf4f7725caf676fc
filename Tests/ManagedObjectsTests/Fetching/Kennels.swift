import DogWalkModel
import Foundation
import ManagedObjects

/// Two stores of dogs: "at home" and "away".
struct Kennels {
  let folder: StoreFolder
  let context: ManagedObjectContext
  let stores: [PersistentStore]

  /// - Parameter minutes: the walks of each dog, by its store and its name.
  init(_ type: PersistentStore.StoreType, _ minutes: [[String: [Int]]]) throws {
    try self.init(minutes.map { _ in type }, minutes)
  }

  /// - Parameters:
  ///   - types: the kind of each store.
  ///   - minutes: the walks of each dog, by its store and its name.
  init(_ types: [PersistentStore.StoreType], _ minutes: [[String: [Int]]]) throws {
    folder = try StoreFolder()
    let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    var stores: [PersistentStore] = []
    for (place, type) in types.enumerated() {
      let url = folder.url.appending(path: "Kennel\(place).sqlite")
      stores.append(
        try coordinator.addPersistentStore(type: type, at: type.place(url)))
    }
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    for (store, dogs) in zip(stores, minutes) {
      for (name, minutes) in dogs.sorted(by: { $0.key < $1.key }) {
        let dog = Dog(context: context)
        context.assign(dog, to: store)
        (dog.name, dog.nameKey) = (name, name.lowercased())
        for minutes in minutes {
          let walk = Walk(context: context)
          context.assign(walk, to: store)
          walk.date = Date(timeIntervalSinceReferenceDate: Double(minutes))
          walk.duration = Double(minutes * 60)
          walk.dog = dog
        }
      }
    }
    try context.save()
    self.context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    self.stores = stores
  }

  static func example(_ type: PersistentStore.StoreType) throws -> Kennels {
    try example([type, type])
  }

  static func example(_ types: [PersistentStore.StoreType]) throws -> Kennels {
    try Kennels(types, [["Fido": [10, 40], "Rex": [30]], ["Bo": [20, 50], "Zoë": [35, 5]]])
  }

  /// Another context on both stores.
  func anotherContext() -> ManagedObjectContext {
    ManagedObjectContext(
      persistentStoreCoordinator: context.persistentStoreCoordinator)
  }
}

import Foundation
import ManagedObjects

final class Dog: ManagedObject {}
final class Walk: ManagedObject {}

/// The app without its window: the current dog, and the list of its walks.
@MainActor
final class DogWalkApp {
  private let context: ManagedObjectContext
  private let dog: Dog

  /// Creates the stack manually: a model, a coordinator with a store, and a context.
  init(storeURL: URL) throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    try coordinator.addPersistentStore(type: .sqlite, at: storeURL)
    context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    dog = try Self.currentDog(in: context)
  }

  /// Returns the existing dog, or a new one if the app runs for the first time.
  private static func currentDog(in context: ManagedObjectContext) throws -> Dog {
    var request = Dog.fetchRequest()
    request.predicate = \Dog.name == "Fido"
    if let dog = try context.fetch(request).first {
      print("\(dog.name) is known.")
      return dog
    }
    let dog = Dog(context: context)
    dog.name = "Fido"
    try context.save()
    print("\(dog.name) is new.")
    return dog
  }

  func addWalk(at date: Date) throws {
    let walk = Walk(context: context)
    walk.date = date
    dog.addToWalks(walk)  // and walk.dog is dog
    try context.save()
    print("Added the walk of \(date).")
  }

  func deleteWalk(at index: Int) throws {
    let walk = dog.walks[index]
    print("Deleting the walk of \(walk.date).")
    context.delete(walk)
    try context.save()
  }

  func list() {
    print("Walks of \(dog.name): \(dog.walks.count)")
    for (index, walk) in dog.walks.enumerated() { print("  \(index)  \(walk.date)") }
  }
}

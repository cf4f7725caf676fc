import Foundation
import ManagedObjects

final class Dog: ManagedObject {}
final class Walk: ManagedObject {}

/// Answers requests from a store, one at a time; a server has one such actor for each connection.
///
/// The context belongs to the actor, so its objects cannot be accessed from elsewhere: requests and
/// responses are values.
actor Kennel {
  private let context: ManagedObjectContext

  init(_ container: PersistentContainer) {
    context = container.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
  }

  /// Answers a request; after an error, the response contains its reason, and all changes are
  /// rolled back.
  func answer(_ request: Request) -> Response {
    do {
      switch request {
      case .add(let walk): return .added(try add(walk))
      case .walks(let dog): return .walks(try walks(of: dog))
      case .dogs: return .dogs(try dogs())
      case .delete(let id): return try delete(id) ? .deleted : .refused(reason: "No such walk.")
      }
    } catch {
      context.rollback()
      return .refused(reason: "\(error)")
    }
  }

  private func add(_ new: Request.NewWalk) throws -> WalkValue {
    let walk = Walk(context: context)
    walk.dog = try context.findOrCreate(Dog.self, where: "name", equals: .string(new.dog))
    walk.date = new.date
    walk.minutes = new.minutes
    try context.save()
    return WalkValue(walk)
  }

  private func walks(of dog: String) throws -> [WalkValue] {
    var request = Walk.fetchRequest()
    request.predicate = \Walk.dog?.name == dog
    request.sortDescriptors = [.init(key: "date")]
    return try context.fetch(request).map(WalkValue.init)
  }

  /// Counts and sums are computed by the store, without an object for each walk.
  private func dogs() throws -> [DogValue] {
    var request = Walk.fetchRequest()
    request.propertiesToFetch = [
      "dog.name", ExpressionDescription(name: "walks", .count, of: .keyPath("date")),
      ExpressionDescription(name: "minutes", .sum, of: .keyPath("minutes")),
    ]
    request.propertiesToGroupBy = ["dog.name"]
    request.sortDescriptors = [.init(key: "dog.name")]
    return try context.fetchDictionaries(request).compactMap { row in
      guard case .string(let name) = row["dog.name"], case .integer(let walks) = row["walks"],
        case .integer(let minutes) = row["minutes"]
      else { return nil }
      return DogValue(name: name, walks: Int(walks), minutes: Int(minutes))
    }
  }

  private func delete(_ id: URL) throws -> Bool {
    let coordinator = context.persistentStoreCoordinator
    guard let objectID = coordinator.managedObjectID(forURIRepresentation: id),
      let walk = try? context.existingObject(with: objectID) as? Walk
    else { return false }
    context.delete(walk)
    try context.save()
    return true
  }
}

extension WalkValue {
  init(_ walk: Walk) {
    id = walk.objectID.uriRepresentation()
    dog = walk.dog?.name ?? ""
    date = walk.date
    minutes = walk.minutes
  }
}

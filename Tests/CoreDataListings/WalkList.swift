import CoreDataNames
import Foundation

/// An ordered to-many, as NSOrderedSet.
package class WalkList {
  let managedContext: NSManagedObjectContext
  package var currentDog: Dog?

  package init(_ context: NSManagedObjectContext) { managedContext = context }

  package func open(_ dogName: String) {
    let dogFetch: NSFetchRequest<Dog> = Dog.fetchRequest()
    dogFetch.predicate = NSPredicate(format: "%K == %@", "name", dogName)
    do {
      let results = try managedContext.fetch(dogFetch)
      if results.count > 0 {
        currentDog = results.first
      } else {
        currentDog = Dog(context: managedContext)
        currentDog?.name = dogName
        try managedContext.save()
      }
    } catch let error as NSError {
      print("Fetch error: \(error) description: \(error.userInfo)")
    }
  }

  package var rows: Int { currentDog?.walks?.count ?? 0 }

  package func date(at indexPath: IndexPath) -> Date? {
    guard let walk = currentDog?.walks?[indexPath.row] as? Walk, let date = walk.date else {
      return nil
    }
    return date
  }

  package func add(_ date: Date) throws {
    let walk = Walk(context: managedContext)
    walk.date = date
    if let dog = currentDog, let walks = dog.walks?.mutableCopy() as? NSMutableOrderedSet {
      walks.add(walk)
      dog.walks = walks
    }
    try managedContext.save()
  }

  package func addAnother(_ date: Date) throws {
    let walk = Walk(context: managedContext)
    walk.date = date
    walk.minutes = 30
    currentDog?.addToWalks(walk)
    currentDog?.insertIntoWalks([Walk(context: managedContext)], at: NSIndexSet(index: 0))
    try managedContext.save()
  }

  package func remove(at index: Int) throws {
    guard let walkToRemove = currentDog?.walks?[index] as? Walk else { return }
    managedContext.delete(walkToRemove)
    try managedContext.save()
  }

  package func allWalks() -> [Walk] {
    currentDog?.walks?.array as? [Walk] ?? []
  }
}

import CoreDataNames
import Foundation

/// Values by their names, without classes.
package class DogNames {
  package var dogs: [NSManagedObject] = []
  let managedContext: NSManagedObjectContext

  package init(_ context: NSManagedObjectContext) { managedContext = context }

  package func save(name: String) {
    let entity = NSEntityDescription.entity(forEntityName: "Dog", in: managedContext)!
    let dog = NSManagedObject(entity: entity, insertInto: managedContext)
    dog.setValue(name, forKeyPath: "name")
    dog.setValue(3, forKey: "age")
    do {
      try managedContext.save()
      dogs.append(dog)
    } catch let error as NSError {
      print("Could not save. \(error), \(error.userInfo)")
    }
  }

  package func load() {
    let fetchRequest = NSFetchRequest<NSManagedObject>(entityName: "Dog")
    fetchRequest.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    do {
      dogs = try managedContext.fetch(fetchRequest)
    } catch let error as NSError {
      print("Could not fetch. \(error), \(error.userInfo)")
    }
  }

  package func title(at index: Int) -> String? {
    let dog = dogs[index]
    let age = dog.value(forKey: "age") as? Int
    return (dog.value(forKeyPath: "name") as? String).map { "\($0), \(age ?? 0)" }
  }
}

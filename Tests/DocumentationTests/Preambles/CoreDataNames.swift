// What the examples of CoreDataNames take as given: the stack of an app, and its objects.
import CoreDataNames
import Foundation

let container = NSPersistentContainer(name: "Kennel", managedObjectModel: model)
var context: NSManagedObjectContext { fatalError() }
var coordinator: NSPersistentStoreCoordinator { fatalError() }
var dog: Dog { fatalError() }
var ids: [NSManagedObjectID] { fatalError() }
var list: any NSFetchedResultsControllerDelegate { fatalError() }
var metadata: [String: Any] { fatalError() }
var model: NSManagedObjectModel { fatalError() }
var name: String { fatalError() }
var notification: Notification { fatalError() }
var objects: [[String: Any]] { fatalError() }
var request: NSFetchRequest<Dog> { fatalError() }
var template: NSPredicate { fatalError() }
var url: URL { fatalError() }

final class Dog: NSManagedObject {
  var age: Int16 { fatalError() }
  var name: String? {
    get { fatalError() }
    set {}
  }

  class func fetchRequest() -> NSFetchRequest<Dog> { NSFetchRequest(entityName: "Dog") }
}

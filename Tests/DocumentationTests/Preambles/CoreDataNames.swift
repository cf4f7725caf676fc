// What the examples of CoreDataNames assume: the stack of an app, and its objects.
import CoreDataNames
import Foundation

let container = NSPersistentContainer(name: "Kennel", managedObjectModel: model)
var attribute: NSAttributeDescription { fatalError() }
var change: NSPersistentHistoryChange { fatalError() }
var conflict: NSMergeConflict { fatalError() }
var context: NSManagedObjectContext { fatalError() }
var coordinator: NSPersistentStoreCoordinator { fatalError() }
var dog: Dog { fatalError() }
var ids: [NSManagedObjectID] { fatalError() }
var list: any NSFetchedResultsControllerDelegate { fatalError() }
var manager: NSMigrationManager { fatalError() }
var mapping: NSEntityMapping { fatalError() }
var mappingModel: NSMappingModel { fatalError() }
var metadata: [String: Any] { fatalError() }
var model: NSManagedObjectModel { fatalError() }
var name: String { fatalError() }
var new: NSManagedObjectModel { fatalError() }
var newURL: URL { fatalError() }
var notification: Notification { fatalError() }
var objects: [[String: Any]] { fatalError() }
var old: NSManagedObjectModel { fatalError() }
var request: NSFetchRequest<Dog> { fatalError() }
var store: NSPersistentStore { fatalError() }
var template: NSPredicate { fatalError() }
var token: NSPersistentHistoryToken { fatalError() }
var transaction: NSPersistentHistoryTransaction { fatalError() }
var url: URL { fatalError() }
var urls: [URL] { fatalError() }

final class Dog: NSManagedObject {
  var age: Int16 { fatalError() }
  var isFed: Bool {
    get { fatalError() }
    set {}
  }
  var name: String? {
    get { fatalError() }
    set {}
  }

  class func fetchRequest() -> NSFetchRequest<Dog> { NSFetchRequest(entityName: "Dog") }
}

// What the examples of CSVStores take as given: a model, and a place.
import CSVStores
import DataModel
import Foundation
import ManagedObjects

var folder: URL { fatalError() }
var model: ManagedObjectModel { fatalError() }

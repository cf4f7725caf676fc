// What the examples of CSVStores assume: a model, and a folder.
import CSVStores
import DataModel
import Foundation
import ManagedObjects

var folder: URL { fatalError() }
var model: ManagedObjectModel { fatalError() }

// What the examples of DogWalkModel take as given.
@testable import DogWalkModel
import Foundation
import ManagedObjects

var context: ManagedObjectContext { fatalError() }
var environment: [String: String] { [:] }
var log: WalkLog { fatalError() }
var url: URL { fatalError() }

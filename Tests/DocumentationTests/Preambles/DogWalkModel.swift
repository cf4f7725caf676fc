// What the examples of DogWalkModel assume.
@testable import DogWalkModel
import Foundation
import ManagedObjects

var context: ManagedObjectContext { fatalError() }
var environment: [String: String] { [:] }
var log: WalkLog { fatalError() }
var url: URL { fatalError() }
var otherURL: URL { fatalError() }
var known: Set<SyncRound> { [] }
var other: WalkLog { fatalError() }
var othersKnown: Set<SyncRound> { [] }
var othersRecord: SyncRecord? { nil }
var record: SyncRecord? { nil }
var walk: Walk { fatalError() }

// What the examples of DogWalkCommands assume.
@testable import CommandLineKit
@testable import DogWalkCommands
@testable import DogWalkModel
import Foundation

var clock: WallClock { fatalError() }
var date: Date { fatalError() }
var day: CivilDate { fatalError() }
var names: KnownNames { fatalError() }
var lines: [String] { fatalError() }
var log: WalkLog { fatalError() }
var output: OutputSink { fatalError() }
var query: WalkQuery { fatalError() }
var reader: StreakReader {
  get { fatalError() }
  set {}
}
var run: CommandRun { fatalError() }
var style: ReadingStyle { fatalError() }
var terminal: Terminal { fatalError() }
var time: ClockTime { fatalError() }
var today: CivilDate { fatalError() }
var tomorrow: CivilDate { fatalError() }
var walk: Walk { fatalError() }

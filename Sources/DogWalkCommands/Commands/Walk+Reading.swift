import CommandLineKit
import DogWalkModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Walk {
  /// When it began, by the clock it was written down by, or else by the reader's.
  func start(in zone: LocalZone) -> Moment {
    utcOffset.map { Moment(date: date, utcOffset: Int($0)) } ?? zone.moment(at: date)
  }

  /// How many seconds it took; `nil` where nobody said, or it is still going on.
  var seconds: Double? { isOngoing ? nil : duration }

  /// How many minutes it took; `nil` where nobody said, or it is still going on.
  var minutes: Double? { seconds.map { $0 / 60 } }

  /// The dog's name as it is shown to people.
  var shownDogName: String { dog?.name.escapingControls ?? "" }

  /// The walk as a sentence names it, with the moment as the caller reads it.
  ///
  ///     walk.reading("today 18:00")   // Fido, today 18:00, 35 min, 2.4 km
  func reading(_ start: String) -> String {
    var text = "\(shownDogName), \(start)"
    if isOngoing { text += ", going on" }
    if let seconds { text += ", \(Duration.seconds(seconds).reading)" }
    if let distance { text += ", \(Distance(metres: distance).reading)" }
    return text
  }

  /// The walk with everything there is to say about it, a long note cut short.
  ///
  ///     walk.wholeReading("today 18:00")   // Fido, today 18:00, 35 min, by Ana, pee 2; "rain"
  func wholeReading(_ start: String) -> String {
    var text = reading(start)
    if let walker { text += ", by \(walker.escapingControls)" }
    for (count, name) in [(peeCount, "pee"), (pooCount, "poo")] {
      if let count { text += count == 1 ? ", \(name)" : ", \(name) \(count)" }
    }
    if let note { text += "; \"\(note.escapingControls.truncated(to: 40))\"" }
    return text
  }
}

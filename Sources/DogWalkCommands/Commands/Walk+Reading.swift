import CommandLineKit
import DogWalkModel
import ManagedObjects
import SystemLibraries

extension Dog {
  /// The name as shown to people.
  var shownName: String { name.isEmpty ? "\"\"" : name.escapingControls }
}

extension Walk {
  /// Returns the start in the zone it was recorded in, else in the given one; `nil` without a valid
  /// date.
  func start(in zone: LocalZone) -> Moment? {
    guard let start else { return nil }
    return clockOffset.map { Moment(date: start, utcOffset: $0) } ?? zone.moment(at: start)
  }

  /// Returns whether the walk began in a period; false without a date.
  func lies(in period: Period, _ zone: LocalZone) -> Bool {
    start(in: zone).map(period.contains) ?? false
  }

  /// Returns the zone of the walk: the local one, or a fixed one if its UTC offset then was
  /// different.
  func zone(orElse local: LocalZone) -> LocalZone {
    guard let start, let clockOffset, local.utcOffset(at: start) != clockOffset else {
      return local
    }
    return .fixed(clockOffset)
  }

  /// Returns the end, with the UTC offset at the end; for people.
  func end(in zone: LocalZone) -> Moment? {
    guard start != nil, let end else { return nil }
    return self.zone(orElse: zone).moment(at: end)
  }

  /// Returns the end, with the UTC offset of the start; for programs.
  func end(by start: Moment?) -> Moment? {
    guard let start, let end else { return nil }
    return Moment(date: end, utcOffset: start.utcOffset)
  }

  /// The length in minutes; `nil` if it is unknown or the walk is still in progress.
  var minutes: Double? { seconds.map { $0 / 60 } }

  /// Reads the names of the dog, the walker and the tags, and returns these objects.
  ///
  /// As long as they are held, their names can be shown, even if others have deleted them since.
  func readNames() -> [ManagedObject] {
    _ = (dog?.name, walkerName, tagNames)
    return [dog, walker].compactMap { $0 } + tags.map { $0 }
  }

  /// The dog's name as shown to people.
  var shownDogName: String { dog?.shownName ?? "no dog" }

  /// Returns the walk as described in a sentence, with the given text for its start.
  ///
  ///     walk.reading("today 18:00")   // Fido, today 18:00, 35 min, 2.4 km
  func reading(_ start: String) -> String {
    var text = "\(shownDogName), \(start)"
    if isOngoing { text += ", going on" }
    if let seconds { text += ", \(Duration.seconds(seconds).reading)" }
    if let metres { text += ", \(Distance(metres: metres).reading)" }
    return text
  }

  /// Returns the walk with all of its values; a long note is truncated.
  ///
  ///     walk.wholeReading("today 18:00")   // Fido, today 18:00, 35 min, by Ana, pee 2; "rain"
  ///
  /// - Parameters:
  ///   - tags: the names of its tags, if they are known.
  ///   - namesNoLength: whether to mention that the length is unknown.
  func wholeReading(
    _ start: String, tags: [String]? = nil, namesNoLength: Bool = false
  ) -> String {
    reading(start) + (namesNoLength && seconds == nil ? ", no length" : "")
      + details(tags: tags ?? tagNames)
  }

  /// The values other than dog, time, length and distance, each after a comma; a long note is
  /// truncated.
  var details: String { details(tags: tagNames) }

  private func details(tags: [String]) -> String {
    var text = ""
    if let walkerName { text += ", by \(walkerName.escapingControls)" }
    for (count, name) in [(peeCount, "pee"), (pooCount, "poo")] {
      if let count { text += count == 1 ? ", \(name)" : ", \(name) \(count)" }
    }
    for tag in tags { text += ", +\(tag.escapingControls)" }
    if let note { text += "; \"\(note.escapingControls.truncated(to: 40))\"" }
    return text
  }
}

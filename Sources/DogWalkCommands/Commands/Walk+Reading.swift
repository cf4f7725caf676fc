import CommandLineKit
import DogWalkModel
import SystemLibraries

extension Dog {
  /// The name as it is shown to people.
  var shownName: String { name.isEmpty ? "\"\"" : name.escapingControls }
}

extension Walk {
  /// When it began, by the clock it was written down by, or else by the reader's; `nil` where the
  /// row has no date that a calendar shows.
  func start(in zone: LocalZone) -> Moment? {
    guard let start else { return nil }
    return clockOffset.map { Moment(date: start, utcOffset: $0) } ?? zone.moment(at: start)
  }

  /// Whether it began in a period; one without a date lies in none.
  func lies(in period: Period, _ zone: LocalZone) -> Bool {
    start(in: zone).map(period.contains) ?? false
  }

  /// The zone in which it was walked: the local one, or where that had another UTC offset at its
  /// start, a fixed one.
  func zone(orElse local: LocalZone) -> LocalZone {
    guard let start, let clockOffset, local.utcOffset(at: start) != clockOffset else {
      return local
    }
    return .fixed(clockOffset)
  }

  /// When it ended, with the UTC offset at its end; for people.
  func end(in zone: LocalZone) -> Moment? {
    guard start != nil, let end else { return nil }
    return self.zone(orElse: zone).moment(at: end)
  }

  /// When it ended, with the UTC offset of its start; for programs.
  func end(by start: Moment?) -> Moment? {
    guard let start, let end else { return nil }
    return Moment(date: end, utcOffset: start.utcOffset)
  }

  /// How many minutes it took; `nil` where nobody said, or it is still going on.
  var minutes: Double? { seconds.map { $0 / 60 } }

  /// The dog's name as it is shown to people.
  var shownDogName: String { dog?.shownName ?? "no dog" }

  /// The walk as a sentence names it, with the moment as the caller reads it.
  ///
  ///     walk.reading("today 18:00")   // Fido, today 18:00, 35 min, 2.4 km
  func reading(_ start: String) -> String {
    var text = "\(shownDogName), \(start)"
    if isOngoing { text += ", going on" }
    if let seconds { text += ", \(Duration.seconds(seconds).reading)" }
    if let metres { text += ", \(Distance(metres: metres).reading)" }
    return text
  }

  /// The walk with everything there is to say about it, a long note cut short.
  ///
  ///     walk.wholeReading("today 18:00")   // Fido, today 18:00, 35 min, by Ana, pee 2; "rain"
  ///
  /// - Parameters:
  ///   - tags: the names of its tags, where they are known.
  ///   - namesNoLength: whether it is said that nobody gave a length.
  func wholeReading(
    _ start: String, tags: [String]? = nil, namesNoLength: Bool = false
  ) -> String {
    reading(start) + (namesNoLength && seconds == nil ? ", no length" : "")
      + details(tags: tags ?? tagNames)
  }

  /// What there is to say beside dog, time, length and distance, each behind a comma; a long note
  /// cut short.
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

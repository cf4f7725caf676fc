import SystemLibraries

/// Normalized values, for comparisons.
extension WalkDraft {
  /// Creates a draft with some of a walk's fields.
  ///
  /// - Parameter localOffset: returns the UTC offset for a walk that has none of its own.
  init(_ walk: Walk, _ fields: WalkRecord.Fields, localOffset: (Date) -> Int) {
    self.init(start: walk.date, utcOffset: walk.clockOffset ?? localOffset(walk.date))
    duration = walk.seconds
    distance = walk.metres
    note = walk.note
    walker = walk.walkerName
    isOngoing = walk.isOngoing
    peeCount = walk.peeCount.map { Int($0) }
    pooCount = walk.pooCount.map { Int($0) }
    // Each of these is fetched separately.
    if fields.contains(.tags) { tags = walk.tagNames }
    if fields.contains(.track) { track = walk.trackPoints }
  }

  /// Returns only some fields, with spellings normalized and numbers rounded to the precision of
  /// files.
  func values(_ fields: WalkRecord.Fields) -> WalkDraft {
    let second = start.timeIntervalSinceReferenceDate.rounded(.down)
    var values = WalkDraft(
      start: Date(timeIntervalSinceReferenceDate: second), utcOffset: utcOffset)
    func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }
    if fields.contains(.duration), !isOngoing { values.duration = duration.map(rounded) }
    if fields.contains(.distance) { values.distance = distance.map(rounded) }
    if fields.contains(.note) { values.note = note }
    if fields.contains(.walker) { values.walker = walker.map { NameKey.of($0) } }
    if fields.contains(.peeCount) { values.peeCount = peeCount }
    if fields.contains(.pooCount) { values.pooCount = pooCount }
    if fields.contains(.isOngoing) { values.isOngoing = isOngoing }
    if fields.contains(.tags) { values.tags = Set(tags.map { NameKey.of($0) }).sorted() }
    if fields.contains(.track) { values.track = track }
    return values
  }
}

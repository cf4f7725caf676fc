package import SystemLibraries

/// What there is to write down about a walk, but for the dog.
package struct WalkDraft: Sendable, Hashable {
  /// When it began.
  package var start: Date
  /// How many seconds the walker's clocks were ahead of UTC.
  package var utcOffset: Int
  /// How long it was, in seconds; nil where nobody said.
  package var duration: Double?
  /// How far it was, in metres.
  package var distance: Double?
  /// What there is to remember.
  package var note: String?
  /// Who held the lead.
  package var walker: String?
  /// The words that it has in common with others.
  package var tags: [String] = []
  /// The way that it took, as a tracker recorded it.
  package var track: TrackPoints?
  /// How often the dog peed.
  package var peeCount: Int?
  /// How often the dog pooed.
  package var pooCount: Int?
  /// Whether it is still going on, so that nobody can say how long it will be.
  package var isOngoing = false

  /// A walk of which only the start is known.
  package init(start: Date, utcOffset: Int) {
    self.start = start
    self.utcOffset = utcOffset
  }
}

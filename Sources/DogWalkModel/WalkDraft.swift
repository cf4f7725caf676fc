package import SystemLibraries

/// The values of a walk to be recorded, without the dog.
package struct WalkDraft: Sendable, Hashable {
  /// The start.
  package var start: Date
  /// The offset of the walker's clock from UTC, in seconds.
  package var utcOffset: Int
  /// The duration in seconds; nil if unknown.
  package var duration: Double?
  /// The distance in metres.
  package var distance: Double?
  /// A note about the walk.
  package var note: String?
  /// The name of the person who held the lead.
  package var walker: String?
  /// The names of the tags.
  package var tags: [String] = []
  /// The recorded track.
  package var track: TrackPoints?
  /// How often the dog peed.
  package var peeCount: Int?
  /// How often the dog pooed.
  package var pooCount: Int?
  /// Whether the walk is still ongoing, so that its duration is unknown.
  package var isOngoing = false

  /// Creates a draft of which only the start is known.
  package init(start: Date, utcOffset: Int) {
    self.start = start
    self.utcOffset = utcOffset
  }
}

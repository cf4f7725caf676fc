package import SystemLibraries

/// A walk as described in a file of another program or another store.
package struct WalkRecord: Sendable {
  /// The fields of a walk that a file may contain or omit.
  package struct Fields: OptionSet, Sendable {
    /// The fields as bits.
    package let rawValue: Int
    /// Creates a set of fields from bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The duration.
    package static let duration = Fields(rawValue: 1)
    /// The distance.
    package static let distance = Fields(rawValue: 2)
    /// The note.
    package static let note = Fields(rawValue: 4)
    /// The walker.
    package static let walker = Fields(rawValue: 8)
    /// How often the dog peed.
    package static let peeCount = Fields(rawValue: 16)
    /// How often the dog pooed.
    package static let pooCount = Fields(rawValue: 32)
    /// Whether the walk is still ongoing.
    package static let isOngoing = Fields(rawValue: 64)
    /// The tags.
    package static let tags = Fields(rawValue: 128)
    /// The track.
    package static let track = Fields(rawValue: 256)
  }

  /// The dog's name.
  package let dog: String
  /// The dog's UUID, the same in every store; nil if the file contains none.
  package let dogUUID: UUID?
  /// The walk's UUID, the same in every store; nil if the file contains none.
  package let uuid: UUID?
  /// The exporting store and the version of the walk in it; nil if the file contains none.
  package let version: WalkVersion?
  /// The walk's number in that store; nil if the file contains none.
  package let number: Int64?
  /// The values.
  package let draft: WalkDraft
  /// The fields that the file contains; others stay unchanged.
  package let fields: Fields

  /// Whether it was recorded by a tracker rather than written by a person.
  var isTrack: Bool { uuid == nil && fields == [.duration, .distance, .track] }

  /// Creates a record from the contents of a file.
  package init(
    dog: String, dogUUID: UUID? = nil, uuid: UUID?, version: WalkVersion? = nil,
    number: Int64? = nil, draft: WalkDraft, fields: Fields
  ) {
    self.dog = dog
    self.dogUUID = dogUUID
    self.uuid = uuid
    self.version = version
    self.number = number
    self.draft = draft
    self.fields = fields
  }
}

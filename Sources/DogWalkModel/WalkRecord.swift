package import SystemLibraries

/// A walk as a file of another program, or of another store, tells of it.
package struct WalkRecord: Sendable {
  /// What a file may say of a walk, and may leave out.
  package struct Fields: OptionSet, Sendable {
    /// The fields as bits.
    package let rawValue: Int
    /// Fields by their bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// How long it was.
    package static let duration = Fields(rawValue: 1)
    /// How far it was.
    package static let distance = Fields(rawValue: 2)
    /// What there is to remember.
    package static let note = Fields(rawValue: 4)
    /// Who held the lead.
    package static let walker = Fields(rawValue: 8)
    /// How often the dog peed.
    package static let peeCount = Fields(rawValue: 16)
    /// How often the dog pooed.
    package static let pooCount = Fields(rawValue: 32)
    /// Whether it is still going on.
    package static let isOngoing = Fields(rawValue: 64)
    /// The words that it has in common with others.
    package static let tags = Fields(rawValue: 128)
    /// The way that it took.
    package static let track = Fields(rawValue: 256)
  }

  /// The dog's name.
  package let dog: String
  /// What the dog is known by in every store; nil where the file does not say.
  package let dogUUID: UUID?
  /// What the walk is known by in every store; nil where the file does not say.
  package let uuid: UUID?
  /// Which version of which store's walk it is; nil where the file does not say.
  package let version: WalkVersion?
  /// The walk's number in that store; nil where the file does not say.
  package let number: Int64?
  /// The values.
  package let draft: WalkDraft
  /// Which of them the file speaks of; a value that it leaves out stays as it is.
  package let fields: Fields

  /// Whether it is what a tracker recorded, and no person wrote.
  var isTrack: Bool { uuid == nil && fields == [.duration, .distance, .track] }

  /// A walk as a file tells of it.
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

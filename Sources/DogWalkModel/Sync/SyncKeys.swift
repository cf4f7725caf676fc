import DataModel
import ManagedObjects
import SystemLibraries

/// The keys of one store's dogs, walkers and tags in all stores, and the digests of its objects'
/// values.
struct SyncKeys {
  var dogs: [ManagedObjectID: SyncKey] = [:]
  var walkers: [ManagedObjectID: SyncKey] = [:]
  var tags: [ManagedObjectID: SyncKey] = [:]
  /// Whether any walk may have tags.
  var hasTags = false
  /// The digests of recorded tracks, by their object IDs.
  private var tracks: [ManagedObjectID: SyncDigest] = [:]

  /// Reads all recorded tracks, one at a time.
  mutating func readTracks(in context: ManagedObjectContext) throws {
    tracks = [:]
    let cursor = try context.cursor(for: Track.fetchRequest())
    defer { cursor.close() }
    while let track = try cursor.next() { tracks[track.objectID] = Self.digest(of: track) }
  }

  private static func digest(of track: Track) -> SyncDigest {
    SyncField(.track).digest(of: track.points)
  }

  private func digest(of walk: Walk) -> SyncDigest? {
    guard let track = walk.track else { return nil }
    return track.hasChanges || track.isInserted
      ? Self.digest(of: track)
      : tracks[track.objectID]
        ?? Self.digest(of: track)
  }

  // MARK: Walks

  /// Returns the fingerprint of all values of a walk.
  func fingerprint(of walk: Walk) -> UInt64 {
    var fingerprint = SyncFingerprint()
    fingerprint.add(walk.dog.flatMap { dogs[$0.objectID] }?.number)
    fingerprint.add(walk.date.timeIntervalSinceReferenceDate.bitPattern)
    fingerprint.add(walk.utcOffset.map { UInt64(bitPattern: Int64($0)) })
    fingerprint.add(walk.duration?.bitPattern)
    fingerprint.add(walk.distance?.bitPattern)
    fingerprint.add(walk.isOngoing ? 1 : 0 as UInt64)
    fingerprint.add(walk.note)
    fingerprint.add(walk.walker.flatMap { walkers[$0.objectID] }?.number)
    fingerprint.add(walk.peeCount.map { UInt64(bitPattern: Int64($0)) })
    fingerprint.add(walk.pooCount.map { UInt64(bitPattern: Int64($0)) })
    fingerprint.add(digest(of: walk))
    if hasTags { for number in tagNumbers(of: walk) { fingerprint.add(number) } }
    return fingerprint.value
  }

  private func tagNumbers(of walk: Walk) -> [UInt64] {
    walk.tags.compactMap { tags[$0.objectID]?.number }.sorted()
  }

  /// Returns a walk's item, with the digests of its values.
  func item(of walk: Walk, _ key: SyncKey, _ fingerprint: UInt64) -> SyncItem {
    var digests: [(field: SyncField, digest: SyncDigest)] = []
    func add(_ property: SyncProperty, _ bytes: [UInt8]?) {
      guard let bytes else { return }
      let field = SyncField(property)
      digests.append((field, field.digest(of: bytes)))
    }
    func bytes(_ number: UInt64) -> [UInt8] {
      withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
    func bytes(_ number: some BinaryInteger) -> [UInt8] { bytes(UInt64(bitPattern: Int64(number))) }
    add(.dog, walk.dog.flatMap { dogs[$0.objectID] }?.bytes)
    add(.date, bytes(walk.date.timeIntervalSinceReferenceDate.bitPattern))
    add(.utcOffset, walk.utcOffset.map { bytes($0) })
    add(.duration, walk.duration.map { bytes($0.bitPattern) })
    add(.distance, walk.distance.map { bytes($0.bitPattern) })
    add(.isOngoing, walk.isOngoing ? [1] : nil)
    add(.note, walk.note.map { Array($0.utf8) })
    add(.walker, walk.walker.flatMap { walkers[$0.objectID] }?.bytes)
    add(.peeCount, walk.peeCount.map { bytes($0) })
    add(.pooCount, walk.pooCount.map { bytes($0) })
    if let digest = digest(of: walk) { digests.append((SyncField(.track), digest)) }
    if hasTags {
      for number in tagNumbers(of: walk) {
        digests.append((SyncField(.tags, element: number), 1))
      }
    }
    return SyncItem(key: key, kind: .walk, fingerprint: fingerprint, digests: digests)
  }

  /// Returns the digest that a dog has as the value of a walk.
  static func digest(ofDog key: SyncKey) -> SyncDigest { SyncField(.dog).digest(of: key.bytes) }

  // MARK: Dogs and names

  /// Returns a dog's item, with the digests of its values.
  func item(of dog: Dog, _ key: SyncKey) -> SyncItem {
    var digests = [Self.value(.name, Array(dog.name.utf8))]
    if let target = dog.targetMinutes {
      digests.append(Self.value(.target, Array("\(target)".utf8)))
    }
    if let gap = dog.maximumGap { digests.append(Self.value(.gap, Array("\(gap)".utf8))) }
    return Self.item(key, .dog, digests)
  }

  /// Returns the item of a walker or a tag, whose only value is the spelling of its name.
  func item(of object: some NamedObject, _ key: SyncKey, _ kind: SyncKind) -> SyncItem {
    Self.item(key, kind, [Self.value(.name, Array(object.name.utf8))])
  }

  private static func value(
    _ property: SyncProperty, _ bytes: [UInt8]
  ) -> (field: SyncField, digest: SyncDigest) {
    let field = SyncField(property)
    return (field, field.digest(of: bytes))
  }

  private static func item(
    _ key: SyncKey, _ kind: SyncKind, _ digests: [(field: SyncField, digest: SyncDigest)]
  ) -> SyncItem {
    var fingerprint = SyncFingerprint()
    for (field, digest) in digests {
      fingerprint.add(UInt64(field.property))
      fingerprint.add(digest)
    }
    return SyncItem(key: key, kind: kind, fingerprint: fingerprint.value, digests: digests)
  }
}

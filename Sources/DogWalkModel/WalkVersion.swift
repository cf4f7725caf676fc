package import SystemLibraries

/// The store that a walk was exported from, and a hash of the walk's values then.
///
///     let version = WalkVersion(of: walk, in: log.storeIdentifier, tags: walk.tagNames)
///     version.text   // 6F9619FF-8B86-D011-B42D-00CF4FC964FF:91c5a1e7
///
/// An import into the same store uses it to detect whether the walk was changed there since.
package struct WalkVersion: Hashable, Sendable {
  /// The store's UUID.
  package let store: String
  private let number: UInt64

  /// Creates the current version of a walk in a store.
  ///
  /// - Parameters:
  ///   - dog: another UUID that its dog had.
  ///   - seconds: another length that it had.
  package init(
    of walk: Walk, in store: String, tags: [String], dog: UUID? = nil, seconds: Double? = nil
  ) {
    self.store = store
    var fingerprint = SyncFingerprint()
    fingerprint.add((dog ?? walk.dog?.sharedIdentifier)?.uuidString)
    fingerprint.add(walk.date.timeIntervalSinceReferenceDate.bitPattern)
    fingerprint.add(walk.utcOffset.map { UInt64(bitPattern: Int64($0)) })
    fingerprint.add((seconds ?? walk.duration)?.bitPattern)
    fingerprint.add(walk.distance?.bitPattern)
    fingerprint.add(walk.isOngoing ? 1 : 0 as UInt64)
    fingerprint.add(walk.note)
    fingerprint.add(walk.walker.map { NameKey.of($0.name) })
    fingerprint.add(walk.peeCount.map { UInt64(bitPattern: Int64($0)) })
    fingerprint.add(walk.pooCount.map { UInt64(bitPattern: Int64($0)) })
    // Versions are kept in files, so the order must not depend on the reader's locale.
    for key in tags.map({ NameKey.of($0) }).sorted() { fingerprint.add(key) }
    fingerprint.add(walk.track.map { SyncField(.track).digest(of: $0.points) })
    number = fingerprint.value
  }

  /// Parses a version in the format of `text`; nil if it is invalid.
  package init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex,
      let number = UInt64(text[text.utf8.index(after: colon)...], radix: 16)
    else { return nil }
    store = String(text[..<colon])
    self.number = number
  }

  /// The version as written to files.
  package var text: String { "\(store):\(String(number, radix: 16))" }
}

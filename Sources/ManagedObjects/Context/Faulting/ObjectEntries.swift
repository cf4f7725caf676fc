/// Objects by their keys, without retaining them.
///
/// Open addressing with linear probing; an object's own key is the entry's key, of which the table
/// has only the low half, so an entry takes 12 bytes. Primary keys are mostly dense, so at first a
/// key is its own index: consecutive keys are adjacent, and none collide. Once keys do collide too
/// often, the table hashes them. Amortised O(1) throughout.
final class ObjectEntries {
  private var entries: UnsafeMutablePointer<Unmanaged<ManagedObject>?>
  /// The low halves of the keys, so that growing and probing need not access the scattered objects.
  private var halves: UnsafeMutablePointer<UInt32>
  private var mask: Int
  private(set) var count = 0
  /// The number of objects that are not at the index computed from their key.
  private var displacedCount = 0
  /// Whether keys have turned out not to be dense, and are hashed.
  private var hashesKeys = false
  /// The largest distance of an object from its key's index before the table hashes keys.
  private static let maxProbeCount = 16

  init() {
    mask = 15
    entries = .allocate(capacity: 16)
    entries.initialize(repeating: nil, count: 16)
    halves = .allocate(capacity: 16)
  }

  deinit {
    entries.deallocate()
    halves.deallocate()
  }

  /// The object with a key, or nil if none is registered.
  func object(for key: Int64) -> ManagedObject? {
    index(of: key).flatMap { entries[$0]?.takeUnretainedValue() }
  }

  /// Inserts an object under its key.
  ///
  /// - Precondition: none is registered under that key.
  func insert(_ object: ManagedObject) {
    if (count + 1) * 8 > (mask + 1) * 7 { resize(to: (mask + 1) * 2) }
    if index(of: object._key) == nil { hashKeys() }
    // Hashed keys are probed without a limit.
    let index = self.index(of: object._key)!
    assert(entries[index] == nil, "An object with this key is registered already.")
    entries[index] = Unmanaged.passUnretained(object)
    halves[index] = UInt32(truncatingIfNeeded: object._key)
    count += 1
    if index != preferredIndex(object._key) { displacedCount += 1 }
  }

  /// Removes the entry of a key; returns whether there was one.
  func remove(_ key: Int64) -> Bool {
    guard var hole = index(of: key), entries[hole] != nil else { return false }
    count -= 1
    if hole != preferredIndex(key) { displacedCount -= 1 }
    // Entries after the hole move up into it unless they would precede their key's index.
    var index = hole
    while displacedCount > 0 {
      index = (index + 1) & mask
      // With dense keys the run of entries is long, but none is far from its key's index.
      if !hashesKeys, (index - hole) & mask > Self.maxProbeCount { break }
      guard let entry = entries[index] else { break }
      let wanted = preferredIndex(entry, half: halves[index])
      if (index - wanted) & mask >= (index - hole) & mask {
        entries[hole] = entry
        halves[hole] = halves[index]
        if index != wanted, hole == wanted { displacedCount -= 1 }
        hole = index
      }
    }
    entries[hole] = nil
    return true
  }

  /// Every object.
  var objects: [ManagedObject] {
    (0...mask).compactMap { entries[$0]?.takeUnretainedValue() }
  }

  private func preferredIndex(_ key: Int64) -> Int {
    guard hashesKeys else { return Int(truncatingIfNeeded: key) & mask }
    // Fibonacci hashing.
    let hash = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash >> 20) & mask
  }

  /// The index computed from an entry's key; with dense keys their low halves are enough.
  private func preferredIndex(_ entry: Unmanaged<ManagedObject>, half: UInt32) -> Int {
    hashesKeys ? preferredIndex(entry._withUnsafeGuaranteedRef { $0._key }) : Int(half) & mask
  }

  /// The index at which the object with a key is, or would be; nil if that is too far to probe.
  private func index(of key: Int64) -> Int? {
    var index = preferredIndex(key)
    var probeCount = 0
    let half = UInt32(truncatingIfNeeded: key)
    while let entry = entries[index],
      halves[index] != half || entry._withUnsafeGuaranteedRef({ $0._key != key })
    {
      probeCount += 1
      if probeCount > Self.maxProbeCount, !hashesKeys { return nil }
      index = (index + 1) & mask
    }
    return index
  }

  private func hashKeys() {
    hashesKeys = true
    resize(to: mask + 1)
  }

  private func resize(to capacity: Int) {
    let (old, oldHalves, oldCapacity) = (entries, halves, mask + 1)
    entries = .allocate(capacity: capacity)
    entries.initialize(repeating: nil, count: capacity)
    halves = .allocate(capacity: capacity)
    mask = capacity - 1
    displacedCount = 0
    for index in 0..<oldCapacity {
      guard let entry = old[index] else { continue }
      guard let new = freeIndex(for: entry, half: oldHalves[index]) else {
        entries.deallocate()
        halves.deallocate()
        (entries, halves, mask, hashesKeys) = (old, oldHalves, oldCapacity - 1, true)
        return resize(to: capacity)
      }
      entries[new] = entry
      halves[new] = oldHalves[index]
      if new != preferredIndex(entry, half: oldHalves[index]) { displacedCount += 1 }
    }
    old.deallocate()
    oldHalves.deallocate()
  }

  /// A free index for an entry; nil if that is too far to probe.
  private func freeIndex(for entry: Unmanaged<ManagedObject>, half: UInt32) -> Int? {
    var index = preferredIndex(entry, half: half)
    var probeCount = 0
    while entries[index] != nil {
      probeCount += 1
      if probeCount > Self.maxProbeCount, !hashesKeys { return nil }
      index = (index + 1) & mask
    }
    return index
  }
}

@available(*, unavailable) extension ObjectEntries: Sendable {}

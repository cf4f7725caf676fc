/// The registered objects of one root entity in a context, by primary key, without holding them.
///
/// Open addressing with linear probing; an object's own key is the entry's key, of which the table
/// has only the low half, so an entry costs 12 bytes. Primary keys are mostly dense, so a key is its
/// own place at first: neighbours lie side by side, and none meet. Where they do meet, the table
/// scatters them from then on. Objects take themselves out when they end. Amortised O(1) throughout.
final class ObjectTable {
  private var entries: UnsafeMutablePointer<Unmanaged<ManagedObject>?>
  /// The low halves of the keys: growing and probing need not look at the objects, which lie all over
  /// the memory.
  private var halves: UnsafeMutablePointer<UInt32>
  private var mask: Int
  private(set) var count = 0
  /// How many objects stand elsewhere than at their own place.
  private var displacedCount = 0
  /// Whether keys have turned out not to be dense.
  private var isScattered = false
  /// How far from its place an object may stand before the table scatters.
  private static let longestWay = 16

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

  /// The object with a key, or nil where none is registered.
  func object(for key: Int64) -> ManagedObject? {
    place(of: key).flatMap { entries[$0]?.takeUnretainedValue() }
  }

  /// Enters an object under its key.
  ///
  /// - Precondition: none is registered under that key.
  func insert(_ object: ManagedObject) {
    if (count + 1) * 8 > (mask + 1) * 7 { resize(to: (mask + 1) * 2) }
    if place(of: object._key) == nil { scatter() }
    // A scattered table has a place for everyone.
    let index = place(of: object._key)!
    assert(entries[index] == nil, "An object with this key is registered already.")
    entries[index] = Unmanaged.passUnretained(object)
    halves[index] = UInt32(truncatingIfNeeded: object._key)
    count += 1
    if index != start(object._key) { displacedCount += 1 }
  }

  /// Takes the entry of a key out.
  func remove(_ key: Int64) {
    guard var hole = place(of: key), entries[hole] != nil else { return }
    count -= 1
    if hole != start(key) { displacedCount -= 1 }
    // Entries behind the hole move up into it unless they would stand before their own place.
    var index = hole
    while displacedCount > 0 {
      index = (index + 1) & mask
      // Where keys are dense the row of entries is long, but nobody stands far from its place.
      if !isScattered, (index - hole) & mask > Self.longestWay { break }
      guard let entry = entries[index] else { break }
      let wanted = start(entry, half: halves[index])
      if (index - wanted) & mask >= (index - hole) & mask {
        entries[hole] = entry
        halves[hole] = halves[index]
        if index != wanted, hole == wanted { displacedCount -= 1 }
        hole = index
      }
    }
    entries[hole] = nil
  }

  /// Every registered object.
  var objects: [ManagedObject] {
    (0...mask).compactMap { entries[$0]?.takeUnretainedValue() }
  }

  private func start(_ key: Int64) -> Int {
    guard isScattered else { return Int(truncatingIfNeeded: key) & mask }
    // Fibonacci hashing.
    let hash = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash >> 20) & mask
  }

  /// The place of an object's own; where keys are dense their low halves tell it.
  private func start(_ entry: Unmanaged<ManagedObject>, half: UInt32) -> Int {
    isScattered ? start(entry._withUnsafeGuaranteedRef { $0._key }) : Int(half) & mask
  }

  /// Where the object with a key is, or would be; nil where that is too far from its place.
  private func place(of key: Int64) -> Int? {
    var index = start(key)
    var way = 0
    let half = UInt32(truncatingIfNeeded: key)
    while let entry = entries[index],
      halves[index] != half || entry._withUnsafeGuaranteedRef({ $0._key != key })
    {
      way += 1
      if way > Self.longestWay, !isScattered { return nil }
      index = (index + 1) & mask
    }
    return index
  }

  private func scatter() {
    isScattered = true
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
      guard let place = freePlace(for: entry, half: oldHalves[index]) else {
        entries.deallocate()
        halves.deallocate()
        (entries, halves, mask, isScattered) = (old, oldHalves, oldCapacity - 1, true)
        return resize(to: capacity)
      }
      entries[place] = entry
      halves[place] = oldHalves[index]
      if place != start(entry, half: oldHalves[index]) { displacedCount += 1 }
    }
    old.deallocate()
    oldHalves.deallocate()
  }

  /// Where an object that has no place may stand; nil where that is too far from its own.
  private func freePlace(for entry: Unmanaged<ManagedObject>, half: UInt32) -> Int? {
    var index = start(entry, half: half)
    var way = 0
    while entries[index] != nil {
      way += 1
      if way > Self.longestWay, !isScattered { return nil }
      index = (index + 1) & mask
    }
    return index
  }
}

@available(*, unavailable) extension ObjectTable: Sendable {}

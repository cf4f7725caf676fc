import SystemLibraries

/// The values of one object in one block of memory: a fetch fills it, a save binds it.
///
/// At the address begin the slots, 8 bytes each, followed by the bytes of texts and binary values;
/// the slot of such a value holds its offset and length. Before the address are the row's length,
/// its optimistic-lock count and, going backwards, the words of a bit mask with one bit for every
/// slot that has a value.
///
/// ```text
/// … | mask 1 | mask 0 | length | lock count | slot 0 | slot 1 | … | texts and bytes
///                                           ^ address
/// ```
///
/// A plain pointer: the code that creates a row must free it. Not Sendable.
@usableFromInline
struct PackedRow {
  /// The address of slot 0.
  @usableFromInline let slots: UnsafeMutableRawPointer

  @inlinable
  init(slots: UnsafeMutableRawPointer) { self.slots = slots }

  // MARK: Header

  /// The number of bytes before slot 0, for a number of slots.
  static func headerSize(slotCount: Int) -> Int { 8 + 8 * ((slotCount + 63) >> 6) }

  /// The number of bytes from slot 0 to the end of the last text.
  var byteCount: Int {
    get { Int(slots.load(fromByteOffset: -8, as: UInt32.self)) }
    nonmutating set {
      slots.storeBytes(of: UInt32(newValue), toByteOffset: -8, as: UInt32.self)
    }
  }

  /// The optimistic-lock count (Z_OPT) at the time the row was read, truncated to 32 bits; 0 for a
  /// row never stored.
  ///
  /// It is only compared and incremented, so the higher bits are not needed.
  var version: UInt32 {
    get { slots.load(fromByteOffset: -4, as: UInt32.self) }
    nonmutating set { slots.storeBytes(of: newValue, toByteOffset: -4, as: UInt32.self) }
  }

  // MARK: Values

  /// Whether a slot has a value.
  @inlinable
  func hasValue(_ slot: Int) -> Bool {
    let word = slots.load(fromByteOffset: -16 - (slot >> 6) &* 8, as: UInt64.self)
    return word & (1 &<< UInt64(slot & 63)) != 0
  }

  @inlinable
  func setHasValue(_ hasValue: Bool, _ slot: Int) {
    let offset = -16 - (slot >> 6) &* 8
    let bit: UInt64 = 1 &<< UInt64(slot & 63)
    let word = slots.load(fromByteOffset: offset, as: UInt64.self)
    slots.storeBytes(of: hasValue ? word | bit : word & ~bit, toByteOffset: offset, as: UInt64.self)
  }

  /// The 64 bits of a slot: an integer, a double, a key, or an offset and a length.
  @inlinable
  func bits(_ slot: Int) -> UInt64 { slots.load(fromByteOffset: slot &* 8, as: UInt64.self) }

  @inlinable
  func setBits(_ bits: UInt64, _ slot: Int) {
    slots.storeBytes(of: bits, toByteOffset: slot &* 8, as: UInt64.self)
    setHasValue(true, slot)
  }

  /// The value of a slot as an integer or a key.
  @inlinable
  func integer(_ slot: Int) -> Int64 { Int64(bitPattern: bits(slot)) }

  /// The value of a slot as a floating-point number.
  @inlinable
  func real(_ slot: Int) -> Double { Double(bitPattern: bits(slot)) }

  /// The bytes of a text, a UUID or a binary value.
  @inlinable
  func bytes(_ slot: Int) -> UnsafeRawBufferPointer {
    let index = bits(slot)
    return UnsafeRawBufferPointer(
      start: slots + Int(index & 0xFFFF_FFFF), count: Int(index >> 32))
  }

  // MARK: Whole rows

  /// Allocates memory for a row including its header.
  ///
  /// Uses `malloc`, whose alignment suffices: Swift's pointers allocate by `posix_memalign`, which
  /// takes half as long again.
  static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    guard let memory = malloc(byteCount) else { fatalError("There is no memory left for a row.") }
    return memory
  }

  /// Whether the value of a slot is in an external file that could not be read: a value exists, but
  /// not in this row.
  func isUnreadable(_ slot: Int) -> Bool { !hasValue(slot) && bits(slot) == Self.unreadable }

  func setUnreadable(_ slot: Int) {
    setBits(Self.unreadable, slot)
    setHasValue(false, slot)
  }

  /// The bits of a slot whose value could not be read; a slot of bytes without a value has 0.
  private static let unreadable: UInt64 = 1

  /// Creates a row without values.
  static func empty(slotCount: Int) -> PackedRow {
    let header = headerSize(slotCount: slotCount)
    let memory = allocate(byteCount: header + 8 * slotCount)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: header + 8 * slotCount)
    let row = PackedRow(slots: memory + header)
    row.byteCount = 8 * slotCount
    return row
  }

  /// Creates an equal row.
  func copy(slotCount: Int) -> PackedRow {
    let header = Self.headerSize(slotCount: slotCount)
    let memory = Self.allocate(byteCount: header + byteCount)
    memory.copyMemory(from: slots - header, byteCount: header + byteCount)
    return PackedRow(slots: memory + header)
  }

  /// Frees the memory.
  func free(slotCount: Int) {
    SystemLibraries.free(slots - Self.headerSize(slotCount: slotCount))
  }

  /// Creates a row that differs in the bytes of one slot, and frees this one.
  ///
  /// - Parameter tailSlots: the slots of the entity that hold texts and bytes.
  /// - Parameter newBytes: the bytes, or nil for no value; they may be part of this row.
  func replacingBytes(
    _ slot: Int, with newBytes: UnsafeRawBufferPointer?, slotCount: Int, tailSlots: [Int]
  ) -> PackedRow {
    let header = Self.headerSize(slotCount: slotCount)
    let fixed = 8 * slotCount
    var total = fixed + (newBytes?.count ?? 0)
    for other in tailSlots where other != slot && hasValue(other) { total += bytes(other).count }
    let memory = Self.allocate(byteCount: header + total)
    memory.copyMemory(from: slots - header, byteCount: header + fixed)
    let row = PackedRow(slots: memory + header)
    row.byteCount = total
    var end = fixed
    for other in tailSlots {
      let source = other == slot ? newBytes : hasValue(other) ? bytes(other) : nil
      guard let source else {
        // Clears the offset of the old text, so that it is never read.
        if other == slot || !isUnreadable(other) {
          row.setBits(0, other)
          row.setHasValue(false, other)
        }
        continue
      }
      if let start = source.baseAddress {
        (row.slots + end).copyMemory(from: start, byteCount: source.count)
      }
      row.setBits(UInt64(end) | UInt64(source.count) << 32, other)
      end += source.count
    }
    free(slotCount: slotCount)
    return row
  }

  /// Whether a slot has the same content in another row of the same entity.
  func isEqual(_ slot: Int, to other: PackedRow, isTail: Bool) -> Bool {
    guard hasValue(slot) == other.hasValue(slot) else { return false }
    guard hasValue(slot) else { return !isTail || bits(slot) == other.bits(slot) }
    guard isTail else { return bits(slot) == other.bits(slot) }
    return bytes(slot).isEqual(to: other.bytes(slot))
  }

  /// Whether two rows have the same value in a slot as a uniqueness constraint compares them: 0 and
  /// -0 are equal.
  func isSameValue(_ slot: Int, in other: PackedRow, kind: SlotKind) -> Bool {
    guard kind == .real else { return isEqual(slot, to: other, isTail: kind.isTail) }
    return hasValue(slot) && other.hasValue(slot) && real(slot) == other.real(slot)
  }
}

@available(*, unavailable) extension PackedRow: Sendable {}

extension UnsafeRawBufferPointer {
  /// Whether two buffers contain the same bytes.
  func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return memcmp(mine, theirs, count) == 0
  }
}

import SystemLibraries

/// The values of one object in one piece of memory: what a fetch fills and a save binds.
///
/// Behind the address lie the slots, 8 bytes each, and behind them texts and bytes; a slot of those
/// holds their offset and length. Before the address lie the row's length, its optimistic-lock
/// count and, going backwards, the words of a mask that has a bit set for every slot with a value.
///
/// ```text
/// … | mask 1 | mask 0 | length | lock count | slot 0 | slot 1 | … | texts and bytes
///                                           ^ address
/// ```
///
/// A plain pointer: whoever makes a row frees it. Not Sendable.
@usableFromInline
struct PackedRow {
  /// Where slot 0 is.
  @usableFromInline let slots: UnsafeMutableRawPointer

  @inlinable
  init(slots: UnsafeMutableRawPointer) { self.slots = slots }

  // MARK: Header

  /// The bytes before slot 0, for a number of slots.
  static func headerSize(slotCount: Int) -> Int { 8 + 8 * ((slotCount + 63) >> 6) }

  /// The bytes from slot 0 to the end of the last text.
  var byteCount: Int {
    get { Int(slots.load(fromByteOffset: -8, as: UInt32.self)) }
    nonmutating set {
      slots.storeBytes(of: UInt32(newValue), toByteOffset: -8, as: UInt32.self)
    }
  }

  /// The optimistic-lock count that the store had when the row was read, as far as it fits 32 bits;
  /// 0 for a row never stored.
  ///
  /// It is compared, and counted on by one, so that more of it need not be known.
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

  /// The 64 bits of a slot: a number, a double, a key, or offset and length.
  @inlinable
  func bits(_ slot: Int) -> UInt64 { slots.load(fromByteOffset: slot &* 8, as: UInt64.self) }

  @inlinable
  func setBits(_ bits: UInt64, _ slot: Int) {
    slots.storeBytes(of: bits, toByteOffset: slot &* 8, as: UInt64.self)
    setHasValue(true, slot)
  }

  /// A slot as a whole number or a key.
  @inlinable
  func integer(_ slot: Int) -> Int64 { Int64(bitPattern: bits(slot)) }

  /// A slot as a floating-point number.
  @inlinable
  func real(_ slot: Int) -> Double { Double(bitPattern: bits(slot)) }

  /// The bytes of a text, of a UUID or of a binary value.
  @inlinable
  func bytes(_ slot: Int) -> UnsafeRawBufferPointer {
    let index = bits(slot)
    return UnsafeRawBufferPointer(
      start: slots + Int(index & 0xFFFF_FFFF), count: Int(index >> 32))
  }

  // MARK: Whole rows

  /// Memory for a row, its header with it.
  ///
  /// From `malloc`, which aligns it well enough: what Swift's pointers allocate comes from
  /// `posix_memalign`, which takes half as long again.
  static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    guard let memory = malloc(byteCount) else { fatalError("No memory is left for a row.") }
    return memory
  }

  /// Whether the value of a slot of bytes is in a file that could not be read: there is one, but
  /// not here.
  func isUnreadable(_ slot: Int) -> Bool { !hasValue(slot) && bits(slot) == Self.unreadable }

  func setUnreadable(_ slot: Int) {
    setBits(Self.unreadable, slot)
    setHasValue(false, slot)
  }

  /// What stands in a slot without a value that could not be read; in any other of bytes stands 0.
  private static let unreadable: UInt64 = 1

  /// Makes a row without values.
  static func empty(slotCount: Int) -> PackedRow {
    let header = headerSize(slotCount: slotCount)
    let memory = allocate(byteCount: header + 8 * slotCount)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: header + 8 * slotCount)
    let row = PackedRow(slots: memory + header)
    row.byteCount = 8 * slotCount
    return row
  }

  /// Makes an equal row.
  func copy(slotCount: Int) -> PackedRow {
    let header = Self.headerSize(slotCount: slotCount)
    let memory = Self.allocate(byteCount: header + byteCount)
    memory.copyMemory(from: slots - header, byteCount: header + byteCount)
    return PackedRow(slots: memory + header)
  }

  /// Gives the memory back.
  func free(slotCount: Int) {
    SystemLibraries.free(slots - Self.headerSize(slotCount: slotCount))
  }

  /// Makes a row that differs in the bytes of one slot, and frees this one.
  ///
  /// - Parameter tailSlots: the slots of the entity that hold texts and bytes.
  /// - Parameter newBytes: the bytes, or nil for no value; they may lie in this row.
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
        // Where an old text was is not to be read, whoever looks.
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

  /// Whether a slot holds the same in another row of the same entity.
  func isEqual(_ slot: Int, to other: PackedRow, isTail: Bool) -> Bool {
    guard hasValue(slot) == other.hasValue(slot) else { return false }
    guard hasValue(slot) else { return !isTail || bits(slot) == other.bits(slot) }
    guard isTail else { return bits(slot) == other.bits(slot) }
    return bytes(slot).isEqual(to: other.bytes(slot))
  }

  /// Whether two rows have the same value in a slot, as a uniqueness constraint sees it: 0 and -0
  /// are one number.
  func isSameValue(_ slot: Int, in other: PackedRow, kind: SlotKind) -> Bool {
    guard kind == .real else { return isEqual(slot, to: other, isTail: kind.isTail) }
    return hasValue(slot) && other.hasValue(slot) && real(slot) == other.real(slot)
  }
}

@available(*, unavailable) extension PackedRow: Sendable {}

extension UnsafeRawBufferPointer {
  /// Whether other bytes are the same.
  func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return memcmp(mine, theirs, count) == 0
  }
}

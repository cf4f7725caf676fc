/// A buffer for building a row of unknown length, reused for every row.
final class RowBuffer {
  private var memory = UnsafeMutableRawPointer.allocate(byteCount: 1024, alignment: 8)
  private var capacity = 1024
  private var header = 0
  private var end = 0

  deinit { memory.deallocate() }

  @inline(__always)
  private var row: PackedRow { PackedRow(slots: memory + header) }

  func begin(slotCount: Int) {
    header = PackedRow.headerSize(slotCount: slotCount)
    end = 8 * slotCount
    reserve(header + end)
    // Slots without a value are zeroed too, so that equal rows have equal bytes.
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: header + end)
  }

  @inline(__always)
  func set(_ bits: UInt64, _ slot: Int) { row.setBits(bits, slot) }

  func setUnreadable(_ slot: Int) { row.setUnreadable(slot) }

  func append(_ bytes: UnsafeRawBufferPointer, _ slot: Int) {
    // Offsets and lengths in a row have 32 bits.
    guard end + bytes.count <= Int(UInt32.max) else { return setUnreadable(slot) }
    reserve(header + end + bytes.count)
    if let start = bytes.baseAddress {
      (memory + header + end).copyMemory(from: start, byteCount: bytes.count)
    }
    row.setBits(UInt64(end) | UInt64(bytes.count) << 32, slot)
    end += bytes.count
  }

  func finish(version: UInt32) -> PackedRow {
    row.byteCount = end
    row.version = version
    let copy = PackedRow.allocate(byteCount: header + end)
    copy.copyMemory(from: memory, byteCount: header + end)
    return PackedRow(slots: copy + header)
  }

  private func reserve(_ count: Int) {
    guard count > capacity else { return }
    let larger = UnsafeMutableRawPointer.allocate(byteCount: count * 2, alignment: 8)
    larger.copyMemory(from: memory, byteCount: min(capacity, header + end))
    memory.deallocate()
    memory = larger
    capacity = count * 2
  }
}

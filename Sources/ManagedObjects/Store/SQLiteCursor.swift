/// The rows of a running SELECT, packed as they come.
///
/// The columns are Z_PK, Z_ENT, Z_OPT and those of the family's slots.
final class SQLiteCursor: RowCursor {
  /// Where the values of one entity of the family stand in the result.
  struct Source {
    let entity: EntityBinding
    /// The column of each slot.
    let columns: ContiguousArray<Int32>
  }

  private let statement: Statement
  /// By entity number; most families have one entity.
  private let sources: [Source]
  private var current: Source
  private let scratch: ScratchRow
  /// Where values in files are; nil where they are not wanted.
  private let files: ExternalDataFiles?
  private(set) var key: Int64 = 0
  var entity: Int { current.entity.index }
  var owner: Int64 { ownerColumn.map { statement.integer(at: $0) } ?? 0 }
  private let ownerColumn: Int32?
  private let onError: (SQLiteError) -> any Error

  init(
    statement: Statement, sources: [Source], scratch: ScratchRow, ownerColumn: Int32?,
    files: ExternalDataFiles?, onError: @escaping (SQLiteError) -> any Error
  ) {
    self.statement = statement
    self.sources = sources
    self.scratch = scratch
    self.files = files
    self.ownerColumn = ownerColumn
    self.onError = onError
    current = sources[0]
  }

  deinit { statement.reset() }

  func next() throws -> Bool {
    do {
      guard try statement.step() else { return false }
    } catch {
      throw onError(error)
    }
    key = statement.integer(at: 0)
    if sources.count > 1 {
      let number = statement.integer(at: 1)
      if current.entity.number != number {
        current = sources.first { $0.entity.number == number } ?? sources[0]
      }
    }
    return true
  }

  /// The one row of a key, for a SELECT whose only value is that.
  func row(with key: Int64) throws -> PackedRow? {
    statement.bind(key, at: 1)
    defer { statement.reset() }
    return try next() ? makeRow() : nil
  }

  func makeRow() throws -> PackedRow {
    let binding = current.entity
    let slotCount = binding.slotCount
    scratch.begin(slotCount: slotCount)
    try binding.kinds.withUnsafeBufferPointer { kinds in
      try current.columns.withUnsafeBufferPointer { columns in
        for slot in 0..<binding.storedSlotCount {
          let column = columns[slot]
          switch kinds[slot] {
          case .integer, .key, .entityNumber, .orderKey:
            let number = statement.integer(at: column)
            // NULL reads as 0, so only a 0 needs a second look.
            if number == 0, statement.isNull(at: column) { continue }
            scratch.set(UInt64(bitPattern: number), slot)
          case .real:
            let number = statement.real(at: column)
            if number == 0, statement.isNull(at: column) { continue }
            scratch.set(number.bitPattern, slot)
          case .text:
            guard let text = statement.text(at: column) else { continue }
            scratch.append(text, slot)
          case .blob:
            guard let blob = statement.blob(at: column) else { continue }
            scratch.append(blob, slot)
          case .external:
            guard let blob = statement.blob(at: column) else { continue }
            try append(external: blob, slot)
          }
        }
      }
    }
    return scratch.finish(version: statement.integer(at: 2))
  }

  private func append(external stored: UnsafeRawBufferPointer, _ slot: Int) throws {
    guard let files else { return scratch.append(stored, slot) }
    guard let name = ExternalDataFiles.fileName(in: stored) else {
      return scratch.append(ExternalDataFiles.inlineValue(in: stored), slot)
    }
    try files.read(name).withUnsafeBytes { scratch.append($0, slot) }
  }
}

/// Room to put a row together whose length is not known yet; used again for every row.
final class ScratchRow {
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
    // Slots without a value are zero too, so that equal rows are equal bytes.
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: header + end)
  }

  @inline(__always)
  func set(_ bits: UInt64, _ slot: Int) { row.setBits(bits, slot) }

  func append(_ bytes: UnsafeRawBufferPointer, _ slot: Int) {
    reserve(header + end + bytes.count)
    if let start = bytes.baseAddress {
      (memory + header + end).copyMemory(from: start, byteCount: bytes.count)
    }
    row.setBits(UInt64(end) | UInt64(bytes.count) << 32, slot)
    end += bytes.count
  }

  func finish(version: Int64) -> PackedRow {
    row.byteCount = end
    row.version = version
    let copy = UnsafeMutableRawPointer.allocate(byteCount: header + end, alignment: 8)
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

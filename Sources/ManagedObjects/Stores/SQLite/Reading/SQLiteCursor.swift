import SystemLibraries

/// The rows of a running SELECT, packed one at a time.
///
/// The columns are Z_PK, Z_OPT, Z_ENT for a hierarchy of several entities, and those of the
/// hierarchy's slots; for keys only, Z_PK and Z_ENT.
final class SQLiteCursor: RowCursor {
  /// The columns of one entity of the hierarchy in the result.
  ///
  /// In unmanaged memory, to avoid reference counting for each row.
  final class Source {
    let index: Int
    let number: Int
    let slotCount: Int
    /// The kind of each stored slot, and the column it is read from.
    let slots: UnsafeMutableBufferPointer<(kind: SlotKind, column: Int32)>

    /// - Parameter columns: The column of each stored slot; empty for keys only.
    init(_ entity: EntityBinding, columns: [Int32]) {
      index = entity.index
      number = entity.number
      slotCount = entity.slotCount
      slots = .allocate(capacity: columns.count)
      for (slot, column) in columns.enumerated() {
        slots.initializeElement(at: slot, to: (entity.kinds[slot], column))
      }
    }

    deinit { slots.deallocate() }
  }

  private let statement: Statement
  /// The sources by entity number; most entity hierarchies have one entity.
  private let sources: [Source]
  /// The current source, which `sources` retains.
  private var current: Unmanaged<Source>
  private let scratch: RowBuffer
  /// The external files; nil if their values are not needed.
  private let files: ExternalDataFiles?
  /// Whether a condition is evaluated on its rows in memory, so that a file which exists must be
  /// readable.
  var isJudged = false
  private(set) var key: Int64 = 0
  var entity: Int { current._withUnsafeGuaranteedRef { $0.index } }
  var owner: Int64 { ownerColumn.map { statement.integer(at: $0) } ?? 0 }
  private let entityColumn: Int32
  private let ownerColumn: Int32?
  private let connection: Connection
  private let url: URL
  /// Whether the store was checked when the first row was read.
  private var isChecked = false

  init(
    statement: Statement, sources: [Source], scratch: RowBuffer, entityColumn: Int32,
    ownerColumn: Int32?,
    files: ExternalDataFiles?, connection: Connection, url: URL
  ) {
    self.statement = statement
    self.sources = sources
    self.scratch = scratch
    self.files = files
    self.entityColumn = entityColumn
    self.ownerColumn = ownerColumn
    self.connection = connection
    self.url = url
    current = .passUnretained(sources[0])
  }

  func next() throws -> Bool {
    do {
      if isChecked {
        guard try statement.step() else { return false }
      } else {
        isChecked = true
        guard try connection.firstStep(of: statement) else { return false }
      }
    } catch let error as SQLiteError {
      throw SQLiteReader.storeError(error, on: connection, at: url)
    }
    key = statement.integer(at: 0)
    if sources.count > 1 {
      let number = statement.integer(at: entityColumn)
      if current._withUnsafeGuaranteedRef({ $0.number != number }) {
        current = .passUnretained(sources.first { $0.number == number } ?? sources[0])
      }
    }
    return true
  }

  /// The first row with a value, for a SELECT whose first parameter is that value; nil if there is
  /// none.
  func row(with value: Scalar) throws -> PackedRow? {
    statement.bind(.scalar(value), at: 1)
    isChecked = false
    defer { statement.reset() }
    return try next() ? makeRow() : nil
  }

  /// Whether there is a row with a key, for a SELECT whose first parameter is that key.
  func hasRow(with key: Int64) throws -> Bool {
    statement.bind(key, at: 1)
    isChecked = false
    defer { statement.reset() }
    return try next()
  }

  func makeRow() throws -> PackedRow {
    let (slots, slotCount) = current._withUnsafeGuaranteedRef { ($0.slots, $0.slotCount) }
    scratch.begin(slotCount: slotCount)
    for slot in slots.indices {
      let (kind, column) = slots[slot]
      switch kind {
      case .integer, .key, .entityNumber, .orderKey:
        let number = statement.integer(at: column)
        // NULL and anything not numeric read as 0, so only a 0 needs a check of its type.
        if number == 0, !statement.isNumber(at: column) { continue }
        scratch.set(UInt64(bitPattern: number), slot)
      case .real:
        let number = statement.real(at: column)
        if number == 0, !statement.isNumber(at: column) { continue }
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
    return scratch.finish(version: UInt32(truncatingIfNeeded: statement.integer(at: 1)))
  }

  func releaseMemory() { statement.releaseMemory() }

  /// Appends a value that may be in an external file; an unreadable one is marked, and reported
  /// when the property is accessed.
  private func append(external stored: UnsafeRawBufferPointer, _ slot: Int) throws {
    guard let files else { return scratch.append(stored, slot) }
    guard let name = ExternalDataFiles.fileName(in: stored) else {
      return scratch.append(ExternalDataFiles.inlineValue(in: stored), slot)
    }
    do {
      try files.read(name).withUnsafeBytes { scratch.append($0, slot) }
    } catch {
      if isJudged, !error.isMissingFile { throw error }
      scratch.setUnreadable(slot)
    }
  }
}

extension Error {
  /// Whether the error is a missing external file.
  fileprivate var isMissingFile: Bool {
    if case .missingExternalData? = self as? PersistentStoreError { true } else { false }
  }
}

#if PostgreSQL
  /// The rows that a SELECT gave, packed as they are asked for; all of them are in memory.
  final class PostgreSQLCursor: RowCursor {
    /// Where the values of one entity of the family stand in the result.
    struct Source {
      let entity: EntityBinding
      /// The column of each stored slot; none where only keys are wanted.
      let columns: [Int32]
    }

    private let result: PostgreSQLResult
    private let sources: [Source]
    private let scratch = ScratchRow()
    private let entityColumn: Int32
    private let ownerColumn: Int32?
    private var row = -1
    private var current: Source

    init(
      _ result: PostgreSQLResult, sources: [Source], entityColumn: Int32, ownerColumn: Int32?
    ) {
      self.result = result
      self.sources = sources
      self.entityColumn = entityColumn
      self.ownerColumn = ownerColumn
      current = sources[0]
    }

    func next() throws -> Bool {
      row += 1
      guard row < result.count else { return false }
      if sources.count > 1 {
        let number = result.integer(row, entityColumn)
        if Int64(current.entity.number) != number {
          current = sources.first { $0.entity.number == number } ?? sources[0]
        }
      }
      return true
    }

    var key: Int64 { result.integer(row, 0) }
    var entity: Int { current.entity.index }
    var owner: Int64 { ownerColumn.map { result.integer(row, $0) } ?? 0 }

    func makeRow() throws -> PackedRow {
      let kinds = current.entity.kinds
      scratch.begin(slotCount: current.entity.slotCount)
      for (slot, column) in current.columns.enumerated() where !result.isNull(row, column) {
        if kinds[slot].isTail {
          scratch.append(result.storedBytes(row, column), slot)
        } else {
          scratch.set(result.storedBits(row, column), slot)
        }
      }
      return scratch.finish(version: UInt32(truncatingIfNeeded: result.integer(row, 1)))
    }
  }

  @available(*, unavailable) extension PostgreSQLCursor: Sendable {}
#endif

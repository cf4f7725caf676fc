#if PostgreSQL
  /// The rows of a SELECT, packed on demand.
  final class PostgreSQLCursor: RowCursor {
    /// The columns of one entity of the hierarchy in the result.
    struct Source {
      let entity: EntityBinding
      /// The column of each stored slot; empty for keys only.
      let columns: [Int]
    }

    private let rows: PostgreSQLRows
    private let address: PostgreSQLAddress
    private let sources: [Source]
    private let scratch = RowBuffer()
    private let entityColumn: Int
    private let ownerColumn: Int?
    private var current: Source

    init(
      _ rows: PostgreSQLRows, at address: PostgreSQLAddress, sources: [Source],
      entityColumn: Int, ownerColumn: Int?
    ) {
      self.rows = rows
      self.address = address
      self.sources = sources
      self.entityColumn = entityColumn
      self.ownerColumn = ownerColumn
      current = sources[0]
    }

    func next() throws -> Bool {
      do {
        guard try rows.next() else { return false }
      } catch {
        return try PersistentStoreError.mapping(of: address) { throw error }
      }
      if sources.count > 1 {
        let number = rows.integer(entityColumn)
        if Int64(current.entity.number) != number {
          current = sources.first { $0.entity.number == number } ?? sources[0]
        }
      }
      return true
    }

    var key: Int64 { rows.integer(0) }
    var entity: Int { current.entity.index }
    var owner: Int64 { ownerColumn.map { rows.integer($0) } ?? 0 }

    func makeRow() throws -> PackedRow {
      let kinds = current.entity.kinds
      scratch.begin(slotCount: current.entity.slotCount)
      for (slot, column) in current.columns.enumerated() {
        let bytes = rows.values[column]
        if kinds[slot].isTail {
          // An empty value is not NULL.
          if bytes.baseAddress != nil { scratch.append(bytes, slot) }
        } else if bytes.count == 8 {
          scratch.set(UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)), slot)
        }
      }
      return scratch.finish(version: UInt32(truncatingIfNeeded: rows.integer(1)))
    }
  }

  @available(*, unavailable) extension PostgreSQLCursor: Sendable {}
#endif

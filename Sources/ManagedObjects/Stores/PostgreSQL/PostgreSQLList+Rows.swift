#if PostgreSQL
  extension PostgreSQLValue.Kind {
    /// The type of a column that holds what slots of a kind do.
    init(_ kind: SlotKind) {
      switch kind {
      case .integer, .key, .entityNumber, .orderKey: self = .integer
      case .real: self = .real
      case .text: self = .text
      case .blob, .external: self = .bytes
      }
    }
  }

  extension PostgreSQLList {
    /// Makes a list for what slots of a kind hold.
    init(of kind: SlotKind, count: Int = 0) {
      self.init(PostgreSQLValue.Kind(kind), count: count)
    }

    /// Takes what a slot of a row holds.
    mutating func append(_ row: PackedRow, _ slot: Int, _ kind: SlotKind) {
      guard row.hasValue(slot) else { return appendNull() }
      if kind.isTail { append(row.bytes(slot)) } else { append(bits: row.bits(slot)) }
    }
  }
#endif

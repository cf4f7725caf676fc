#if PostgreSQL
  extension PostgreSQLValue.Kind {
    /// The type of a column for slots of a kind.
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
    /// Creates a list for values of slots of a kind.
    init(of kind: SlotKind, count: Int = 0) {
      self.init(PostgreSQLValue.Kind(kind), count: count)
    }

    /// Appends the value in a slot of a row.
    mutating func append(_ row: PackedRow, _ slot: Int, _ kind: SlotKind) {
      guard row.hasValue(slot) else { return appendNull() }
      if kind.isTail { append(row.bytes(slot)) } else { append(bits: row.bits(slot)) }
    }
  }
#endif

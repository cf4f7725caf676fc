#if PostgreSQL
  extension PostgreSQLList {
    /// Makes a list for what slots of a kind hold.
    init(of kind: SlotKind) {
      switch kind {
      case .integer, .key, .entityNumber, .orderKey: self.init(.integer)
      case .real: self.init(.real)
      case .text: self.init(.text)
      case .blob, .external: self.init(.bytes)
      }
    }

    /// Takes what a slot of a row holds.
    mutating func append(_ row: PackedRow, _ slot: Int, _ kind: SlotKind) {
      guard row.hasValue(slot) else { return appendNull() }
      if kind.isTail { append(row.bytes(slot)) } else { append(bits: row.bits(slot)) }
    }
  }
#endif

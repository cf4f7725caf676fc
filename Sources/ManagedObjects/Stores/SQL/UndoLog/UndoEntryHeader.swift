/// The header of an entry in the undo log.
///
/// It contains the format version, the layout of the rows that the entry was made for, and the
/// numbers of the states that its command has reached. Entries of format 1 have no such numbers.
struct UndoEntryHeader: Equatable {
  /// A hash of slots and columns (`SQLSchema.layoutNumber`).
  let layout: UInt64
  /// A random number for each time that the command was done, undone or redone, the latest last;
  /// continuing the command replaces the last number.
  ///
  /// A copy of a store shares the numbers of states reached before it was copied, and no others.
  var states: [UInt64]

  private static let form: UInt8 = 2
  private static let earlierForm: UInt8 = 1
  /// The maximum number of states kept, an odd number: the first one and the latest ones.
  private static let mostStates = 101

  init(layout: UInt64, states: [UInt64]) {
    self.layout = layout
    self.states = states
  }

  /// Reads the header and its length from the beginning of an entry; nil if it has none.
  static func read(_ bytes: [UInt8]) -> (header: UndoEntryHeader, end: Int)? {
    var rest = bytes[...]
    func number(_ size: Int) -> UInt64? {
      guard rest.count >= size else { return nil }
      defer { rest = rest.dropFirst(size) }
      return rest.prefix(size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard let form = rest.popFirst(), let layout = number(8) else { return nil }
    switch form {
    case earlierForm: return (UndoEntryHeader(layout: layout, states: []), rest.startIndex)
    case Self.form:
      guard let count = number(1) else { return nil }
      var states: [UInt64] = []
      for _ in 0..<count {
        guard let state = number(8) else { return nil }
        states.append(state)
      }
      return (UndoEntryHeader(layout: layout, states: states), rest.startIndex)
    default: return nil
    }
  }

  /// The header after the command has reached a new state.
  func withNewState() -> UndoEntryHeader {
    var header = self
    header.states.append(.random(in: 1 ... .max))
    // Removes two, so that done and undone states still alternate.
    if header.states.count > Self.mostStates { header.states.removeSubrange(1...2) }
    return header
  }

  /// The header after the command was continued: what was seen of it before was only a part.
  func withOtherState() -> UndoEntryHeader {
    var header = self
    header.states = header.states.dropLast()
    return header.withNewState()
  }

  /// The bytes of the header.
  var bytes: [UInt8] {
    func bytes(_ number: UInt64) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    return [Self.form] + bytes(layout) + [UInt8(states.count)] + states.flatMap(bytes)
  }
}

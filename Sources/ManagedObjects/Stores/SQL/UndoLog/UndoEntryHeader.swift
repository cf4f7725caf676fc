/// What the bytes of an entry of the undo log begin with.
///
/// The form's number, the layout of the rows that the entry was made for, and the numbers of the
/// states that its command has come to. Entries of an earlier form, 1, have no such numbers.
struct UndoEntryHeader: Equatable {
  /// A number that differs where slots and columns differ (`SQLSchema.layoutNumber`).
  let layout: UInt64
  /// A random number for each time that the command was done, taken back, and done again, the
  /// latest last; one that is gone on with has another one.
  ///
  /// Copies of a store share those of what was done before they were made, and no others.
  var states: [UInt64]

  private static let form: UInt8 = 2
  private static let earlierForm: UInt8 = 1
  /// So many states are kept, an odd number: the first one, and the last ones.
  private static let mostStates = 101

  init(layout: UInt64, states: [UInt64]) {
    self.layout = layout
    self.states = states
  }

  /// Reads the header that bytes begin with, and where it ends; nil where they have none.
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

  /// The same of a command that has come to a new state.
  func withNewState() -> UndoEntryHeader {
    var header = self
    header.states.append(.random(in: 1 ... .max))
    // In twos, so that it can be told which of them are undone.
    if header.states.count > Self.mostStates { header.states.removeSubrange(1...2) }
    return header
  }

  /// The same of a command that is gone on with: who has met its beginning has not met the rest.
  func withOtherState() -> UndoEntryHeader {
    var header = self
    header.states = header.states.dropLast()
    return header.withNewState()
  }

  /// The header's bytes.
  var bytes: [UInt8] {
    func bytes(_ number: UInt64) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    return [Self.form] + bytes(layout) + [UInt8(states.count)] + states.flatMap(bytes)
  }
}

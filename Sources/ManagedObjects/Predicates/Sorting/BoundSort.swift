import DataModel
import SystemLibraries
import TextMatching

/// A sort descriptor bound to slots.
struct BoundSort {
  let keyPath: BoundKeyPath
  let isAscending: Bool
  /// The order of texts.
  let order: TextOrder
  /// A closure that compares values instead; sorting by SQL cannot use it.
  let comparator: FetchSortDescriptor.Comparator?

  init(keyPath: BoundKeyPath, isAscending: Bool) {
    self.keyPath = keyPath
    self.isAscending = isAscending
    order = .bytes
    comparator = nil
  }

  init(_ sort: FetchSortDescriptor, along keyPath: BoundKeyPath) {
    self.keyPath = keyPath
    isAscending = sort.ascending
    // Only texts have more than one order.
    let isText = keyPath.type.map { SlotKind($0) == .text } ?? false
    order = isText ? sort.selector.textOrder : .bytes
    comparator = if case .comparator(let closure) = sort.selector { closure } else { nil }
  }

  /// Negative, zero or positive by the ascending order of two rows.
  fileprivate func compare(_ one: PackedRow, _ other: PackedRow, lookup: RowLookup) -> Int {
    let slot = keyPath.slot
    let first = keyPath.end(of: one, lookup: lookup).flatMap { $0.hasValue(slot) ? $0 : nil }
    let second = keyPath.end(of: other, lookup: lookup).flatMap { $0.hasValue(slot) ? $0 : nil }
    guard let first, let second else { return (first == nil ? 0 : 1) - (second == nil ? 0 : 1) }
    let type = keyPath.type ?? .integer64
    if let comparator {
      guard let mine = first.value(at: slot, type: type),
        let theirs = second.value(at: slot, type: type)
      else { return 0 }
      return comparator.compare(mine, theirs).rawValue
    }
    switch SlotKind(type) {
    case .integer, .key, .entityNumber, .orderKey:
      let (mine, theirs) = (first.integer(slot), second.integer(slot))
      return mine < theirs ? -1 : mine > theirs ? 1 : 0
    case .real:
      let (mine, theirs) = (first.real(slot), second.real(slot))
      return mine < theirs ? -1 : mine > theirs ? 1 : 0
    case .text: return order.compare(first.bytes(slot), second.bytes(slot))
    case .blob, .external: return compareBytes(first.bytes(slot), second.bytes(slot))
    }
  }
}

extension [BoundSort] {
  /// Whether an order is given by a closure.
  var needsMemory: Bool { contains { $0.comparator != nil } }

  /// Whether a row sorts before another; nil if their sorted values are equal.
  func areInOrder(_ one: PackedRow, _ other: PackedRow, lookup: RowLookup) -> Bool? {
    for sort in self {
      let order = sort.compare(one, other, lookup: lookup)
      if order != 0 { return (order < 0) == sort.isAscending }
    }
    return nil
  }

  /// Whether a row sorts before another; nil before every value, equal ones by primary key.
  func areInOrder(
    _ one: (row: PackedRow, key: Int64), _ other: (row: PackedRow, key: Int64), lookup: RowLookup
  ) -> Bool {
    if let areInOrder = areInOrder(one.row, other.row, lookup: lookup) { return areInOrder }
    // Unsaved objects have negative keys, the oldest nearest to 0; they come after all others.
    return one.key > 0 && other.key > 0
      ? one.key < other.key
      : one.key < 0 && other.key < 0 ? one.key > other.key : one.key > 0
  }
}

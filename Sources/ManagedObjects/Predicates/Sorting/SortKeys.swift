import DataModel
import SystemLibraries

/// The values that a row is sorted by, for merging rows of different stores.
///
/// Key paths are bound to one store, but the values can be compared across stores.
typealias SortKeys = [Scalar?]

extension [BoundSort] {
  /// The sort values of a row.
  func keys(of row: PackedRow, lookup: RowLookup) -> SortKeys {
    map { $0.keyPath.scalar(in: row, lookup: lookup) }
  }

  /// Whether a row sorts before another; nil if they are equal.
  func areInOrder(_ one: SortKeys, _ other: SortKeys) -> Bool? {
    for (index, sort) in enumerated() {
      let order = sort.compare(one[index], other[index])
      if order != 0 { return (order < 0) == sort.isAscending }
    }
    return nil
  }
}

extension BoundSort {
  fileprivate func compare(_ one: Scalar?, _ other: Scalar?) -> Int {
    guard let one, let other else { return (one == nil ? 0 : 1) - (other == nil ? 0 : 1) }
    if let comparator {
      guard let mine = one.value(as: keyPath.type), let theirs = other.value(as: keyPath.type)
      else { return 0 }
      return comparator.compare(mine, theirs).rawValue
    }
    guard order != .bytes, case .text(let mine) = one, case .text(let theirs) = other else {
      return one.compare(other)
    }
    return mine.withUnsafeBytes { mine in theirs.withUnsafeBytes { order.compare(mine, $0) } }
  }
}

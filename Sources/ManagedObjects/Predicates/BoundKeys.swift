/// The keys of an IN condition, sorted if there are many.
struct BoundKeys {
  let keys: [Int64]
  private let isSorted: Bool

  init(_ keys: [Int64]) {
    isSorted = keys.count > 16
    self.keys = isSorted ? keys.sorted() : keys
  }

  /// Whether a key is one of them; O(log n).
  func contains(_ key: Int64) -> Bool {
    guard isSorted else { return keys.contains(key) }
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] == key { return true }
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return false
  }
}

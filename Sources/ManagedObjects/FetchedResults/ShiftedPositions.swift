/// Where the elements of a list have come to while some of them are removed and others are inserted
/// between them.
///
///     var positions = ShiftedPositions(count: 3)   // a, b, c
///     positions.remove(0)                          // b, c
///     positions.insert(before: 2)                  // b, new, c
///     positions.position(of: 2)                    // 2: where c is now
///
/// A Fenwick tree: O(log n) for each, and O(n) to begin.
struct ShiftedPositions {
  /// Sums over ranges of how many elements are at, or were inserted before, each original index.
  private var sums: [Int]
  /// How many were inserted right before each original index; the last one is the end.
  private var inserted: [Int]

  /// Begins with all elements where they are.
  init(count: Int) {
    sums = Array(repeating: 0, count: count + 2)
    inserted = Array(repeating: 0, count: count + 1)
    for node in 1..<sums.count {
      if node <= count { sums[node] += 1 }
      let parent = node + node & -node
      if parent < sums.count { sums[parent] += sums[node] }
    }
  }

  /// Where the element of an original index is now, if it is still there; else where one that is
  /// inserted before the next comes to.
  func position(of index: Int) -> Int {
    var (sum, node) = (inserted[index], index)
    while node > 0 {
      sum += sums[node]
      node -= node & -node
    }
    return sum
  }

  /// Removes the element of an original index.
  mutating func remove(_ index: Int) { add(-1, at: index) }

  /// Inserts an element before an original index, behind those that were inserted there before.
  mutating func insert(before index: Int) {
    inserted[index] += 1
    add(1, at: index)
  }

  private mutating func add(_ change: Int, at index: Int) {
    var node = index + 1
    while node < sums.count {
      sums[node] += change
      node += node & -node
    }
  }
}

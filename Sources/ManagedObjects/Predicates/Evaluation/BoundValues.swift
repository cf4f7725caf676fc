/// The values of an IN condition, sorted if there are many.
struct BoundValues {
  let values: [Scalar]
  private let isSorted: Bool

  init(_ values: [Scalar]) {
    isSorted = values.count > 16
    self.values = isSorted ? values.sorted { $0.compare($1) < 0 } : values
  }

  func contains(_ value: Scalar) -> Bool {
    guard isSorted else { return values.contains { value.compare($0) == 0 } }
    var low = 0
    var high = values.count
    while low < high {
      let middle = (low + high) / 2
      let order = values[middle].compare(value)
      if order == 0 { return true }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }
}

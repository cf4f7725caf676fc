/// The entities of some stores, found by their indices.
///
/// An index is never given again: where a store has left, there is a gap between those of others.
struct EntityBindings: Sendable {
  /// All of them, in the order of their indices.
  let all: [EntityBinding]
  /// The indices of the first ones, up to a gap; mostly of all.
  private let first: Range<Int>
  /// The indices behind it, as far as there is no other gap, and where the entities begin.
  private let others: [(indices: Range<Int>, place: Int)]

  /// - Precondition: the entities are in the order of their indices.
  init(_ all: [EntityBinding] = []) {
    self.all = all
    var runs: [(indices: Range<Int>, place: Int)] = []
    for (place, binding) in all.enumerated() {
      if let last = runs.last, last.indices.upperBound == binding.index {
        runs[runs.count - 1].indices = last.indices.lowerBound..<(binding.index + 1)
      } else {
        runs.append((binding.index..<(binding.index + 1), place))
      }
    }
    first = runs.first?.indices ?? 0..<0
    others = Array(runs.dropFirst())
  }

  /// Where an entity stands; nil where it is none of these.
  func place(of index: Int) -> Int? {
    if first.contains(index) { return index - first.lowerBound }
    for run in others where run.indices.contains(index) {
      return run.place + index - run.indices.lowerBound
    }
    return nil
  }

  /// The entity of an index.
  ///
  /// - Precondition: it is one of these.
  subscript(index: Int) -> EntityBinding {
    guard let place = place(of: index) else { fatalError("There is no entity \(index).") }
    return all[place]
  }
}

/// The entities of some stores, found by their indices.
///
/// An index is never given again: where a store has left, there is a gap between those of others.
struct EntityBindings: Sendable {
  /// All of them, in the order of their indices.
  let all: [EntityBinding]
  /// The indices between which there is no gap, and where the first one's entity stands.
  private let runs: [(indices: Range<Int>, place: Int)]

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
    self.runs = runs
  }

  /// Where an entity stands; nil where it is none of these.
  func place(of index: Int) -> Int? {
    // As many as stores that others were removed between; mostly one.
    for run in runs where run.indices.contains(index) {
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

import ManagedObjects
import SystemLibraries

/// New walks that overlap walks of the same dog, as `WalkLog.add` reports them.
extension WalkMerge {
  /// Counts the new walks that overlap others of the same dog, in the file or in the store, and
  /// releases the existing walks.
  ///
  /// O(n log n) in the walks of dogs that have new ones; nothing is fetched.
  ///
  /// - Parameter most: the maximum number of them that are returned, the oldest first.
  mutating func takeOverlaps(first most: Int) -> (count: Int, first: [Walk]) {
    defer { walksBefore = [] }
    var dogIndexes: [ObjectIdentifier: Int] = [:]
    var spans: [[Span]] = []
    for index in makers {
      let dogIndex = dogIndexes[ObjectIdentifier(dogs[index]), default: spans.count]
      if dogIndex == spans.count {
        dogIndexes[ObjectIdentifier(dogs[index])] = dogIndex
        spans.append([])
      }
      let draft = records[index].draft
      spans[dogIndex].append(
        Span(draft.start, draft.duration, isOngoing: draft.isOngoing, maker: index))
    }
    let countsOfNew = spans.map(\.count)
    for walk in walksBefore where !walk.isDeleted {
      guard let dog = walk.dog, let dogIndex = dogIndexes[ObjectIdentifier(dog)],
        let start = walk.start
      else { continue }
      spans[dogIndex].append(Span(start, walk.seconds, isOngoing: walk.isOngoing, maker: nil))
    }
    var overlapping: Set<Int> = []
    for (dogIndex, spans) in spans.enumerated() {
      // If all are new, they are sorted already.
      let isInOrder = spans.count == countsOfNew[dogIndex]
      Self.find(&overlapping, in: isInOrder ? spans : spans.sorted { $0.start < $1.start })
    }
    guard !overlapping.isEmpty else { return (0, []) }
    let first = makers.lazy.filter(overlapping.contains).prefix(most)
    return (overlapping.count, first.compactMap { walk(of: $0) })
  }

  /// The time span of a walk in whole seconds, the precision of files.
  private struct Span {
    let start: Double
    let end: Double
    /// The index of the record that inserts the walk; nil for an existing walk.
    let maker: Int?

    init(_ start: Date, _ seconds: Double?, isOngoing: Bool, maker: Int?) {
      let start = start.timeIntervalSinceReferenceDate
      self.start = start.rounded(.down)
      end = (start + (isOngoing ? Self.longestOngoing : seconds ?? 0)).rounded(.down)
      self.maker = maker
    }

    /// An ongoing walk longer than this was probably never ended.
    private static let longestOngoing = 6.0 * 3600
  }

  /// Finds the spans that overlap others, in a dog's spans sorted by start.
  ///
  /// It is enough to compare a span with the earlier one that ends last: any other earlier span
  /// that reaches into it overlaps that one, and was found then.
  private static func find(_ overlapping: inout Set<Int>, in spans: [Span]) {
    var last: Span?
    for span in spans {
      if let last, span.start < last.end || span.start == last.start {
        if let maker = span.maker { overlapping.insert(maker) }
        if let maker = last.maker { overlapping.insert(maker) }
      }
      if let end = last?.end, end > span.end { continue }
      last = span
    }
  }
}

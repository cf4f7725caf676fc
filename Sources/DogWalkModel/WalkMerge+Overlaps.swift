import ManagedObjects
import SystemLibraries

/// New walks at whose time their dog was out already, as `WalkLog.add` tells them.
extension WalkMerge {
  /// Counts the new walks that overlap others of the same dog, of the file or of the store, and
  /// lets go of the walks that were there before.
  ///
  /// O(n log n) of the walks of dogs that have new ones; nothing is read.
  ///
  /// - Parameter most: how many of them are returned, the oldest first.
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
      // New ones are in order already.
      let isInOrder = spans.count == countsOfNew[dogIndex]
      Self.find(&overlapping, in: isInOrder ? spans : spans.sorted { $0.start < $1.start })
    }
    guard !overlapping.isEmpty else { return (0, []) }
    let first = makers.lazy.filter(overlapping.contains).prefix(most)
    return (overlapping.count, first.compactMap { walk(of: $0) })
  }

  /// When a walk was, in whole seconds, as files tell them.
  private struct Span {
    let start: Double
    let end: Double
    /// The index of the record that makes it; nil where it was there before.
    let maker: Int?

    init(_ start: Date, _ seconds: Double?, isOngoing: Bool, maker: Int?) {
      let start = start.timeIntervalSinceReferenceDate
      self.start = start.rounded(.down)
      end = (start + (isOngoing ? Self.longestOngoing : seconds ?? 0)).rounded(.down)
      self.maker = maker
    }

    /// A walk that is going on for longer than this has been forgotten.
    private static let longestOngoing = 6.0 * 3600
  }

  /// Finds the spans that overlap others, among those of a dog by their starts.
  ///
  /// Of all before a span the one that ends last is enough to look at: another one that reaches
  /// into the span overlaps that one, and was found then.
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

import DogWalkModel
import ManagedObjects

/// The tallies of a report while its walks are counted.
struct TallyTable {
  /// The totals of all walks; an outing of several dogs counts once.
  private(set) var total = WalkTally(of: .everyone)

  private let group: ReportGroup
  private let tags: WalkTags
  private var tallies: [WalkTally] = []
  /// The index of each object's tally; nil stands for walks without an object.
  private var indices: [ObjectIdentifier?: Int] = [:]

  /// Creates empty tallies: of each dog, or none for walkers and tags.
  init(_ group: ReportGroup, of dogs: [Dog], tags: WalkTags) {
    self.group = group
    self.tags = tags
    guard case .dog = group else { return }
    for dog in dogs { _ = index(of: dog, .dog(dog)) }
  }

  /// The tallies by name, the one without a name last.
  var inOrder: [WalkTally] {
    if case .dog = group { return tallies }
    return tallies.sorted(byName: \.name)
  }

  /// Counts an outing.
  ///
  /// - Parameters:
  ///   - part: The number of spans before the last one.
  ///   - day: The number of days before the last day.
  mutating func count(_ outing: Outing, part: Int, day: Int) {
    total.count(seconds: outing.seconds, metres: outing.metres, part: part, day: day)
    switch group {
    case .dog:
      for walk in outing.walks {
        guard let dog = walk.dog, let index = indices[ObjectIdentifier(dog)] else { continue }
        tallies[index].count(seconds: walk.seconds, metres: walk.metres, part: part, day: day)
      }
    case .walker:
      let walker = outing.walk.walker
      let index = index(of: walker, .walker(walker))
      tallies[index].count(
        seconds: outing.seconds, metres: outing.metres, part: part, day: day)
    case .tag:
      let found =
        tags.areThere ? outing.walks.reduce(into: Set<Tag>()) { $0.formUnion($1.tags) } : []
      let indices =
        found.isEmpty
        ? [index(of: nil, .tag(nil))] : found.map { index(of: $0, .tag($0)) }
      for index in indices {
        tallies[index].count(
          seconds: outing.seconds, metres: outing.metres, part: part, day: day)
      }
    }
  }

  /// Returns the index of an object's tally, which retains the object.
  private mutating func index(of object: ManagedObject?, _ subject: WalkTally.Subject) -> Int {
    let key = object.map { ObjectIdentifier($0) }
    if let index = indices[key] { return index }
    tallies.append(WalkTally(of: subject))
    indices[key] = tallies.count - 1
    return tallies.count - 1
  }
}

@available(*, unavailable)
extension TallyTable: Sendable {}

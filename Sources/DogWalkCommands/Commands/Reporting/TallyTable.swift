import DogWalkModel
import ManagedObjects

/// The tallies of a report while its walks are counted.
struct TallyTable {
  /// What all of them walked; an outing of several dogs counts once.
  private(set) var total = WalkTally(of: .everyone)

  private let group: ReportGroup
  private let tags: WalkTags
  private var tallies: [WalkTally] = []
  /// The index of each object's tally; that of walks without one has no object.
  private var indices: [ObjectIdentifier?: Int] = [:]

  /// Tallies of nothing yet: of each dog, or of none where walkers or tags are counted.
  init(_ group: ReportGroup, of dogs: [Dog], tags: WalkTags) {
    self.group = group
    self.tags = tags
    guard case .dog = group else { return }
    for dog in dogs { _ = index(of: dog, .dog(dog)) }
  }

  /// The tallies by name, what has no name last.
  var inOrder: [WalkTally] {
    if case .dog = group { return tallies }
    return tallies.sorted(byName: \.name)
  }

  /// Counts an outing.
  ///
  /// - Parameters:
  ///   - part: How many spans before the last one it began.
  ///   - day: How many days before the last day.
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

  /// The index of an object's tally, which keeps the object.
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

import CommandLineKit
import DogWalkModel

/// The totals of a dog, a walker, a tag or all walks, span by span.
struct WalkTally {
  /// What the walks have in common.
  enum Subject {
    case dog(Dog)
    /// A walker; `nil` for walks without one.
    case walker(Walker?)
    /// A tag; `nil` for walks without one.
    case tag(Tag?)
    /// All walks; an outing of several dogs counts once.
    case everyone
  }

  /// The totals of a span.
  struct Part: Hashable, Sendable {
    /// The number of walks that began in it.
    var walks = 0
    /// Their total length in seconds, as far as it is known.
    var seconds = 0.0
    /// Their total distance in metres, as far as it is known.
    var metres = 0.0
    /// The total length and distance of the walks for which both are known.
    fileprivate(set) var paced = Pace(seconds: 0, metres: 0)

    /// The metres rounded to centimetres; `nil` if no walk has a distance.
    var knownMetres: Double? { metres > 0 ? (metres * 100).rounded() / 100 : nil }

    /// Counts a walk.
    mutating func count(seconds: Double?, metres: Double?) {
      walks += 1
      self.seconds += seconds ?? 0
      self.metres += metres ?? 0
      guard let seconds, let metres else { return }
      paced = Pace(seconds: paced.seconds + seconds, metres: paced.metres + metres)
    }

    /// Adds the totals of another part.
    fileprivate mutating func add(_ other: Part) {
      walks += other.walks
      seconds += other.seconds
      metres += other.metres
      paced = Pace(
        seconds: paced.seconds + other.paced.seconds, metres: paced.metres + other.paced.metres)
    }
  }

  /// What the walks have in common.
  let subject: Subject
  /// The parts, indexed by the number of spans before the last one.
  private(set) var parts: [Part] = []
  /// The seconds, indexed by the number of days before the last day; `nil` for a day without a
  /// walk.
  private(set) var days: [Double?] = []
  /// Whether the length of a walk is unknown.
  private(set) var hasUnknown = false

  /// Creates an empty tally.
  init(of subject: Subject) {
    self.subject = subject
  }

  /// The name; `nil` if there is none.
  var name: String? {
    switch subject {
    case .dog(let dog): dog.name
    case .walker(let walker): walker?.name
    case .tag(let tag): tag?.name
    case .everyone: nil
    }
  }

  /// The name as shown to people.
  var shownName: String {
    switch subject {
    case .dog(let dog): dog.shownName
    case .walker(let walker): walker?.name.escapingControls ?? "Nobody named"
    case .tag(let tag): tag.map { "+\($0.name.escapingControls)" } ?? "No tag"
    case .everyone: "Together"
    }
  }

  /// The dog of a tally by dog.
  var dog: Dog? { if case .dog(let dog) = subject { dog } else { nil } }

  /// The dog's target in minutes a day.
  var target: Int? { dog?.target }

  /// Counts a walk.
  ///
  /// - Parameters:
  ///   - part: The number of spans before the last one.
  ///   - day: The number of days before the last day.
  mutating func count(seconds: Double?, metres: Double?, part: Int, day: Int) {
    while parts.count <= part { parts.append(Part()) }
    while days.count <= day { days.append(nil) }
    parts[part].count(seconds: seconds, metres: metres)
    days[day] = (days[day] ?? 0) + (seconds ?? 0)
    if seconds == nil { hasUnknown = true }
  }

  /// Returns the part a number of spans before the last one.
  func part(_ number: Int) -> Part { number < parts.count ? parts[number] : Part() }

  /// The sum of all parts.
  var sum: Part {
    var sum = Part()
    for part in parts { sum.add(part) }
    return sum
  }

  /// Returns the sum of all parts as shown to people:
  /// `at least 4 h 10 min, 35 min a day, 7 walks, 12.5 km, 14:20 min/km`.
  ///
  /// - Parameter days: The number of days; for one there is no average.
  func reading(overDays days: Int) -> String {
    let sum = sum
    guard sum.walks > 0 else { return "no walks" }
    let least = hasUnknown ? "at least " : ""
    var facts = [least + Duration.wholeMinutes(sum.seconds).reading]
    // Less than a minute is not shown.
    let average = (sum.seconds / 60 / Double(days)).rounded(.down)
    if days > 1, average > 0 {
      facts.append("\(Duration.wholeMinutes(average * 60).reading) a day")
    }
    facts.append(sum.walks == 1 ? "1 walk" : "\(sum.walks) walks")
    if sum.metres > 0 { facts.append(Distance(metres: sum.metres).reading) }
    if let pace = sum.paced.reading { facts.append(pace) }
    return facts.joined(separator: ", ")
  }
}

@available(*, unavailable)
extension WalkTally: Sendable {}

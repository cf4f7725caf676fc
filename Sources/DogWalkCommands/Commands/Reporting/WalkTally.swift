import CommandLineKit
import DogWalkModel

/// What a dog, a walker or all of them walked, span by span.
struct WalkTally {
  /// Whose walks are counted.
  enum Subject {
    case dog(Dog)
    /// A walker; `nil` for walks that name none.
    case walker(Walker?)
    /// A tag; `nil` for walks that have none.
    case tag(Tag?)
    /// All of them, an outing of several dogs once.
    case everyone
  }

  /// A span of time and what was walked in it.
  struct Part: Hashable, Sendable {
    /// How many walks began in it.
    var walks = 0
    /// Their seconds, as far as they are known.
    var seconds = 0.0
    /// Their metres, as far as they are known.
    var metres = 0.0
    /// The seconds of those whose metres are known too, and these metres.
    fileprivate(set) var paced = Pace(seconds: 0, metres: 0)

    /// The metres in whole centimetres; `nil` where no walk tells its own.
    var knownMetres: Double? { metres > 0 ? (metres * 100).rounded() / 100 : nil }

    /// Counts a walk.
    mutating func count(seconds: Double?, metres: Double?) {
      walks += 1
      self.seconds += seconds ?? 0
      self.metres += metres ?? 0
      guard let seconds, let metres else { return }
      paced = Pace(seconds: paced.seconds + seconds, metres: paced.metres + metres)
    }

    /// Adds what another part has.
    fileprivate mutating func add(_ other: Part) {
      walks += other.walks
      seconds += other.seconds
      metres += other.metres
      paced = Pace(
        seconds: paced.seconds + other.paced.seconds, metres: paced.metres + other.paced.metres)
    }
  }

  /// Whose walks are counted.
  let subject: Subject
  /// The parts by how many spans they lie before the last one.
  private(set) var parts: [Part] = []
  /// Seconds by how many days before the last day; `nil` for a day without a walk.
  private(set) var days: [Double?] = []
  /// Whether the length of a walk is not known.
  private(set) var hasUnknown = false

  /// A tally of nothing yet.
  init(of subject: Subject) {
    self.subject = subject
  }

  /// The name; `nil` for what has none.
  var name: String? {
    switch subject {
    case .dog(let dog): dog.name
    case .walker(let walker): walker?.name
    case .tag(let tag): tag?.name
    case .everyone: nil
    }
  }

  /// The name as it is shown to people.
  var shownName: String {
    switch subject {
    case .dog(let dog): dog.shownName
    case .walker(let walker): walker?.name.escapingControls ?? "Nobody named"
    case .tag(let tag): tag.map { "+\($0.name.escapingControls)" } ?? "No tag"
    case .everyone: "Together"
    }
  }

  /// The dog, where it is one's.
  var dog: Dog? { if case .dog(let dog) = subject { dog } else { nil } }

  /// How many minutes a day there should be.
  var target: Int? { dog?.target }

  /// Counts a walk.
  ///
  /// - Parameters:
  ///   - part: How many spans before the last one it began.
  ///   - day: How many days before the last day.
  mutating func count(seconds: Double?, metres: Double?, part: Int, day: Int) {
    while parts.count <= part { parts.append(Part()) }
    while days.count <= day { days.append(nil) }
    parts[part].count(seconds: seconds, metres: metres)
    days[day] = (days[day] ?? 0) + (seconds ?? 0)
    if seconds == nil { hasUnknown = true }
  }

  /// The part that many spans before the last one.
  func part(_ number: Int) -> Part { number < parts.count ? parts[number] : Part() }

  /// All parts together.
  var sum: Part {
    var sum = Part()
    for part in parts { sum.add(part) }
    return sum
  }

  /// All parts together as people read them:
  /// `at least 4 h 10 min, 35 min a day, 7 walks, 12.5 km, 14:20 min/km`.
  ///
  /// - Parameter days: Over how many days; of one there is no average.
  func reading(overDays days: Int) -> String {
    let sum = sum
    guard sum.walks > 0 else { return "no walks" }
    let least = hasUnknown ? "at least " : ""
    var facts = [least + Duration.wholeMinutes(sum.seconds).reading]
    // Less than a minute says nothing.
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

import DogWalkModel

/// What one dog walked, span by span.
struct DogTally {
  /// A span of time and what was walked in it.
  struct Part: Hashable, Sendable {
    /// How many walks began in it.
    var walks = 0
    /// Their seconds, as far as they are known.
    var seconds = 0.0
  }

  /// The dog.
  let dog: Dog
  /// The parts by how many spans they lie before the last one.
  private(set) var parts: [Part] = []
  /// Whether the dog was out, by how many days before the last day.
  private(set) var isOut: [Bool] = []
  /// Whether the length of a walk is not known.
  private(set) var hasUnknown = false

  /// A tally of nothing yet.
  init(of dog: Dog) {
    self.dog = dog
  }

  /// Counts a walk.
  ///
  /// - Parameters:
  ///   - part: How many spans before the last one it began.
  ///   - day: How many days before the last day.
  mutating func count(_ walk: Walk, part: Int, day: Int) {
    while parts.count <= part { parts.append(Part()) }
    while isOut.count <= day { isOut.append(false) }
    parts[part].walks += 1
    isOut[day] = true
    if let seconds = walk.seconds { parts[part].seconds += seconds } else { hasUnknown = true }
  }

  /// The part that many spans before the last one.
  func part(_ number: Int) -> Part { number < parts.count ? parts[number] : Part() }

  /// All parts together as people read them: `at least 4 h 10 min, 7 walks`.
  var reading: String {
    let walks = parts.reduce(0) { $0 + $1.walks }
    guard walks > 0 else { return "no walks" }
    let minutes = (parts.reduce(0) { $0 + $1.seconds } / 60).rounded(.down)
    return (hasUnknown ? "at least " : "") + Duration.seconds(minutes * 60).reading
      + (walks == 1 ? ", 1 walk" : ", \(walks) walks")
  }
}

@available(*, unavailable)
extension DogTally: Sendable {}

import CommandLineKit

/// The duration and the distance of a walk, distinguished after all words have been read.
///
/// `800m` is a distance if there is also a duration, else a duration.
struct WalkLengths {
  /// The durations as typed.
  private(set) var written: [WrittenDuration] = []
  /// The duration.
  private(set) var duration: Duration?
  /// The distance.
  private(set) var distance: Distance?
  private var spanText: String?

  /// The smallest number of metres that is plausible for a walk.
  private static let leastMetres = 100

  /// Whether a length has been read.
  var isEmpty: Bool { written.isEmpty && spanText == nil }

  /// Adds a typed duration.
  mutating func take(_ duration: WrittenDuration) throws(ValidationError) {
    _ = try duration.seconds()
    written.append(duration)
  }

  /// Adds the length between a start and an end.
  mutating func take(seconds: Int, between text: String) {
    duration = .seconds(seconds)
    spanText = text
  }

  /// Adds a distance.
  mutating func take(_ distance: Distance, typed text: String) throws(ValidationError) {
    guard self.distance == nil else {
      throw ValidationError(
        "\(ValidationError.quoted(text)) is a second distance", hint: "Write one, as in 2.4km.")
    }
    guard distance.metres > 0 else {
      throw ValidationError(
        "a distance cannot be \(text.escapingControls)", hint: "Write 2.4km, or leave it out.")
    }
    self.distance = distance
  }

  /// Distinguishes durations and distances.
  ///
  /// - Parameters:
  ///   - context: What the options give.
  ///   - hasStart: Whether the words give the start.
  /// - Throws: `ValidationError` if there are two lengths, or an ambiguous one.
  mutating func decide(_ context: WalkWords.Context, hasStart: Bool) throws(ValidationError) {
    var open = written.filter { $0.metres != nil }
    var certain = written.filter { $0.metres == nil }
    let hasLength = !certain.isEmpty || spanText != nil || context.hasLength
    let takesMetres = distance == nil && !context.hasDistance
    switch open.count {
    case 1 where hasLength && takesMetres && (open[0].metres ?? 0) >= Self.leastMetres:
      distance = Distance(metres: Double(open[0].metres ?? 0))
      open = []
    case 2 where !hasLength && takesMetres:
      let both = [(open[0], open[1]), (open[1], open[0])].filter {
        Self.canBeMinutes($0) && ($1.metres ?? 0) >= Self.leastMetres
      }
      if both.count > 1 {
        throw ValidationError(
          "of \(ValidationError.quoted(open[0].text)) and \(ValidationError.quoted(open[1].text)), "
            + "each could be minutes or metres",
          hint: "Write the minutes as \(open[0].metres ?? 0)min, or the metres with --distance.")
      }
      if let (minutes, metres) = both.first {
        distance = Distance(metres: Double(metres.metres ?? 0))
        open = [minutes]
      }
    case 1 where !hasLength && takesMetres && !Self.canBeMinutes(open[0]):
      let number = open[0].metres ?? 0
      throw ValidationError(
        "\(ValidationError.quoted(open[0].text)) could be metres or minutes",
        hint: "Write --distance \(number)m, or \(number / 60)h\((number % 60).padded(to: 2))m.")
    default: break
    }
    try refuseDividedThousands()
    certain = written.filter { one in one.metres == nil || open.contains(one) }
    try refuseSecond(certain)
    guard let length = certain.first else { return }
    if let clock = length.lookalike, !hasStart, !context.hasTime {
      throw ValidationError(
        "\(ValidationError.quoted(length.text)) could be a time or a length",
        hint: "Write \(clock) for the time, or \(length.inFull) for the length.")
    }
    duration = .seconds(try length.seconds())
  }

  private static func canBeMinutes(_ duration: WrittenDuration) -> Bool {
    (duration.metres ?? 0) <= WalkWords.greatestBareNumber
  }

  /// Throws for `1 200 m`, which may be a number with its thousands apart.
  private func refuseDividedThousands() throws(ValidationError) {
    for (first, second) in zip(written, written.dropFirst()) {
      guard first.isBareNumber, first.text.utf8.count == 1, let metres = second.metres,
        (100...999).contains(metres), second.text.utf8.contains(0x20)
      else { continue }
      throw ValidationError(
        "\(ValidationError.quoted("\(first.text) \(second.text)")) could be one number or two",
        hint: "Write \(first.text)\(metres)m or \(first.text)min \(metres)m.")
    }
  }

  private func refuseSecond(_ lengths: [WrittenDuration]) throws(ValidationError) {
    if let spanText, let length = lengths.first {
      // The same length given twice is not ambiguous.
      if lengths.count == 1, let duration, try .seconds(length.seconds()) == duration { return }
      let between = duration.map { ", which is \($0.reading)" } ?? ""
      throw ValidationError(
        "\(ValidationError.quoted(length.text)) is a second length beside "
          + "\(ValidationError.quoted(spanText))\(between)",
        hint: "Write the start and the end, or the start and the length.")
    }
    guard lengths.count > 1, let second = lengths.last else { return }
    let clock = lengths.lazy.compactMap(\.asClock).first
    throw ValidationError(
      "\(ValidationError.quoted(second.text)) is a second duration",
      hint: clock.map { "A time is written \($0)." } ?? "Write one, as in 1h15.")
  }
}

@available(*, unavailable)
extension WalkLengths: Sendable {}

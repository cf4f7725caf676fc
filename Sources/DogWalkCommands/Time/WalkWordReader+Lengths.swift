import CommandLineKit

/// Durations, distances and numbers without a unit.
extension WalkWordReader {
  mutating func take(
    _ written: WrittenDuration, _ words: ArraySlice<String>
  ) throws {
    let first = words[words.startIndex]
    if written.isBareNumber, !context.takesBareNumbers {
      throw complaint(aboutNumber: first, length: "\(first.escapingControls)m")
    }
    if written.isBareNumber, try Self.isLong(first, written) { return try takeLongNumber(first) }
    try lengths.take(written)
  }

  /// Throws for `1h 15` if a number without a unit means a walk.
  func refuseNumber(
    endingIn written: WrittenDuration, _ words: ArraySlice<String>
  ) throws(ValidationError) {
    guard !context.takesBareNumbers, words.count > 1, let number = words.last,
      WordScanner.isNumber(number[...])
    else { return }
    throw ValidationError(
      "\(ValidationError.quoted(TypedWords.text(of: words))) could be a length, or a length and "
        + "the number of a walk",
      hint: "Write \(written.inFull) for the length, or \(number) before it for walk \(number).")
  }

  func complaint(aboutNumber text: String, length: String) -> ValidationError {
    ValidationError(
      "\(ValidationError.quoted(text)) follows other words, but the numbers of walks come first",
      hint: "A duration has its unit here, as in \(length); a time is written 18:00 or 7pm.")
  }

  /// Returns whether a number without a unit is too large for minutes, or looks like a time:
  /// `0130`.
  private static func isLong(
    _ text: String, _ written: WrittenDuration
  ) throws(ValidationError) -> Bool {
    try written.seconds() > WalkWords.greatestBareNumber * 60
      || text.utf8.count == 4 && text.hasPrefix("0")
  }

  /// Reads a number that is too large for minutes: an existing dog's name, or an error.
  private mutating func takeLongNumber(_ text: String) throws {
    if try takeName(text) { return }
    let clock = "\(text.dropLast(2)):\(text.suffix(2))"
    if (3...4).contains(text.count), (try? WrittenClock(clock)?.time()) != nil {
      throw ValidationError(
        "\(ValidationError.quoted(text)) could be a time",
        hint: "Write \(clock), or \(text.drop { $0 == "0" })min.")
    }
    throw ValidationError(
      "\(ValidationError.quoted(text)) is too great for minutes without a unit",
      hint: "Write \(text)min, or --dog \(text) for a dog of that name.")
  }

  /// Throws for `2 miles` if there is a dog called Miles.
  func refuseDogBehindNumber(_ words: ArraySlice<String>) throws {
    guard words.count == 2, let number = words.first, let name = words.last,
      let dog = try names.dog(name)
    else { return }
    let unit = name.lowercased().hasPrefix("k") ? "km" : "mi"
    throw ValidationError(
      "\(ValidationError.quoted(TypedWords.text(of: words))) could be a distance, or minutes of "
        + dog.escapingControls,
      hint: "Write \(number)\(unit) for the distance, or \(number)m \(dog.shellWord) for the dog.")
  }
}

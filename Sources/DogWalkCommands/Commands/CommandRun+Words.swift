import CommandLineKit
import DogWalkModel

/// What the words of a command say about a walk, together with its options.
extension CommandRun {
  /// Sorts the words of a command.
  ///
  /// - Parameters:
  ///   - operands: The words; those that belong to `--by` are left out.
  ///   - makesNew: Whether a dog that is not there is made.
  ///   - takesLength: Whether the walk may be given a length.
  ///   - takesBareNumbers: Whether a number without a unit counts minutes.
  ///   - keepsDay: Whether a time without a day is one of a walk's own day.
  func walkWords(
    _ operands: [String], makesNew: Bool = true, takesLength: Bool = true,
    takesBareNumbers: Bool = true, keepsDay: Bool = false
  ) throws -> WalkWords {
    var context = WalkWords.Context()
    context.isNew = values.contains(.new)
    context.takesLength = takesLength
    context.takesBareNumbers = takesBareNumbers
    context.keepsDay = keepsDay
    context.hasLength = values.contains(.duration)
    context.hasTime = values.contains(.at)
    context.hasDistance = values.contains(.distance)
    let (_, others) = try walkerName(operands)
    let (_, rest) = try distanceText(others)
    return try WalkWords(
      rest, names: KnownNames(self, makesNew: makesNew), clock: clock(), context: context)
  }

  /// Whether a word says that something is to be shown, which commands do by themselves.
  static func isWordForShowing(_ word: String) -> Bool {
    ["list", "show", "ls", "all", "view"].contains(word.lowercased())
  }

  /// Whether a word stands between names, as in `dogs merge Fdio into Fido`, and is no name itself.
  static func isWordBetweenNames(_ word: String) -> Bool {
    ["to", "into", "and", "with"].contains(word.lowercased())
  }

  /// The name behind `--by`, and the operands that do not belong to it; `nil` for none, and where
  /// it is empty.
  ///
  /// `--by Ana Maria` means Ana Maria where somebody is called so, and nothing else Maria.
  private func walkerName(_ operands: [String]) throws -> (name: String?, rest: [String]) {
    guard let typed = values[.by], !typed.isEmpty else { return (nil, operands) }
    guard let option = words.firstIndex(of: "--by"), !words.contains("--"),
      words.indices.contains(option + 2)
    else { return (typed, operands) }
    let behind = words[(option + 2)...].prefix { word in
      operands.contains(word) && !word.hasWhitespace
    }
    for count in stride(from: min(behind.count, 3), through: 1, by: -1) {
      let others = Array(behind.prefix(count))
      let name = TypedWords.text(of: [typed] + others)
      guard let start = operands.indices.first(where: { operands[$0...].starts(with: others) }),
        let known = try KnownNames(self).walker(name),
        try !others.contains(where: { try log().dog(named: $0) != nil || WalkWords.hides($0) })
      else { continue }
      var rest = operands
      rest.removeSubrange(start..<start + count)
      return (known, rest)
    }
    return (typed, operands)
  }

  /// The text behind `--distance`, and the operands that do not belong to it: of `--distance 3 km`
  /// the unit does, unless a dog is called so.
  private func distanceText(_ operands: [String]) throws -> (text: String?, rest: [String]) {
    guard let typed = values[.distance], typed.last?.isWholeNumber == true, !words.contains("--"),
      let value = words.indices.first(where: {
        words[$0] == "--distance=\(typed)" || $0 > 0 && words[$0 - 1] == "--distance"
      }), words.indices.contains(value + 1), case let unit = words[value + 1],
      let index = operands.firstIndex(of: unit), (try? Distance(typed: typed + unit)) != nil,
      try log().dog(named: unit) == nil
    else { return (values[.distance], operands) }
    var rest = operands
    rest.remove(at: index)
    return (typed + unit, rest)
  }

  /// Who walked, by `--by` or the words; `nil` where neither says.
  ///
  /// One walker is known by one name: in whatever spelling, it is the one that is there.
  ///
  /// - Parameter usesUsual: Whether an empty `--by=` may stand for nobody: where somebody is usual.
  /// - Throws: `ValidationError` where both say it, and where a new name is a slip.
  func walker(_ words: WalkWords, usesUsual: Bool = false) throws -> String? {
    guard let typed = values[.by] else { return words.walker }
    // Nobody in particular, whatever is set.
    if typed.isEmpty, usesUsual { return nil }
    guard words.walker == nil else {
      throw ValidationError(
        "there is a walker among the words and in --by", hint: "Give one of them.")
    }
    guard let name = try walkerName(values.operands).name ?? WalkValues(values).walker() else {
      return nil
    }
    return try KnownNames(self).walker(
      typed: TypedText.name(name, of: "the walker"), isNew: values.contains(.new))
  }

  /// How far it was, in metres, by `--distance` or the words; `nil` where neither says.
  ///
  /// - Throws: `ValidationError` where both say it.
  func metres(_ words: WalkWords) throws -> Double? {
    guard values.contains(.distance) else { return words.distance?.metres }
    guard words.distance == nil else {
      throw ValidationError(
        "there is a distance among the words and in --distance", hint: "Give one of them.")
    }
    return try WalkValues.distance(typed: distanceText(values.operands).text)
  }

  /// Who walked a new walk, by `--by` or the words, else who is usual; `nil` for nobody.
  func newWalker(_ words: WalkWords) throws -> String? {
    if let walker = try walker(words, usesUsual: true) { return walker }
    guard values[.by] == nil, let usual = try usualWalker() else { return nil }
    return try KnownNames(self).walker(typed: usual, isNew: true)
  }
}

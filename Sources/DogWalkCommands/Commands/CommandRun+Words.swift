import CommandLineKit
import DogWalkModel

/// The values of a walk that a command's words and options give.
extension CommandRun {
  /// Parses the words of a command.
  ///
  /// - Parameters:
  ///   - operands: The words; those that belong to `--by` or `--distance` are skipped.
  ///   - makesNew: Whether a dog that does not exist is created.
  ///   - takesLength: Whether the walk may be given a length.
  ///   - takesBareNumbers: Whether a number without a unit means minutes.
  ///   - keepsDay: Whether a time without a day refers to the walk's own day.
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
    try refuseUnquotedTime(operands)
    let (_, others) = try walkerName(operands)
    let (_, rest) = try distanceText(others)
    return try WalkWords(
      rest, names: KnownNames(self, makesNew: makesNew), clock: clock(), context: context)
  }

  /// Throws for `--at 2h ago`, where only the first word is the option's value.
  private func refuseUnquotedTime(_ operands: [String]) throws(ValidationError) {
    guard let typed = values[.at], WrittenWhen(words: TypedWords(typed).lowercased[...]) == nil,
      !words.contains("--"),
      let value = words.indices.first(where: {
        words[$0] == "--at=\(typed)" || $0 > 0 && words[$0 - 1] == "--at"
      })
    else { return }
    let behind = words[(value + 1)...].prefix { operands.contains($0) }
    for count in stride(
      from: min(behind.count, WrittenWhen.greatestWordCount), through: 1, by: -1)
    {
      let text = TypedWords.text(of: [typed] + behind.prefix(count))
      guard WrittenWhen(words: TypedWords(text).lowercased[...]) != nil else { continue }
      throw ValidationError(
        "\(ValidationError.quoted(typed)) cannot be read as a time",
        hint: "A time with a space needs quotes: \(text.shellValue(of: "at")).")
    }
  }

  /// Returns whether a word asks to show something, which commands do without it.
  static func isWordForShowing(_ word: String) -> Bool {
    ["list", "show", "ls", "all", "view"].contains(word.lowercased())
  }

  /// Returns whether a word only connects names, as in `dogs merge Fdio into Fido`.
  static func isWordBetweenNames(_ word: String) -> Bool {
    ["to", "into", "and", "with"].contains(word.lowercased())
  }

  /// Returns the name after `--by`, and the operands without those that belong to it.
  ///
  /// The name is `nil` if there is none, or if it is empty.
  ///
  /// `--by Ana Maria` means Ana Maria if there is a walker of that name, and Maria has no other
  /// meaning.
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

  /// Returns the text after `--distance`, and the operands without those that belong to it.
  ///
  /// In `--distance 3 km` the unit belongs to it, unless it is the name of a dog.
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

  /// Returns the walker that `--by` or the words give; `nil` if neither does.
  ///
  /// A walker has one name: another spelling of it means the existing walker.
  ///
  /// - Parameter usesUsual: Whether an empty `--by=` may mean no walker, although there is a usual
  ///   one.
  /// - Throws: `ValidationError` if both give one, or if a new name looks like a typing error.
  func walker(_ words: WalkWords, usesUsual: Bool = false) throws -> String? {
    guard let typed = values[.by] else { return words.walker }
    guard words.walker == nil else {
      throw ValidationError(
        "there is a walker among the words and in --by", hint: "Give one of them.")
    }
    // No walker, even if a usual one is set.
    if typed.isEmpty, usesUsual { return nil }
    guard let name = try walkerName(values.operands).name ?? WalkValues(values).walker() else {
      return nil
    }
    return try KnownNames(self).walker(
      typed: TypedText.name(name, of: "the walker"), isNew: values.contains(.new))
  }

  /// Returns the distance in metres that `--distance` or the words give; `nil` if neither does.
  ///
  /// - Throws: `ValidationError` if both do.
  func metres(_ words: WalkWords) throws -> Double? {
    guard values.contains(.distance) else { return words.distance?.metres }
    guard words.distance == nil else {
      throw ValidationError(
        "there is a distance among the words and in --distance", hint: "Give one of them.")
    }
    return try WalkValues.distance(typed: distanceText(values.operands).text)
  }

  /// Returns the walker of a new walk: from `--by` or the words, else the usual one; `nil` for
  /// none.
  ///
  /// - Throws: `ValidationError` as `walker(_:usesUsual:)`, also for the usual walker, whose name
  ///   may have been mistyped where it was set.
  func newWalker(_ words: WalkWords) throws -> String? {
    if let walker = try walker(words, usesUsual: true) { return walker }
    guard values[.by] == nil, let usual = try setting(.by) else { return nil }
    do {
      return try KnownNames(self).walker(
        typed: usual.text, isNew: values.contains(.new), isSetting: true)
    } catch let error as ValidationError {
      let origin = usual.origin.hasPrefix("$") ? usual.origin : "config by"
      throw ValidationError("\(origin): \(error.message)")
    }
  }
}

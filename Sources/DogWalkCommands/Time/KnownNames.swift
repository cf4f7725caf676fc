import CommandLineKit
import DataFormats
import DogWalkModel

/// The existing dogs, walkers and tags, looked up only as parsing a command needs them.
///
///     let names = KnownNames(dogs: { try log.dogs().map(\.name) })
///     try names.dog("fido")   // "Fido", as the dog is called
struct KnownNames {
  /// Whether the command creates dogs and walkers that do not exist.
  let makesNew: Bool
  /// The names of the command's options, for hints if the dashes were forgotten.
  let options: [String]
  /// The typed command, without the program's name.
  let words: [String]
  /// How the program is called in the commands that hints suggest.
  let call: String
  /// Returns the stored name of a dog in another spelling; `nil` if there is none.
  let dog: (_ name: String) throws -> String?
  /// The names of all dogs.
  let dogs: () throws -> [String]
  /// The names of all walkers.
  let walkers: () throws -> [String]
  /// The names of all tags.
  let tags: () throws -> [String]

  /// Creates names that are looked up on first use.
  init(
    makesNew: Bool = true, options: [String] = [], words: [String] = [], call: String = "dogwalk",
    dog: ((String) throws -> String?)? = nil, dogs: @escaping () throws -> [String],
    walkers: @escaping () throws -> [String] = { [] },
    tags: @escaping () throws -> [String] = { [] }
  ) {
    self.makesNew = makesNew
    self.options = options
    self.words = words
    self.call = call
    self.dog = dog ?? { name in Self.name(name, among: try dogs()) }
    self.dogs = dogs
    self.walkers = walkers
    self.tags = tags
  }

  /// Returns the walker with a name, in any spelling; `nil` if there is none.
  func walker(_ name: String) throws -> String? {
    Self.name(name, among: try walkers())
  }

  /// Returns the matching name, in any spelling; `nil` if there is none.
  static func name(_ name: String, among names: [String]) -> String? {
    let key = NameKey.of(name)
    return names.first { NameKey.of($0) == key }
  }

  /// Throws if a new name looks like a typing error, so that it creates no dog.
  ///
  /// If the command creates no dogs, only misspelled time words are refused here.
  ///
  /// Refused is a name of five or more letters that differs by one error from an existing dog's or
  /// from a time word; `yestreday` is one, since swapped neighbours count as one error. Also
  /// refused are a name with a trailing comma, and a list that contains an existing dog: `Fido,
  /// Rex`, `Fido and Rex`. The name of an existing dog is accepted.
  ///
  /// - Parameters:
  ///   - name: The name as typed.
  ///   - isNew: Whether `--new` is given.
  ///   - isOperand: Whether the name is an operand, and not the value of `--dog`.
  /// - Throws: `ValidationError` with a suggestion, and any error of looking up the dogs.
  func refuseSlip(in name: String, isNew: Bool, isOperand: Bool = false) throws {
    guard !isNew, name.count >= 5 || name.contains(","), try dog(name) == nil else { return }
    let several = isOperand ? MistypedWord.hint(dividing:) : Self.optionsOfDogs
    try refuseList(name, of: "dog", mayBeNew: makesNew, several: several) { try dog($0) != nil }
    guard name.count >= 5 else { return }
    guard let meant = try slip(name, among: makesNew ? dogs() : []) else { return }
    throw ValidationError(
      "there is no dog \(ValidationError.quoted(name))",
      hint: "Did you mean \(meant.escapingControls)?"
        + (makesNew ? " A new dog of that name needs --new." : ""))
  }

  /// Returns the hint to use several `--dog` options.
  private static func optionsOfDogs(_ names: [String]) -> String {
    let options = names.map { $0.shellValue(of: "dog") }
    return "Each dog has an option of its own: \(options.joined(separator: " "))."
  }

  /// Throws if a new name ends in a comma or is a list.
  ///
  /// A list contains an existing name, or commas without a space after them.
  ///
  /// - Parameters:
  ///   - kind: What it is the name of: `dog`, `walker`.
  ///   - mayBeNew: Whether `--new` creates one with that name.
  ///   - several: Returns the hint for several names.
  private func refuseList(
    _ name: String, of kind: String, mayBeNew: Bool, several: ([String]) -> String,
    exists: (String) throws -> Bool
  ) throws {
    let hasComma = name.contains(",")
    let names = hasComma ? MistypedWord.names(in: name) : MistypedWord.joinedNames(in: name)
    let isList = try hasComma && !name.contains(", ") || names.contains(where: exists)
    guard name.last == "," || names.count > 1 && isList else { return }
    throw ValidationError(
      "\(ValidationError.quoted(name)) " + (hasComma ? "has a comma in it" : "is several names"),
      hint: (names.count > 1 ? several(names) : MistypedWord.hint(aboutCommasIn: name))
        + (mayBeNew ? " A new \(kind) of that name needs --new." : ""))
  }

  /// Returns the name of a walker: as stored if there is one, else as typed.
  ///
  /// - Parameter isSetting: Whether a setting names the walker, and not `--by`.
  /// - Throws: `ValidationError` if the name is new and either means something else, such as a
  ///   time or a tag, differs by one error from another walker's, or contains several names.
  func walker(typed name: String, isNew: Bool, isSetting: Bool = false) throws -> String {
    let names = try walkers()
    if let known = Self.name(name, among: names) { return known }
    guard !isNew else { return name }
    let insists = options.contains("new") ? " A new walker of that name needs --new." : ""
    if let meaning = Self.otherMeaning(ofWalker: name) {
      throw ValidationError(
        "\(ValidationError.quoted(name)) is \(meaning)",
        hint: (isSetting ? "Write who walks." : "Leave --by out.") + insists)
    }
    let exists = { Self.name($0, among: names) != nil }
    // If the command has no `--new`, a name with "and" is accepted.
    if name.contains(",") || options.contains("new") {
      try refuseList(
        name, of: "walker", mayBeNew: true, several: { _ in "A walk is by one person." },
        exists: exists)
    }
    guard name.count >= 5,
      let meant = names.first(where: { isOneSlip(from: name, to: $0, by: NameKey.of) })
    else { return name }
    throw ValidationError(
      "nobody called \(ValidationError.quoted(name)) has walked yet",
      hint: "Did you mean \(meant.escapingControls)?\(insists)")
  }

  /// Returns what else a walker's name means: `a time` for `18:00`; `nil` for most names.
  private static func otherMeaning(ofWalker name: String) -> String? {
    let word = name.lowercased()
    if TypedTags.isTag(name) { return "a tag" }
    // `Mon`, which is a day, may be a walker too; `monday` may not.
    if Weekday(word) != nil, !WrittenWhen.timeWords.contains(word) { return nil }
    let words = TypedWords(name).lowercased
    if WalkWords.isTime(name) || WrittenSpan(words: words[...]) != nil
      || WrittenWhen.timeWords.contains(word)
    {
      return "a time"
    }
    return WalkWords.hides(name) ? "a length" : nil
  }

  /// Returns the dog or time word that a name differs from by one error.
  private func slip(_ name: String, among dogs: [String]) -> String? {
    dogs.first { isOneSlip(from: name, to: $0, by: NameKey.of) }
      ?? (WrittenWhen.timeWords + MistypedWord.longWords).first { isOneSlip(from: name, to: $0) }
  }

  // MARK: Unknown words

  /// Returns the error about a word that names no dog, with a hint about what it may have meant.
  func complaint(
    aboutUnknown word: String, among names: [String]
  ) throws -> ValidationError {
    guard word.isUTF8 else {
      return ValidationError(
        "the word \(ValidationError.quoted(word)) is not UTF-8", hint: "Set the terminal to UTF-8.")
    }
    let complaint = "there is no dog \(ValidationError.quoted(word))"
    if word.contains(",") {
      return ValidationError(complaint, hint: MistypedWord.hint(aboutCommasIn: word))
    }
    let lowercased = word.lowercased()
    var hints: [String] = []
    if try isSecondWalker(word), name(ofWordsAround: word, among: names) == nil {
      return ValidationError(complaint, hint: "A walk is by one person.")
    }
    if let dog = name(ofWordsAround: word, among: names) {
      // The single words of that name are not names themselves.
      return ValidationError(complaint, hint: "Did you mean \(dog.shellWord)?")
    } else if let counts = self.counts(from: word) {
      return ValidationError(complaint, hint: "Did you mean \(counts)?")
    } else if let option = Self.option(lowercased, among: options) {
      hints.append("Did you mean --\(option)?")
    } else if word.count >= 5, let time = slip(word, among: []) {
      hints.append("Did you mean \(time)?")
    } else if let name = newWalker(endingIn: word) ?? newDog(endingIn: word) {
      hints.append("Did you mean \(name)?")
    } else if let walker = try walker(word), options.contains("by") {
      hints.append("Did you mean \(walker.shellValue(of: "by"))?")
    } else if options.contains("tag"), let tag = try tag(word) {
      hints.append("Did you mean \("+\(tag)".shellWord)?")
    } else if let dog = Self.near(word, among: names) {
      hints.append("Did you mean \(dog.shellWord)?")
    } else if let note = note(goingOnWith: word) {
      return ValidationError(complaint, hint: "If it belongs to the note, write \(note).")
    } else if !makesNew {
      hints.append(
        names.isEmpty
          ? "There are no dogs yet."
          : "\(names.count == 1 ? "There is" : "There are") \(sentenceList(names)).")
      if options.contains("tag"), word.allSatisfy(\.isLetter), word.first?.isLowercase == true {
        // A tag that no walk has would select nothing.
        let picks = options.contains("since")
        let note = options.contains("note") ? ", a note --note \(word)" : ""
        hints.append(
          picks ? "In notes it is found by --note \(word)." : "A tag is written +\(word)\(note).")
      }
    }
    guard makesNew else { return ValidationError(complaint, hint: hints.joined(separator: " ")) }
    hints.append("For a dog of that name: \(try command(naming: word, among: names))")
    return ValidationError(complaint, hint: hints.joined(separator: " "))
  }

  /// Whether an option names the dog.
  var areDogsNamed: Bool {
    words.contains { $0 == "--dog" || $0 == "-d" || $0.hasPrefix("--dog=") }
  }

  /// Throws if a dog's name follows a note of one word, as in `add Fido --note met Rex`.
  ///
  /// If the walk already has a dog, the name is more likely a part of the note.
  ///
  /// - Parameter isChange: Whether the command changes existing walks, which already have dogs.
  func refuseDog(inNote name: String, isChange: Bool) throws {
    guard let index = words.firstIndex(of: name), index > 2,
      ["--note", "-n"].contains(words[index - 2]), !words[index - 1].isEmpty,
      let note = note(goingOnWith: name),
      try isChange || isDogNamed(before: index - 2)
    else { return }
    throw ValidationError(
      "\(ValidationError.quoted(name)) follows a note of one word",
      hint: "If it belongs to the note, write \(note); if not, write it before --note.")
  }

  /// Throws if a preposition follows a note of one word, as in `edit 2 --note back at 9:30`.
  ///
  /// There it more likely belongs to the note than gives a new time.
  func refuseLittleWord(inNote word: String) throws(ValidationError) {
    guard let index = words.firstIndex(of: word), index > 2,
      ["--note", "-n"].contains(words[index - 2]), !words[index - 1].isEmpty,
      !words[index - 1].hasWhitespace
    else { return }
    let rest = words[(index + 1)...].prefix { !$0.hasPrefix("-") && !$0.hasPrefix("+") }
    // A number may be a time after "at"; other numbers more likely do not belong to the note.
    let first = FunctionWord.wantTime.contains(word.lowercased()) ? rest.prefix(1) : []
    let others = rest.dropFirst(first.count).prefix { !$0.contains(where: \.isNumber) }
    let note = TypedWords.text(of: words[(index - 1)...index] + first + others)
    let behind = rest.dropFirst(first.count + others.count).map { " " + $0.shellWord }.joined()
    throw ValidationError(
      "\(ValidationError.quoted(word)) follows a note of one word",
      hint: "If it belongs to the note, write --note \(ValidationError.quoted(note))\(behind); if "
        + "not, write it before --note.")
  }

  /// Returns whether an existing dog's name is among the words before an option, after the command.
  private func isDogNamed(before option: Int) throws -> Bool {
    try (1..<option).contains { index in
      // A word after an option may be its value.
      try !words[index].hasPrefix("-") && !words[index - 1].hasPrefix("-")
        && dog(words[index]) != nil
    }
  }

  /// Returns `--note "it rained"` for `--note it rained`; nil if a word does not continue a note.
  private func note(goingOnWith word: String) -> String? {
    guard options.contains("note"), let index = words.firstIndex(of: word),
      let option = words[..<index].lastIndex(where: { ["--note", "-n"].contains($0) }),
      case let start = option + 1, start < index,
      !words[start].hasWhitespace, !words[start..<index].contains(where: { $0.hasPrefix("-") })
    else { return nil }
    let rest = words[(index + 1)...].prefix { word in
      !word.hasPrefix("-") && !word.hasPrefix("+") && !word.contains(where: \.isNumber)
    }
    let text = TypedWords.text(of: words[start...index] + rest)
    return "--note \(ValidationError.quoted(text))"
  }

  private func name(ofWordsAround word: String, among names: [String]) -> String? {
    Self.name(ofWordsAround: word, in: words, among: names)
  }

  /// Returns the longest name that consists of several consecutive words including the given one.
  ///
  /// `nil` for none. Case and accents are ignored.
  static func name(
    ofWordsAround word: String, in words: [String], among names: [String]
  ) -> String? {
    guard let index = words.firstIndex(of: word) else { return nil }
    for count in stride(from: 5, to: 1, by: -1) {
      for start in max(0, index - count + 1)...index where start + count <= words.count {
        let key = NameKey.withoutMarks(TypedWords.text(of: words[start..<start + count]))
        if let name = names.first(where: { NameKey.withoutMarks($0) == key }) { return name }
      }
    }
    return nil
  }

  /// Returns the most likely name for a text: one that begins with it, or a similar one.
  ///
  /// Case and accents are ignored.
  static func near(_ text: String, among names: [String]) -> String? {
    let key = NameKey.withoutMarks(text)
    let whole = names.first { NameKey.withoutMarks($0) == key }
    let begun = names.first { NameKey.withoutMarks($0).hasPrefix(key + " ") }
    return whole ?? begun ?? nearest(to: text, among: names, by: NameKey.withoutMarks)
  }

  /// Returns `--by 'Ana Maria'` for `--by Ana Maria`, and `by Ana` for `with Ana`.
  ///
  /// `nil` for other words.
  private func newWalker(endingIn word: String) -> String? {
    guard options.contains("by"), let index = words.firstIndex(of: word), index > 0 else {
      return nil
    }
    if words[index - 1].lowercased() == "with" { return "by \(word.shellWord)" }
    return firstName(before: word)
      .map { TypedWords.text(of: [$0, word]).shellValue(of: "by") }
  }

  /// Returns the `Ana` of `by Ana Smith` for `Smith`; `nil` for other words.
  private func firstName(before word: String) -> String? {
    guard options.contains("by"), let index = words.firstIndex(of: word), index > 1,
      ["--by", "by"].contains(words[index - 2].lowercased())
    else { return nil }
    return words[index - 1]
  }

  /// Whether a word may be part of a walker's name, or another one: the `Smith` of `by Ana Smith`,
  /// the `Bob` of `by Ana and Bob`.
  func mayBeWalker(_ word: String) throws -> Bool {
    try isSecondWalker(word) || firstName(before: word) != nil
  }

  /// Whether a word is the `Bob` of `by Ana and Bob`.
  private func isSecondWalker(_ word: String) throws -> Bool {
    guard let index = words.firstIndex(of: word), index > 2 else { return false }
    return try ["and", "&"].contains(words[index - 1].lowercased())
      && ["by", "with", "--by"].contains(words[index - 3].lowercased())
      && dog(words[index - 2]) == nil
  }

  /// Returns `--dog 'Lady Luna'` for `--dog Lady Luna`; `nil` for other words.
  private func newDog(endingIn word: String) -> String? {
    guard makesNew, let index = words.firstIndex(of: word), index > 1,
      ["--dog", "-d"].contains(words[index - 2])
    else { return nil }
    return TypedWords.text(of: [words[index - 1], word]).shellValue(of: "dog")
  }

  /// Returns the tag with a name, in any spelling; `nil` if there is none.
  private func tag(_ name: String) throws -> String? {
    try tags().first { NameKey.of($0) == NameKey.of(name) }
  }

  /// Returns the command with a word given as the value of `--dog`, and other new names likewise:
  /// beside an option, no bare word makes a dog.
  ///
  /// - Parameter names: The dogs that exist; a name that is nearly one of them needs `--new`.
  private func command(naming word: String, among names: [String]) throws -> String {
    let option = word.shellValue(of: "dog")
    func isSlip(_ word: String) -> Bool { word.count >= 5 && slip(word, among: names) != nil }
    let indices = words.indices.filter { words[$0] == word }
    // After an option it may be that option's value.
    let index = indices.first { $0 == 0 || !words[$0 - 1].hasPrefix("-") } ?? indices.first
    guard let index, !words.contains("--") else { return option + (isSlip(word) ? " --new" : "") }
    var shown = words.map { StoreLocation.shown($0).shellWord }
    shown[index] = option
    let others = try words.indices.filter { try $0 != index && isNewName(at: $0) }
    for other in others { shown[other] = words[other].shellValue(of: "dog") }
    let named = Set(others + [index])
    let needsNew = named.contains { isSlip(words[$0]) } && !words.contains("--new")
    let new = needsNew ? " --new" : ""
    // Options need no word before them.
    for before in words.indices.reversed()
    where ["and", "with", "&"].contains(words[before].lowercased()) && named.contains(before + 1) {
      shown.remove(at: before)
    }
    let text = shown.joined(separator: " ") + new
    return text.utf8.count > 200 ? option + new : "dogwalk \(text)"
  }

  /// Returns whether a word is an operand with a capital letter that can only be a new dog's name.
  private func isNewName(at index: Int) throws -> Bool {
    let word = words[index]
    guard index > 0, !words[index - 1].hasPrefix("-"), words[index - 1].lowercased() != "by",
      word.first?.isUppercase == true,
      word.allSatisfy(\.isLetter), WalkWords.otherMeaning(of: word) == nil,
      MistypedWord(word, call: call) == nil
    else { return false }
    return try dog(word) == nil && walker(word) == nil
  }
}

@available(*, unavailable)
extension KnownNames: Sendable {}

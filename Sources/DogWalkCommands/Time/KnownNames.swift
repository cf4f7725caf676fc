import CommandLineKit
import DataFormats
import DogWalkModel

/// The dogs and the walkers there are, as far as reading a command needs them; asked only when it
/// does.
///
///     let names = KnownNames(dogs: { try log.dogs().map(\.name) })
///     try names.dog("fido")   // "Fido", as the dog is called
struct KnownNames {
  /// Whether a dog or a walker that is not there is made.
  let makesNew: Bool
  /// The options of the command, by name: who forgets the dashes is told.
  let options: [String]
  /// The command as typed, without the program's name.
  let words: [String]
  /// What the commands begin with that are proposed.
  let call: String
  /// Looks one dog up: its name, by the rules under which names are one; `nil` for none.
  let dog: (_ name: String) throws -> String?
  /// The names of all dogs.
  let dogs: () throws -> [String]
  /// The names of all walkers.
  let walkers: () throws -> [String]
  /// The names of all tags.
  let tags: () throws -> [String]

  /// Names that are looked up when they are asked for.
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

  /// The walker of a name, in whatever spelling; `nil` for none.
  func walker(_ name: String) throws -> String? {
    Self.name(name, among: try walkers())
  }

  /// The one of some names that is meant, in whatever spelling; `nil` for none.
  static func name(_ name: String, among names: [String]) -> String? {
    let key = NameKey.of(name)
    return names.first { NameKey.of($0) == key }
  }

  /// Refuses a new name that was most likely meant for another: it makes no new dog.
  ///
  /// Where none is made, only slips of time words are refused here.
  ///
  /// That is a name of five letters or more, one slip away from a dog there is or from a time word;
  /// `yestreday` is one, neighbours swapped counting as one slip. So is a name with a comma behind
  /// it, and a list with a dog there is in it: `Fido, Rex`, `Fido and Rex`. A dog there is passes.
  ///
  /// - Parameters:
  ///   - name: The name as typed.
  ///   - isNew: Whether `--new` insists.
  ///   - isOperand: Whether it stands by itself, and not behind `--dog`.
  /// - Throws: `ValidationError` with the suggestion, and what looking up the dogs throws.
  func refuseSlip(in name: String, isNew: Bool, isOperand: Bool = false) throws {
    guard !isNew, name.count >= 5 || name.contains(","), try dog(name) == nil else { return }
    let several = isOperand ? WordSlip.hint(dividing:) : Self.optionsOfDogs
    try refuseList(name, of: "dog", mayBeNew: makesNew, several: several) { try dog($0) != nil }
    guard name.count >= 5 else { return }
    guard let meant = try slip(name, among: makesNew ? dogs() : []) else { return }
    throw ValidationError(
      "there is no dog \(ValidationError.quoted(name))",
      hint: "Did you mean \(meant.escapingControls)?"
        + (makesNew ? " A new dog of that name needs --new." : ""))
  }

  /// What to write for several dogs behind `--dog`.
  private static func optionsOfDogs(_ names: [String]) -> String {
    let options = names.map { $0.shellValue(of: "dog") }
    return "Each dog has an option of its own: \(options.joined(separator: " "))."
  }

  /// Refuses a new name with a comma behind it, and a list: with a name in it that is there, or
  /// with commas that have no space behind them.
  ///
  /// - Parameters:
  ///   - kind: What it is the name of: `dog`, `walker`.
  ///   - mayBeNew: Whether `--new` makes one of that name.
  ///   - several: What to say where it is several names.
  private func refuseList(
    _ name: String, of kind: String, mayBeNew: Bool, several: ([String]) -> String,
    isThere: (String) throws -> Bool
  ) throws {
    let hasComma = name.contains(",")
    let names = hasComma ? WordSlip.names(in: name) : WordSlip.joinedNames(in: name)
    let isList = try hasComma && !name.contains(", ") || names.contains(where: isThere)
    guard name.last == "," || names.count > 1 && isList else { return }
    throw ValidationError(
      "\(ValidationError.quoted(name)) " + (hasComma ? "has a comma in it" : "is several names"),
      hint: (names.count > 1 ? several(names) : WordSlip.hint(aboutCommasIn: name))
        + (mayBeNew ? " A new \(kind) of that name needs --new." : ""))
  }

  /// The name of a walker: as it is kept where there is one, else as typed.
  ///
  /// - Throws: `ValidationError` where the name is new, and one slip away from another's, or has
  ///   several in it.
  func walker(typed name: String, isNew: Bool) throws -> String {
    let names = try walkers()
    if let known = Self.name(name, among: names) { return known }
    guard !isNew else { return name }
    // `Mon`, which is a day, may be somebody.
    let isTime = WrittenWhen.timeWords.contains(name.lowercased())
    guard !isTime, WalkWords.isTime(name) || !WalkWords.hides(name) else {
      throw ValidationError(
        "\(ValidationError.quoted(name)) is a \(isTime ? "time" : "length")",
        hint: "Leave --by out. A new walker of that name needs --new.")
    }
    let isThere = { Self.name($0, among: names) != nil }
    // Where nothing can insist, an "and" is taken as it is.
    if name.contains(",") || options.contains("new") {
      try refuseList(
        name, of: "walker", mayBeNew: true, several: { _ in "A walk is by one person." },
        isThere: isThere)
    }
    guard name.count >= 5,
      let meant = names.first(where: { isOneSlip(from: name, to: $0, by: NameKey.of) })
    else { return name }
    throw ValidationError(
      "nobody called \(ValidationError.quoted(name)) has walked yet",
      hint: "Did you mean \(meant.escapingControls)? A new walker of that name needs --new.")
  }

  /// What a name is one slip away from: a dog, or a word of times.
  private func slip(_ name: String, among dogs: [String]) -> String? {
    dogs.first { isOneSlip(from: name, to: $0, by: NameKey.of) }
      ?? (WrittenWhen.timeWords + WordSlip.longWords).first { isOneSlip(from: name, to: $0) }
  }

  // MARK: Words that are nobody

  /// The refusal of a bare word that names none of some dogs, with what it may have meant.
  func complaint(
    aboutUnknown word: String, among names: [String]
  ) throws -> ValidationError {
    guard word.isUTF8 else {
      return ValidationError(
        "the word \(ValidationError.quoted(word)) is not UTF-8", hint: "Set the terminal to UTF-8.")
    }
    let complaint = "there is no dog \(ValidationError.quoted(word))"
    if word.contains(",") {
      return ValidationError(complaint, hint: WordSlip.hint(aboutCommasIn: word))
    }
    let lowercased = word.lowercased()
    var hints: [String] = []
    if try isSecondWalker(word), name(ofWordsAround: word, among: names) == nil {
      return ValidationError(complaint, hint: "A walk is by one person.")
    }
    if let dog = name(ofWordsAround: word, among: names) {
      // Its words make no name one by one.
      return ValidationError(complaint, hint: "Did you mean \(dog.shellWord)?")
    } else if let name = newWalker(endingIn: word) ?? newDog(endingIn: word) {
      hints.append("Did you mean \(name)?")
    } else if let option = Self.option(lowercased, among: options) {
      hints.append("Did you mean --\(option)?")
    } else if let walker = try walker(word), options.contains("by") {
      hints.append("Did you mean \(walker.shellValue(of: "by"))?")
    } else if options.contains("tag"), let tag = try tag(word) {
      hints.append("Did you mean \("+\(tag)".shellWord)?")
    } else if let dog = Self.near(word, among: names)
      ?? (word.count < 5 ? nil : slip(word, among: []))
    {
      hints.append("Did you mean \(dog.shellWord)?")
    } else if !makesNew {
      hints.append(
        names.isEmpty
          ? "There are no dogs yet."
          : "\(names.count == 1 ? "There is" : "There are") \(sentenceList(names)).")
      if options.contains("tag"), word.allSatisfy(\.isLetter), word.first?.isLowercase == true {
        // A tag that no walk has picks none.
        let picks = options.contains("since")
        let note = options.contains("note") ? ", a note --note \(word)" : ""
        hints.append(
          picks ? "In notes it is found by --note \(word)." : "A tag is written +\(word)\(note).")
      }
    }
    if hints.isEmpty, let note = note(goingOnWith: word) {
      return ValidationError(complaint, hint: "If it belongs to the note, write \(note).")
    }
    guard makesNew else { return ValidationError(complaint, hint: hints.joined(separator: " ")) }
    let needsNew = word.count >= 5 && slip(word, among: names) != nil
    hints.append("For a dog of that name: \(command(naming: word, needsNew: needsNew))")
    return ValidationError(complaint, hint: hints.joined(separator: " "))
  }

  /// Whether an option names the dog.
  var areDogsNamed: Bool {
    words.contains { $0 == "--dog" || $0 == "-d" || $0.hasPrefix("--dog=") }
  }

  /// Refuses the name of a dog behind a note of one word, as in `add Fido --note met Rex`: where
  /// the walk has its dog already, Rex was met.
  ///
  /// - Parameter isChange: Whether walks that are there are changed, which have their dogs.
  func refuseDog(inNote name: String, isChange: Bool) throws {
    guard let index = words.firstIndex(of: name), index > 2,
      ["--note", "-n"].contains(words[index - 2]), !words[index - 1].isEmpty,
      let note = note(goingOnWith: name),
      try isChange || isDogNamed(before: index - 2)
    else { return }
    throw ValidationError(
      "\(ValidationError.quoted(name)) stands behind a note of one word",
      hint: "If it belongs to the note, write \(note); if not, write it before --note.")
  }

  /// Refuses a little word behind a note of one word, as in `edit 2 --note back at 9:30`, which is
  /// no other time of the walk.
  func refuseLittleWord(inNote word: String) throws(ValidationError) {
    guard let index = words.firstIndex(of: word), index > 2,
      ["--note", "-n"].contains(words[index - 2]), !words[index - 1].isEmpty,
      !words[index - 1].hasWhitespace
    else { return }
    let text = words[(index - 1)...].prefix { !$0.hasPrefix("-") && !$0.hasPrefix("+") }
    throw ValidationError(
      "\(ValidationError.quoted(word)) stands behind a note of one word",
      hint: "If it belongs to the note, write "
        + "--note \(ValidationError.quoted(TypedWords.text(of: Array(text)))); if not, write it "
        + "before --note.")
  }

  /// Whether a dog that is there stands among the words before an option, behind the command.
  private func isDogNamed(before option: Int) throws -> Bool {
    try (1..<option).contains { index in
      // What stands behind an option may be its value.
      try !words[index].hasPrefix("-") && !words[index - 1].hasPrefix("-")
        && dog(words[index]) != nil
    }
  }

  /// `--note "it rained"` for `--note it rained`; nil where a word does not go on with a note.
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

  /// The name of several words that stand one after the other, one of them this; the longest one,
  /// `nil` for none.
  ///
  /// Case and accents do not count.
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

  /// The name that is meant by a text: one that begins with it, or that is some slips away.
  ///
  /// Case and accents do not count.
  static func near(_ text: String, among names: [String]) -> String? {
    let key = NameKey.withoutMarks(text)
    let whole = names.first { NameKey.withoutMarks($0) == key }
    let begun = names.first { NameKey.withoutMarks($0).hasPrefix(key + " ") }
    return whole ?? begun ?? nearest(to: text, among: names, by: NameKey.withoutMarks)
  }

  /// `--by 'Ana Maria'` for `--by Ana Maria` and `by Ana` for `with Ana`, where nobody is called so
  /// yet; `nil` elsewhere.
  private func newWalker(endingIn word: String) -> String? {
    guard options.contains("by"), let index = words.firstIndex(of: word), index > 0 else {
      return nil
    }
    if words[index - 1].lowercased() == "with" { return "by \(word.shellWord)" }
    guard index > 1, ["--by", "by"].contains(words[index - 2].lowercased()) else { return nil }
    return TypedWords.text(of: [words[index - 1], word]).shellValue(of: "by")
  }

  /// Whether a word is the `Bob` of `by Ana and Bob`.
  private func isSecondWalker(_ word: String) throws -> Bool {
    guard let index = words.firstIndex(of: word), index > 2 else { return false }
    return try ["and", "&"].contains(words[index - 1].lowercased())
      && ["by", "with", "--by"].contains(words[index - 3].lowercased())
      && dog(words[index - 2]) == nil
  }

  /// `--dog 'Lady Luna'` for `--dog Lady Luna`, where no dog is called so yet; `nil` elsewhere.
  private func newDog(endingIn word: String) -> String? {
    guard makesNew, let index = words.firstIndex(of: word), index > 1,
      ["--dog", "-d"].contains(words[index - 2])
    else { return nil }
    return TypedWords.text(of: [words[index - 1], word]).shellValue(of: "dog")
  }

  /// The tag of a name, in whatever spelling; `nil` for none.
  private func tag(_ name: String) throws -> String? {
    try tags().first { NameKey.of($0) == NameKey.of(name) }
  }

  /// The command with `--dog` before a word.
  private func command(naming word: String, needsNew: Bool) -> String {
    let named = word.shellValue(of: "dog")
    let new = needsNew ? " --new" : ""
    let indices = words.indices.filter { words[$0] == word }
    // Behind an option it may be a value.
    let index = indices.first { $0 == 0 || !words[$0 - 1].hasPrefix("-") } ?? indices.first
    guard let index, !words.contains("--") else { return named + new }
    var shown = words.map { StoreLocation.shown($0).shellWord }
    shown[index] = named
    let text = shown.joined(separator: " ") + new
    return text.utf8.count > 200 ? named + new : "dogwalk \(text)"
  }

  /// The option that a word without dashes stands for: `pee`, `pees`, `poop`, `with`.
  private static func option(_ word: String, among options: [String]) -> String? {
    let meant =
      switch word {
      case "pees", "peed", "piss", "pissed", "wee", "weed", "peeing": "pee"
      case "poos", "pooed", "poop", "pooped", "poops", "poopoo", "pooing": "poo"
      case "notes", "comment", "message": "note"
      case "time", "when": "at"
      case "length": "duration"
      case "who", "walker": "by"
      case "from", "after": "since"
      case "to", "till", "before": "until"
      default: word
      }
    return options.contains(meant) ? meant : nil
  }
}

@available(*, unavailable)
extension KnownNames: Sendable {}

import CommandLineKit

/// The error about words of `dogwalk add` that most likely are not dogs' names.
///
///     MistypedWord("tomorrow", call: "dogwalk")?.complaint
///
/// A dog with such a name needs `--dog`.
struct MistypedWord {
  /// The error with its hint.
  let complaint: ValidationError

  /// Creates a slip from an error.
  init(complaint: ValidationError) { self.complaint = complaint }

  /// Creates the error about a word; `nil` if it may be a name.
  ///
  /// - Parameter call: How the program is called in the commands that hints suggest.
  init?(_ word: String, call: String) {
    let lowercased = word.lowercased()
    let quoted = ValidationError.quoted(word)
    if Command.dogwalk.specification.subcommand(named: lowercased) != nil {
      complaint = Self.complaint(
        word, "is a command", hint: "Write \(call) \(lowercased); for a dog of that name,")
    } else if let last = word.last, "-–—".contains(last), WrittenClock(lowercased.dropLast()) != nil
    {
      complaint = ValidationError(
        "\(quoted) is neither a time, a duration nor a known dog", hint: Self.rangeHint)
    } else if let repaired = Self.repaired(lowercased) {
      let day = Self.canBeDay(lowercased) ? ", or a day as 2026-11-20" : ""
      complaint = ValidationError(
        "\(quoted) is neither a time, a duration nor a known dog",
        hint: "Write \(repaired)\(day).")
    } else if word.contains(","), !Self.beginsWithNumber(word) {
      complaint = ValidationError(
        "\(quoted) has a comma in it", hint: Self.hint(aboutCommasIn: word))
    } else if ["am", "pm", "a.m.", "p.m."].contains(lowercased) {
      complaint = ValidationError(
        "\(quoted) stands alone", hint: "Write it after the hour, as in 7:30pm.")
    } else if let better = Self.better(lowercased, call: call) {
      complaint = ValidationError(
        "\(quoted) is neither a time, a duration nor a known dog", hint: better)
    } else if lowercased == "park" {
      complaint = ValidationError(
        "\(quoted) is neither a time, a duration nor a known dog",
        hint: "Where it was is a tag, +\(word), or a note, --note \(word).")
    } else if let option = Self.option(in: word) {
      complaint = ValidationError(
        "\(quoted) is neither a time, a duration nor a known dog", hint: "Write \(option).")
    } else if word.contains(where: Self.isMark) || word.first == "-" {
      complaint = Self.complaint(
        word, "is not a known dog", hint: "A name with such a character in it needs an option:")
    } else if Self.beginsWithNumber(word) || Self.sentenceWords.contains(lowercased)
      || WrittenDuration.Unit(lowercased) != nil || !word.contains(where: Self.canBeNamed)
    {
      complaint = Self.complaint(
        word, "is neither a time, a duration nor a known dog",
        hint: "Write 18:00 or 35m; for a dog of that name,")
    } else {
      return nil
    }
  }

  /// The hint for the two times of a range in different words.
  static let rangeHint = "Write a start and an end without spaces, as in 18:00-18:40."

  /// Returns the hint for words with commas between or after them.
  static func hint(aboutCommasIn text: String) -> String {
    let words = names(in: text)
    return switch words.count {
    case 0: "Write spaces between words."
    case 1: "Leave the comma out: \(words[0].shellWord)."
    default: hint(dividing: words)
    }
  }

  /// Returns the hint for several words that are not values of options.
  static func hint(dividing words: [String]) -> String {
    "Write spaces between words: \(words.map(\.shellWord).joined(separator: " "))."
  }

  /// Returns the names in a text with commas between or after them.
  static func names(in text: String) -> [String] {
    text.split(separator: ",").map { TypedWords.text(of: TypedWords(String($0)).original) }
  }

  /// Returns the names in a text with `and`, `&` or `+` between them.
  static func joinedNames(in text: String) -> [String] {
    text.split(separator: " ").split { ["and", "&", "+"].contains($0.lowercased()) }
      .map { $0.joined(separator: " ") }
  }

  private static func complaint(_ text: String, _ reason: String, hint: String) -> ValidationError {
    ValidationError(
      "\(ValidationError.quoted(text)) \(reason)", hint: "\(hint) \(text.shellValue(of: "dog")).")
  }

  /// Returns whether a character can be part of a name; a dash or an ellipsis cannot.
  private static func canBeNamed(_ character: Character) -> Bool {
    !character.isASCII && !"–—…−".contains(character) || character.isLetter || character.isNumber
  }

  /// Returns whether a character does not occur in names.
  private static func isMark(_ character: Character) -> Bool { "~@#=/\\:".contains(character) }

  /// Returns whether a word begins with a digit of any script, after an optional plus sign.
  private static func beginsWithNumber(_ word: String) -> Bool {
    word.drop { $0 == "+" }.first?.isNumber == true
  }

  /// Returns whether a word may contain a digit of any script, which most names do not.
  private static func mayBeNumber(_ word: String) -> Bool {
    word.utf8.contains { $0 >= 0x80 || WordScanner.isDigit($0) }
  }

  // MARK: Suggestions

  /// Refused words whose misspellings must not create a dog either.
  static let longWords = [
    "tomorrow", "tonight", "morning", "afternoon", "evening", "minute", "minutes", "hours",
    "midnight",
  ]

  /// Returns the hint for a word that is nearly a time or a duration.
  private static func better(_ word: String, call: String) -> String? {
    switch word {
    case "tomorrow", "tonight", "next": return "A walk is written down when it is over."
    case "last": return "A day is written last tuesday 8:00, or yesterday 18:00."
    case "this", "morning", "afternoon", "evening", "night", "earlier", "later", "recently",
      "lunch",
      "lunchtime", "breakfast", "dinner", "dawn", "dusk":
      return "Write what the clock showed, as in today 7:30."
    case "half", "quarter", "past", "o'clock", "oclock":
      return "Write a time as 18:30, and a length as 30m or half an hour."
    case "a", "an", "the", "couple", "few", "several", "some":
      return "Leave it out, or write a number, as in 1h or 2h ago."
    case "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "fifteen",
      "twenty", "thirty", "forty", "fifty", "sixty", "ninety":
      return "Write the number in figures, as in 30m or 18:00."
    case "day", "days", "week", "weeks", "month", "ago", "before":
      return "Write a day as 2 days ago, mon 18:00 or 2026-11-20."
    case "+": return "Leave it out; a tag is one word, as in +park."
    case "about", "around", "roughly", "approximately", "circa", "ca", "almost", "nearly", "approx",
      "~":
      return "Leave it out: about 35m is 35m."
    case "ending", "ended", "finishing", "finished":
      return "Leave it out: a length without a time, as in 35m, ends now."
    case "since", "to", "till", "til", "until", "between", "–", "-", "—", "→", "->", "through":
      return "Write a start and an end, as in 18:00-18:40."
    case "uhr", "de", "à", "del": return "Leave it out, and write a time as 18:30."
    case "heure", "heures", "hora", "horas", "std", "std.", "stunde", "stunden":
      return "Write a length as 1h or 1h30."
    case "halb", "viertel", "demi", "demie":
      return "Write a time as 18:30, and a length as 30m or half an hour."
    case "in": return "Leave it out; where it was is a tag, +park, or a note, --note TEXT."
    case "my", "our", "her", "his": return "Leave it out."
    case "it", "i", "we", "he", "she", "is":
      return "Leave it out; for a note, use --note TEXT."
    case "walk", "walked", "walking", "was", "were", "went", "took", "out", "did", "had", "done":
      return "Leave it out, as in \(call) add Fido Rex 35m yesterday 18:00."
    default: break
    }
    if let day = foreignDay(word) { return "Write \(day)." }
    if ["km/h", "kmh", "kph", "mph"].contains(where: word.hasSuffix) {
      return "A speed is not kept: write a distance and a length, as in 2.4km 35m."
    }
    guard mayBeNumber(word) else { return nil }
    if isMonth(word) { return "Write a day of it, as in \(word)-20." }
    if let readings = Distance.readings(of: word) { return "Write \(readings)." }
    if let date = date(word) { return date }
    if let tag = TypedTags.option(for: word) {
      let offset =
        "Write an offset without a space before it, as in 2026-11-20T18:00+01:00"
      let digits = word.dropFirst()
      if digits.count <= 4, digits.allSatisfy(\.isWholeNumber) {
        return "\(offset); a tag of that name is \(tag)."
      }
      return digits.contains(":") ? "\(offset)." : TypedTags.hint(for: word)
    }
    return nil
  }

  /// Returns the day that a word in lower case of another language means; `nil` for other words.
  static func foreignDay(_ word: String) -> String? {
    switch word {
    case "heute", "aujourd'hui", "aujourd’hui", "hoy", "hoje", "oggi", "vandaag", "idag": "today"
    case "gestern", "hier", "ayer", "ontem", "ieri", "gisteren", "igår": "yesterday"
    case "vorgestern", "avant-hier", "anteayer", "anteontem", "eergisteren": "2 days ago"
    case "montag", "lundi", "lunes", "maandag", "lunedì": "mon"
    case "dienstag", "mardi", "martes", "dinsdag", "martedì": "tue"
    case "mittwoch", "mercredi", "miércoles", "miercoles", "woensdag", "mercoledì": "wed"
    case "donnerstag", "jeudi", "jueves", "donderdag", "giovedì": "thu"
    case "freitag", "vendredi", "viernes", "vrijdag", "venerdì": "fri"
    case "samstag", "sonnabend", "samedi", "sábado", "sabado", "zaterdag", "sabato": "sat"
    case "sonntag", "dimanche", "domingo", "zondag", "domenica": "sun"
    default: nil
    }
  }

  /// Returns whether a word that is nearly a time may be a day as well: `20.11` and `11-20`.
  private static func canBeDay(_ word: String) -> Bool {
    let parts = word.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "-" }
      .map { Int($0) ?? 0 }
    guard parts.count == 2, parts.allSatisfy({ (1...31).contains($0) }) else { return false }
    // In dates with full stops the month comes last.
    return word.contains(".") ? parts[1] <= 12 : parts.contains { $0 <= 12 }
  }

  /// Returns how to write a day for `20.11.2026` and `11/20`, and a number with its unit for `1.5`
  /// and `1,5`; nil for other words.
  private static func date(_ word: String) -> String? {
    let parts = word.split(omittingEmptySubsequences: false) { ".,/".contains($0) }
    let isFraction = word.contains("/")
    guard parts.count > 1, let last = parts.last,
      parts.dropLast().allSatisfy({ WordScanner.isNumber($0) }),
      WordScanner.isNumber(last) || last.isEmpty
    else { return nil }
    if parts.count == 2, last.utf8.count == 1, parts[0].utf8.count == 1 {
      let meant = isFraction ? "1.5h or 0.5h" : "\(parts[0]).\(last)h or \(parts[0]).\(last)km"
      return "Write \(meant), and a day as 2026-11-20."
    }
    guard !word.contains(",") else { return nil }
    return "Write a day as 2026-11-20, or yesterday."
  }

  /// Returns `--by Ana` for `by=Ana` and `@Ana`.
  private static func option(in word: String) -> String? {
    if word.first == "@", word.dropFirst().allSatisfy(\.isLetter), word.utf8.count > 1 {
      return "--by \(word.dropFirst()) for who walked, or the tag +\(word.dropFirst())"
    }
    if word.lowercased().hasSuffix(".gpx") { return "--gpx \(word.shellWord)" }
    guard let mark = word.firstIndex(where: { $0 == "=" || $0 == ":" }) else { return nil }
    let (name, value) = (word[..<mark].lowercased(), String(word[word.index(after: mark)...]))
    let options = ["dog", "duration", "at", "distance", "note", "by"]
    guard options.contains(name), !value.isEmpty else { return nil }
    return value.shellValue(of: name)
  }

  /// Words that people write around times and names, but that are neither.
  private static let sentenceWords = [
    "after", "am", "and", "around", "at", "by", "during", "evening", "for", "from", "just",
    "mond", "of", "on", "pm", "since", "went", "with", "yest", "yesterday's",
    "vor", "bis", "mit", "von", "um", "und", "halbe", "eine", "einen", "avec", "pendant",
    "today's", "them", "him", "me", "us", "km", "kilometres", "kilometers",
  ]
}

@available(*, unavailable)
extension MistypedWord: Sendable {}

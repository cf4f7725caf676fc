/// Words that stand for options.
extension KnownNames {
  /// Returns `--pee --poo` for `pee poo`, and `--poo=2` for `2 poos`; `nil` for a single word
  /// without a number before it.
  func counts(from word: String) -> String? {
    guard let index = words.firstIndex(of: word) else { return nil }
    var meant: [(option: String, count: Int?)] = []
    // A greater number is more likely a length.
    func number(_ word: String) -> Int? { (1...9).first { String($0) == word } }
    var count = index > 0 ? number(words[index - 1]) : nil
    for next in words[index...] where next != "and" && next != "&" {
      if let written = number(next) {
        count = written
        continue
      }
      guard let option = Self.option(next.lowercased(), among: options),
        ["pee", "poo"].contains(option), !meant.contains(where: { $0.option == option })
      else { break }
      meant.append((option, count))
      count = nil
    }
    guard meant.count > 1 || meant.first?.count != nil else { return nil }
    return TypedWords.text(
      of: meant.map { one in "--\(one.option)" + (one.count.map { "=\($0)" } ?? "") })
  }

  /// Returns the option that a word without dashes stands for: `pee`, `pees`, `poop`, `when`.
  static func option(_ word: String, among options: [String]) -> String? {
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

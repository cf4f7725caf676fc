extension CommandSpecification {
  /// The subcommand that a word was probably meant for; `nil` if none is similar.
  ///
  ///     CommandSpecification.dogwalk.subcommandName(meantBy: "delte")   // "delete"
  ///     CommandSpecification.dogwalk.subcommandName(meantBy: "today")   // "list today"
  ///
  /// That is one of its ``synonyms``, the only one that begins so, or the nearest.
  package func subcommandName(meantBy word: String) -> String? {
    let commands = subcommands.map(\.name)
    let word = word.lowercased()
    let usual = synonyms.first { synonym in
      synonym.words.contains(word)
        && commands.contains { "\(synonym.call) ".hasPrefix("\($0) ") }
    }
    if let usual { return usual.call }
    // Of two letters the beginning counts: with one slip, most words of three would be near.
    let begun = commands.filter { $0.hasPrefix(word) }
    if word.count >= 2, let only = begun.first, begun.count == 1 { return only }
    return nearest(to: word, among: commands)
  }
}

extension CommandSpecification {
  /// The subcommand that a word was probably meant for; `nil` if none is similar.
  ///
  ///     CommandSpecification.dogwalk.subcommandName(meantBy: "delte")   // "delete"
  ///
  /// That is one of its ``synonyms``, the only one that begins so, or the nearest.
  package func subcommandName(meantBy word: String) -> String? {
    let commands = subcommands.map(\.name)
    let word = word.lowercased()
    if let usual = synonyms.first(where: { $0.words.contains(word) && commands.contains($0.name) })
    {
      return usual.name
    }
    // Of two letters the beginning counts: with one slip, most words of three would be near.
    let begun = commands.filter { $0.hasPrefix(word) }
    if word.count >= 2, let only = begun.first, begun.count == 1 { return only }
    return nearest(to: word, among: commands)
  }
}

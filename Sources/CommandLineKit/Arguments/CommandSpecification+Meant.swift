extension CommandSpecification {
  /// The subcommand that a word was probably meant for; `nil` if none is similar.
  ///
  ///     CommandSpecification.dogwalk.subcommandName(meantBy: "rm")   // "delete"
  package func subcommandName(meantBy word: String) -> String? {
    let commands = subcommands.map(\.name)
    let word = word.lowercased()
    let usual =
      switch word {
      case "ls", "log", "show", "today", "yesterday", "week", "walks": "list"
      case "rm", "del", "remove": "delete"
      case "new", "create", "track", "walk": "add"
      case "status", "dog": "dogs"
      case "summary", "stats", "total", "totals": "report"
      case "begin": "start"
      case "restart", "resume": "continue"
      case "end", "finish": "stop"
      case "change", "modify", "amend", "fix": "edit"
      case "cancel", "revert", "back": "undo"
      case "again", "restore": "redo"
      default: ""
      }
    if commands.contains(usual) { return usual }
    // Words of two letters are compared as prefixes: with an edit distance of one, most words of
    // three letters would match.
    let begun = commands.filter { $0.hasPrefix(word) }
    if word.count >= 2, let only = begun.first, begun.count == 1 { return only }
    return nearest(to: word, among: commands)
  }
}

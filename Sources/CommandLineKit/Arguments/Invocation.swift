/// The action that a command line requests.
package enum Invocation: Hashable, Sendable {
  /// Run the command with what was typed.
  case run(CommandPath, ArgumentValues)
  /// Show the command's help.
  case help(CommandPath)
  /// Show the version.
  case version
  /// Print the manual page.
  case manual

  /// Parses the words after the program's name according to a table of commands.
  ///
  ///     let invocation = try Invocation(words: ["list", "--json"], commands: .dogwalk)
  ///     if case .run(let path, let values) = invocation { print(path.names, values.contains(.json)) }
  ///
  /// Options and operands may come in any order; `--` ends the options. A request for help takes
  /// precedence over any other error of a known command.
  ///
  /// - Throws: `ValidationError` for an unknown command or option, a missing or unexpected value,
  ///   a non-repeating option given twice, and too few or too many operands.
  package init(words: [String], commands root: CommandSpecification) throws(ValidationError) {
    let search = try CommandSearch(words: words, root: root)
    var reader = ArgumentReader(path: search.path, wasNamed: search.wasNamed)
    reader.read(search.rest)
    if reader.values.contains(.help) {
      self = .help(search.wasNamed ? search.path : CommandPath(root: root))
    } else if reader.values.contains(.version), reader.values[.version] == nil {
      // One with a value is an option of the command itself.
      self = .version
    } else if search.path.names == ["help"], reader.values.contains(.manual) {
      _ = try reader.finish()
      self = .manual
    } else if search.path.names == ["help"] {
      self = .help(try CommandSearch.path(to: reader.finish().operands, below: root))
    } else {
      self = .run(search.path, try reader.finish())
    }
  }
}

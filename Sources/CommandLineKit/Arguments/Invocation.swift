/// What a command line asks for.
package enum Invocation: Hashable, Sendable {
  /// Run the command with what was typed.
  case run(CommandPath, ArgumentValues)
  /// Show the command's help.
  case help(CommandPath)
  /// Show the version.
  case version
  /// Print the manual page.
  case manual

  /// Reads the words behind the program's name by a table of commands.
  ///
  ///     let invocation = try Invocation(words: ["list", "--json"], commands: .dogwalk)
  ///     if case .run(let path, let values) = invocation { print(path.names, values.contains(.json)) }
  ///
  /// Options and operands come in any order; `--` ends the options. Help wins over everything
  /// else that is wrong with a known command.
  ///
  /// - Throws: `ValidationError` for an unknown command or option, a value that is missing or
  ///   not asked for, a single option given twice, and operands too few or too many.
  package init(words: [String], commands root: CommandSpecification) throws(ValidationError) {
    let search = try CommandSearch(words: words, root: root)
    var reader = ArgumentReader(path: search.path, wasNamed: search.wasNamed)
    reader.read(search.rest)
    if reader.values.contains(.help) {
      self = .help(search.wasNamed ? search.path : CommandPath(root: root))
    } else if reader.values.contains(.version), reader.values[.version] == nil {
      // One with a value is a command's own option.
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

/// The manual page of a program for `man(1)`, generated from its table of commands.
///
///     ManualPage(for: .dogwalk, version: "1.0").text
package struct ManualPage: Sendable {
  private let root: CommandSpecification
  private let version: String

  /// Creates the page of a program.
  package init(for root: CommandSpecification, version: String) {
    self.root = root
    self.version = version
  }

  /// The complete page in roff, with the macros of man(7).
  package var text: String {
    let name = root.name
    var text = ".TH \(name.uppercased()) 1 \"\" \"\(name) \(version)\" \"User Commands\"\n"
    // Hyphenation is off: it would make options and names ambiguous.
    text += ".nh\n.ad l\n"
    text += ".SH NAME\n\(Self.escaped(name)) \\- \(Self.escaped(root.abstract))\n"
    text += ".SH SYNOPSIS\n"
    for call in calls(CommandPath(root: root)) { text += ".B \(Self.escaped(call))\n.br\n" }
    text += ".SH DESCRIPTION\n"
    for paragraph in root.discussion { text += "\(Self.line(paragraph)).PP\n" }
    text += ".SH COMMANDS\n"
    for command in root.subcommands { text += section(CommandPath(root: root).appending(command)) }
    text += ".SH OPTIONS OF EVERY COMMAND\n" + options(root.sharedOptions)
    text += list("EXIT STATUS", Self.exitCodes)
    text += list("ENVIRONMENT", root.variables)
    text += list("FILES", root.files)
    text += list("EXAMPLES", root.examples)
    return text
  }

  // MARK: Parts

  private func calls(_ path: CommandPath) -> [String] {
    let command = path.command
    let operands = command.arguments.map { " \($0.usage)" }.joined()
    let own = "\(path.call)\(operands)\(command.options.isEmpty ? "" : " [options]")"
    return [own] + command.subcommands.flatMap { calls(path.appending($0)) }
  }

  private func section(_ path: CommandPath) -> String {
    let command = path.command
    var text = ".SS \(Self.escaped(calls(path)[0]))\n\(Self.line(command.abstract))"
    for argument in command.arguments {
      text += ".TP\n.B \(Self.escaped(argument.usage))\n\(Self.line(argument.help))"
    }
    text += options(command.options)
    for paragraph in command.discussion { text += ".PP\n\(Self.line(paragraph))" }
    for example in command.examples {
      text += ".TP\n.B \(Self.escaped(example.line))\n\(Self.line(example.meaning))"
    }
    return text + command.subcommands.map { section(path.appending($0)) }.joined()
  }

  private func options(_ options: [Option]) -> String {
    var text = ""
    for option in options {
      let short = option.short.map { "-\($0), " } ?? ""
      text += ".TP\n.B \(Self.escaped(short + option.usage))\n\(Self.line(option.help))"
    }
    return text
  }

  /// A section of terms and their meanings; empty if there are none.
  private func list(_ title: String, _ entries: [CommandSpecification.Example]) -> String {
    var text = entries.isEmpty ? "" : ".SH \(title)\n"
    for entry in entries {
      text += ".TP\n.B \(Self.escaped(entry.line))\n\(Self.line(entry.meaning))"
    }
    return text
  }

  private static let exitCodes: [CommandSpecification.Example] = [
    .init("0", "done"), .init("1", "the answer is no, or something named does not exist"),
    .init("64", "the command line is not valid"), .init("65", "bad data in a file"),
    .init("66", "no such file"), .init("69", "something required is missing"),
    .init("70", "a bug"), .init("73", "a file cannot be made"),
    .init("74", "reading or writing failed, as on a full disk"),
    .init("75", "the store is busy"), .init("77", "no permission"),
    .init("78", "a setting is not valid, or the store's location is unknown"),
    .init("130", "interrupted"),
  ]

  // MARK: Text

  private static func line(_ text: String) -> String { escaped(text) + "\n" }

  /// Text escaped for roff: hyphens, backslashes, and lines that would start a request.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'" where escaped.isEmpty, "." where escaped.isEmpty:
        escaped += "\\&"
        escaped.append(character)
      case "…": escaped += "..."
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

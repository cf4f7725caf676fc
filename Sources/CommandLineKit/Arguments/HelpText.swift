/// The text that `--help` prints: examples first, then usage, in at most 80 columns.
///
///     HelpText(for: path, columns: 60).text
///
/// In a narrower terminal only examples may exceed its width, so that they can be copied.
package struct HelpText: Sendable {
  /// The maximum width of a line in wider terminals, and outside of one.
  package static let mostColumns = 80
  /// The width that narrower terminals get.
  private static let leastColumns = 40

  private let path: CommandPath
  private let columns: Int

  /// Creates the help of the command at the end of the path.
  ///
  /// - Parameter columns: The width of the terminal.
  package init(for path: CommandPath, columns: Int = mostColumns) {
    self.path = path
    self.columns = min(max(columns, Self.leastColumns), Self.mostColumns)
  }

  /// The complete text, with a line feed at its end.
  package var text: String {
    let command = path.command
    let shared = path.specifications.reversed().flatMap(\.sharedOptions)
    var sections = [
      section("Examples:", command.examples.map { ($0.line, $0.meaning) }),
      usage + "\n",
      paragraph(command.abstract),
      section("Arguments:", command.arguments.map { ($0.usage, $0.help) }),
      section(
        "Commands:",
        command.subcommands.map { ($0.name, Self.phrase($0.specification.abstract)) }),
      section("Options:", command.options.map(Self.row(of:))),
      section("Everywhere:", shared.map(Self.row(of:))),
    ]
    sections += command.discussion.map(paragraph)
    return sections.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The lines that show how to call the command.
  private var usage: String {
    let command = path.command
    let operands = command.arguments.map(\.usage).joined(separator: " ")
    let options = command.options.isEmpty ? "" : "[options]"
    let alone = [path.call, operands, options].filter { !$0.isEmpty }.joined(separator: " ")
    let below = "\(path.call) \(command.subcommands.map(\.name).joined(separator: "|")) …"
    if command.subcommands.isEmpty { return hanging("Usage: ", alone) }
    return hanging("Usage: ", alone) + "\n"
      + hanging("       ", command.subcommands.count > 6 ? "\(path.call) COMMAND …" : below)
  }

  /// A title and two columns: what to type, and what it means.
  private func section(_ title: String, _ rows: [(term: String, meaning: String)]) -> String {
    guard !rows.isEmpty else { return "" }
    // The meaning of a term wider than this starts on the next line.
    let widest = columns * 45 / 100
    let width = rows.map(\.term.displayWidth).filter { $0 <= widest }.max() ?? 0
    var lines = [title]
    for (term, meaning) in rows {
      let indent = String(repeating: " ", count: width + 4)
      var meanings = meaning.wrapped(to: columns - width - 4)
      if term.displayWidth > width {
        lines.append("  " + term)
      } else {
        let first = meanings.isEmpty ? "" : "  " + meanings.removeFirst()
        lines.append("  " + (first.isEmpty ? term : term.padded(to: width) + first))
      }
      lines += meanings.map { indent + $0 }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func paragraph(_ text: String) -> String {
    text.wrapped(to: columns).joined(separator: "\n") + "\n"
  }

  private static func row(of option: Option) -> (term: String, meaning: String) {
    let short = option.short.map { "-\($0), " } ?? "    "
    return (short + option.usage, option.isRepeating ? "\(option.help) (repeatable)" : option.help)
  }

  private func hanging(_ lead: String, _ text: String) -> String {
    let indent = "\n" + String(repeating: " ", count: lead.count + 2)
    return lead + text.wrapped(to: columns - lead.count - 2).joined(separator: indent)
  }

  /// A sentence as a list item: without a capital at its start or a full stop at its end.
  private static func phrase(_ sentence: String) -> String {
    let body = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return body.prefix(1).lowercased() + body.dropFirst()
  }
}

import CommandLineKit

extension Command {
  /// `dogwalk completions`: prints a shell's completion script.
  static let completions = Command(
    CommandSpecification(
      abstract: "Print a script that makes a shell complete commands, dogs and walks.",
      examples: CompletionShell.allCases.map { shell in
        .init("dogwalk completions \(shell.rawValue)", "for \(shell.rawValue)")
      },
      arguments: [
        Argument(
          "SHELL", help: "bash, zsh or fish",
          completion: .choices(CompletionShell.allCases.map(\.rawValue))),
        Argument(
          "WORDS", help: "the words of a command line, to complete the last one", isRequired: false,
          isRepeating: true),
      ],
      discussion: ["To load it in every shell:"]
        + CompletionShell.allCases.map(\.installation)),
    isReading: true
  ) { run in
    let name = run.values.operands[0]
    guard let shell = CompletionShell(rawValue: name) else {
      throw ValidationError(
        "there are no completions for \(ValidationError.quoted(name))",
        hint: "Write bash, zsh or fish.")
    }
    let words = Array(run.values.operands.dropFirst())
    guard !words.isEmpty else { return try run.output.write("\(shell.script)") }
    // During completion errors must not be printed; there are just no suggestions.
    let answer = CompletionAnswer(shell: shell, run: run)
    for line in (try? answer.lines(for: words)) ?? [] { try run.output.writeLine(line) }
  }
}

import CommandLineKit

extension Command {
  /// `dogwalk completions`: has a shell complete the program's words.
  static let completions = Command(
    CommandSpecification(
      abstract: "Print what makes a shell complete dogwalk's words: commands, dogs, walks.",
      examples: CompletionShell.allCases.map { shell in
        .init("dogwalk completions \(shell.rawValue)", "for \(shell.rawValue)")
      },
      arguments: [
        Argument(
          "SHELL", help: "bash, zsh or fish",
          completion: .choices(CompletionShell.allCases.map(\.rawValue))),
        Argument(
          "WORDS", help: "words to complete the last of, as the script asks", isRequired: false,
          isRepeating: true),
      ],
      discussion: ["To have it in every shell:"]
        + CompletionShell.allCases.map(\.installation)),
    isReading: true
  ) { run in
    let name = run.values.operands[0]
    guard let shell = CompletionShell(rawValue: name) else {
      throw ValidationError(
        "there are no completions for \(ValidationError.quoted(name))",
        hint: "There are some for bash, zsh and fish.")
    }
    let words = Array(run.values.operands.dropFirst())
    guard !words.isEmpty else { return try run.output.write("\(shell.script)") }
    // Whoever types has no use for a complaint: then there is nothing to offer.
    let answer = CompletionAnswer(shell: shell, run: run)
    for line in (try? answer.lines(for: words)) ?? [] { try run.output.writeLine(line) }
  }
}

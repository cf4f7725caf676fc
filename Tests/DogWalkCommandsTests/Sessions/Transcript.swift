/// A part of a terminal session: commands, each with its answer.
///
///     $ dogwalk delete 7
///     ! dogwalk: There is no walk 7.
///     [1]
///
/// A command follows `$ `, and continues after `> `. Below it is its output: its standard output,
/// then its standard error after `! `, then its exit code in brackets where that is not 0. An empty
/// line before the next command, before a comment (`# `, after an empty line) and at the end is
/// only spacing.
struct Transcript: Equatable {
  struct Step: Equatable {
    /// The comment above the command, unchanged.
    var comment: [String] = []
    var command: String
    var answer: [String] = []
    var isFollowedByEmptyLine = false
  }

  var steps: [Step] = []

  init() {}

  /// Parses lines that start with a command or a comment.
  init(lines: some Sequence<String>) {
    var comment: [String] = []
    var isSpaced = true
    for line in lines {
      if line.hasPrefix("$ ") {
        steps.append(Step(comment: comment, command: String(line.dropFirst(2))))
        comment = []
      } else if line.hasPrefix("# "), isSpaced {
        comment.append(line)
      } else if line.hasPrefix("> "), let last = steps.indices.last, steps[last].answer.isEmpty {
        steps[last].command += "\n" + line.dropFirst(2)
      } else if let last = steps.indices.last {
        steps[last].answer.append(line)
      }
      isSpaced = line.isEmpty || !comment.isEmpty
    }
    for index in steps.indices where steps[index].answer.last?.isEmpty == true {
      steps[index].answer.removeLast()
      steps[index].isFollowedByEmptyLine = true
    }
  }

  /// The transcript as text.
  var lines: [String] {
    steps.flatMap { step in
      let command = step.command.split(separator: "\n", omittingEmptySubsequences: false)
      return step.comment
        + command.enumerated().map { ($0.offset == 0 ? "$ " : "> ") + $0.element }
        + step.answer + (step.isFollowedByEmptyLine ? [""] : [])
    }
  }
}

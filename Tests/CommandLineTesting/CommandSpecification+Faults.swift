package import CommandLineKit

extension CommandSpecification {
  /// Faults in the table that would make it parse wrongly or give bad help; empty for a valid one.
  ///
  /// - Parameter root: The table itself, which parses the examples.
  package func problems(root: CommandSpecification, shared: [Option] = []) -> [String] {
    var faults: [String] = []
    let options = shared + sharedOptions + self.options
    for (index, option) in options.enumerated() {
      if options[..<index].contains(where: { $0.name == option.name }) {
        faults.append("\(name): --\(option.name) stands there twice")
      }
      if let short = option.short, options[..<index].contains(where: { $0.short == short }) {
        faults.append("\(name): -\(short) is two options")
      }
      let namesakes = root.allOptions.filter { $0.name == option.name || $0.short == option.short }
      for other in namesakes where other.short != nil || other.name == option.name {
        if other.needsValue != option.needsValue {
          faults.append("--\(option.name) and --\(other.name) differ in taking a value")
        }
      }
    }
    if arguments.dropLast().contains(where: \.isRepeating) {
      faults.append("\(name): only its last argument may repeat")
    }
    for example in examples where (try? Invocation(example: example, commands: root)) == nil {
      faults.append("\(name): its example `\(example.line)` cannot be read")
    }
    return faults
      + subcommands.flatMap {
        $0.specification.problems(root: root, shared: shared + sharedOptions)
      }
  }
}

extension Invocation {
  /// Splits an example's line, without the program's name; only single quotes are understood.
  fileprivate init(
    example: CommandSpecification.Example, commands root: CommandSpecification
  ) throws(ValidationError) {
    var words: [String] = []
    for (index, part) in example.line.split(separator: "'").enumerated() {
      // Every other part was inside quotes.
      words += index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
    try self.init(words: Array(words.dropFirst()), commands: root)
  }
}

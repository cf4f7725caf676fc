import Foundation

@testable import DogWalkCommands

/// The machine's python3: a second opinion on what the program writes.
enum Python {
  /// Whether it is there, and modules that do not come with it.
  static func has(_ module: String = "sys") -> Bool {
    guard let prompt = try? Prompt() else { return false }
    return (try? run("import \(module)", [], in: prompt))?.code == 0
  }

  /// Runs a script in a prompt's folder; what it complains about is the test's message.
  static func run(
    _ script: String, _ words: [String], in prompt: Prompt
  ) throws -> Prompt.Answer {
    try ProgramProcess("/usr/bin/env", ["python3", "-c", script] + words, in: prompt).answer()
  }
}

import CommandLineKit
import Foundation
import TestSupport

@testable import DogWalkCommands

/// A prompt in a folder of its own: the program in memory, with a stopped clock.
final class Prompt {
  /// The result of a command.
  struct Answer: Equatable {
    var output = ""
    var errors = ""
    var code: Int32 = 0
  }

  /// The folder, which is HOME and is removed with the prompt.
  let home: URL
  /// The variables that commands see.
  var variables: [String: String]
  /// The destination of standard output.
  var terminal = Terminal(isTerminal: false)
  /// The width of the terminal that standard error is connected to; `nil` if it is none.
  var errorColumns: Int?
  /// The local zone.
  var zone = LocalZone.fixed(3600)
  /// What happens while a question is being asked.
  var whileAsked: () -> Void = {}
  /// The person's answers to the questions, the next one first; `nil` if there is no person.
  var answers: [String]?

  init() throws {
    home = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "dogwalk-prompt-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    variables = [
      "HOME": home.path, "DOGWALK_STORE": home.appending(path: "walks.sqlite").path,
      "DOGWALK_NOW": "2026-11-21T19:00:00Z",
      // No user name, whoever runs the tests.
      "LOGNAME": "",
    ]
  }

  deinit { try? FileManager.default.removeItem(at: home) }

  /// A file in the folder.
  func file(_ name: String) -> URL { home.appending(path: name) }

  /// Runs a command; standard output goes to memory, or where the caller says.
  func run(_ words: String..., output: OutputSink = .memory()) -> Answer {
    run(words, output: output)
  }

  /// Runs a command whose words are only known at run time.
  func run(_ words: [String], output: OutputSink = .memory()) -> Answer {
    let errors = OutputSink.memory()
    let terminal = terminal
    let errorColumns = errorColumns
    let surroundings = ProgramEnvironment(
      environment: Environment(variables), zone: zone, output: output, errors: errors,
      terminal: { _ in terminal }, errorColumns: { errorColumns },
      readAnswer: answers == nil ? nil : { self.nextAnswer() })
    let code = CommandLineTool(in: surroundings).run(words)
    return Answer(output: output.text, errors: errors.text, code: code)
  }

  private func nextAnswer() -> String? {
    whileAsked()
    guard let answers, let first = answers.first else { return nil }
    self.answers = Array(answers.dropFirst())
    return first
  }
}

import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// A store that belongs to someone else, in a folder of theirs.
@Suite(.enabled(if: Stranger.isPossible, "running as another user needs privileges"))
struct `A store of someone else's` {
  @Test(arguments: [true, false])
  func `is read where that is allowed, and never changed`(hasIndex: Bool) throws {
    let prompt = try Prompt()
    _ = prompt.run("add", "Fido", "5m")
    /// What the stranger finds: without the log's index, SQLite cannot open a store by itself.
    func show() throws {
      let script =
        "chmod 755 . && chmod 644 walks.sqlite*\(hasIndex ? "" : " && rm walks.sqlite-shm")"
      #expect(try ProgramProcess(script: script, in: prompt).answer().code == 0)
    }
    for words in [["list"], ["dogs"], ["report"], ["history", "--json"], ["export"]] {
      let expected = try ProgramProcess(words, in: prompt).answer()
      try show()
      #expect(try Stranger.run(words, in: prompt) == expected)
    }
    for words in [["add", "Fido", "5m"], ["delete", "1"], ["undo"], ["dogs", "use", "Fido"]] {
      _ = prompt.run("list")
      try show()
      let answer = try Stranger.run(words, in: prompt)
      #expect(answer.code == 77 && answer.output == "", "\(words): \(answer)")
    }
    #expect(prompt.run("list").output.split(separator: "\n").count == 1)
  }

  @Test func `is refused where it may not be read`() throws {
    let prompt = try Prompt()
    _ = prompt.run("add", "Fido", "5m")
    // The program makes it for its owner alone.
    let answer = try Stranger.run(["list"], in: prompt)
    #expect(answer.code == 77 && answer.output == "")
  }
}

/// Another user of the system.
enum Stranger {
  // What counts the lines that are reached would complain that it may not write where the counts go.
  private static let call = [
    "LLVM_PROFILE_FILE=/dev/null", "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
  ]

  /// Whether this process may become one, who then finds the program.
  static let isPossible: Bool = {
    guard getuid() == 0, let prompt = try? Prompt() else { return false }
    return (try? run(["--version"], in: prompt))?.code == 0
  }()

  /// Runs the program as that user.
  static func run(_ words: [String], in prompt: Prompt) throws -> Prompt.Answer {
    let program = URL.builtFolder.appending(path: "dogwalk").path
    return try ProgramProcess("/usr/bin/env", call + [program] + words, in: prompt).answer()
  }
}

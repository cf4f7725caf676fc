import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// A store that belongs to another user, in a folder of theirs.
@Suite(.enabled(if: Stranger.isPossible, "running as another user needs privileges"))
struct `Another user's store` {
  @Test func `is read where that is allowed, and never changed`() throws {
    let prompt = try Prompt()
    _ = prompt.run("add", "Fido", "5m")
    let look = "chmod 755 . && chmod 644 walks.sqlite*"
    #expect(try ProgramProcess(script: look, in: prompt).answer().code == 0)
    for words in [["list"], ["dogs"], ["report"], ["history", "--json"], ["export"], ["doctor"]] {
      let expected = try ProgramProcess(words, in: prompt).answer()
      #expect(try Stranger.run(words, in: prompt) == expected)
    }
    for words in [["add", "Fido", "5m"], ["delete", "1"], ["undo"], ["dogs", "use", "Fido"]] {
      let answer = try Stranger.run(words, in: prompt)
      #expect(answer.code == 77 && answer.output == "", "\(words): \(answer)")
    }
    #expect(prompt.run("list").output.split(separator: "\n").count == 1)
  }

  /// The stranger's permissions for the file and its folder.
  enum Rights: String, CaseIterable {
    case readBoth = "chmod 755 . && chmod 644 walks.sqlite"
    case writeFolder = "chmod 1777 . && chmod 644 walks.sqlite"
    case writeFile = "chmod 755 . && chmod 666 walks.sqlite"
  }

  /// An owner who imports 2,000 walks and undoes that, and deletes and restores others, until a
  /// file exists.
  private static let work = """
    i=0
    until [ -e done ]; do
      dogwalk import more.csv -q && dogwalk undo -q || echo "import or undo failed"
      dogwalk delete -y $(seq 1 500) -q && dogwalk undo -q || echo "delete or undo failed"
      i=$((i + 1))
    done
    """

  @Test(arguments: Rights.allCases)
  func `is read as of one command, or reported as busy`(rights: Rights) throws {
    let prompt = try Prompt()
    func walks(_ count: Int, _ month: String) -> Data {
      // None overlaps another one, which imports would report.
      let lines = (0..<count).map { number in
        let (hour, minute) = (number / 18 / 6, number / 18 % 6 * 10)
        let time = "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
        return "Fido,2026-\(month)-\(number % 18 + 10) \(time),5\n"
      }
      return Data(("dog,start,minutes\n" + lines.joined()).utf8)
    }
    try walks(2_000, "10").write(to: prompt.file("some.csv"))
    try walks(2_000, "09").write(to: prompt.file("more.csv"))
    #expect(prompt.run("import", prompt.file("some.csv").path).code == 0)
    #expect(try ProgramProcess(script: rights.rawValue, in: prompt).answer().code == 0)
    let owner = try ProgramProcess(script: Self.work, in: prompt)
    var seen: [Int: Int] = [:]
    for round in 0..<40 {
      let words = round % 2 == 0 ? ["export", "--format", "csv"] : ["list"]
      let answer = try Stranger.run(words, in: prompt)
      let count = answer.output.utf8.count { $0 == 0x0A } - (round % 2 == 0 ? 1 : 0)
      seen[answer.code == 0 ? count : -1, default: 0] += 1
      #expect(
        answer.code == 0 && [1_500, 2_000, 4_000].contains(count) || answer.code == 75,
        "\(answer.code), \(count) walks: \(answer.errors)")
    }
    try Data().write(to: prompt.file("done"))
    #expect(owner.answer() == Prompt.Answer())
    #expect(seen.count { $0.key >= 0 } > 1, "the owner was not seen at work: \(seen)")
    // The stranger has left nothing that would prevent the owner from writing.
    #expect(prompt.run("add", "Fido", "5m").code == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: prompt.home.path)
    #expect(names.filter { $0.hasPrefix("walks.sqlite") } == ["walks.sqlite"])
  }

  @Test func `is refused where it cannot be read`() throws {
    let prompt = try Prompt()
    _ = prompt.run("add", "Fido", "5m")
    // The program creates it for its owner alone.
    let answer = try Stranger.run(["list"], in: prompt)
    #expect(answer.code == 77 && answer.output == "")
  }
}

/// Another user of the system.
enum Stranger {
  // The coverage tool would complain that it cannot write its counts in the folder where they
  // go.
  private static let call = [
    "LLVM_PROFILE_FILE=/dev/null", "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
  ]

  /// Whether this process may become another user who then finds the program.
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

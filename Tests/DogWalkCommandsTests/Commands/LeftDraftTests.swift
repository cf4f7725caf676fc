import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// What a command leaves beside a file if it is killed while writing it.
@Suite(.serialized) struct `An unfinished file` {
  private let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    let note = String(repeating: "rain ", count: 400)
    let lines = (0..<300).map {
      "Fido,2026-11-2\($0 % 2)T\(10 + $0 / 60):\(10 + $0 % 50),1,\(note)"
    }
    let file = prompt.file("walks.csv")
    try Data((["dog,start,minutes,note"] + lines).joined(separator: "\n").utf8).write(to: file)
    #expect(prompt.run("import", file.path).code == 0)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: prompt.home.path)
      .filter { $0.hasPrefix("out") }.sorted()
  }

  @Test(arguments: [
    "export -o out", "export --format csv -o out", "report --html out", "doctor --backup out",
  ])
  func `is removed with the next one`(command: String) throws {
    let killed = try ProgramProcess(
      script: """
        for attempt in $(seq 50); do
          rm -f out
          dogwalk \(command) >/dev/null 2>&1 &
          while kill -0 $! 2>/dev/null; do
            set -- out.*
            [ ! -e "$1" ] || break
          done
          kill -KILL $! 2>/dev/null
          wait $! 2>/dev/null
          set -- out.*
          [ ! -e "$1" ] || exit 0
        done
        exit 1
        """, in: prompt
    ).answer()
    #expect(killed.code == 0, "no command was killed in time: \(killed)")
    #expect(try names() != ["out"])
    let path = prompt.file("out").path
    let words = command.split(separator: " ").map { $0 == "out" ? path : String($0) }
    #expect(prompt.run(words).code == 0)
    #expect(try names() == ["out"])
  }

  @Test func `is created where a link leads, whether something is there or not`() throws {
    let link = prompt.file("out").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "out.json")
    for words in [["export", "-o", link], ["export", "--limit", "1", "-o", link]] {
      #expect(prompt.run(words).code == 0)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "out.json")
      #expect(try names() == ["out", "out.json"])
    }
  }
}

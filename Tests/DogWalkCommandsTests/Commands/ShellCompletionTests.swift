import Foundation
import Testing

@testable import DogWalkCommands

/// Completions in the shells themselves, typed with the tab key.
@Suite(.serialized) struct `Completing in a shell` {
  private static func path(of shell: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(shell)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private func fill(_ prompt: Prompt) {
    _ = prompt.run("add", "Fido", "35m", "yesterday", "18:00")
    _ = prompt.run("add", "--dog", "Mr Bones", "20m", "12:00", "--distance", "2.4km")
  }

  /// Types words with tabs among them, and checks what the commands answer.
  private func tryOut(
    _ shell: String, _ words: [String], setUp: String, isInstalled: Bool = false
  ) throws {
    let terminal = try TerminalProcess(columns: 100, rows: 30)
    fill(terminal.prompt)
    let script = terminal.prompt.run("completions", shell).output
    try Data(script.utf8).write(to: terminal.prompt.file("_dogwalk"))
    let load = isInstalled ? "" : "; source <(dogwalk completions \(shell))"
    let path = try #require(Self.path(of: shell))
    try terminal.start(path, words, isSession: true)
    terminal.type("\(setUp)\(load); echo rea''dy\n")
    try #require(terminal.shows("ready"), "\(terminal.output)")
    // A dog with a space in its name, after a command that is completed too.
    terminal.type("dogwalk ad\tMr\t7m\n")
    #expect(terminal.shows("Added walk 3: Mr Bones"), "\(terminal.output)")
    terminal.type("dogwalk ad\t--dog=Mr\t8m\n")
    #expect(terminal.shows("Added walk 4: Mr Bones"), "\(terminal.output)")
    // Walks with their details; then the beginning of a number that only one has.
    terminal.type("dogwalk delete \t\t")
    #expect(terminal.shows("Fido, yesterday 18:00, 35 min"), "\(terminal.output)")
    terminal.type("\u{15}dogwalk report --by-m\t--csv >rides.csv && echo do''ne\n")
    #expect(terminal.shows("done"), "\(terminal.output)")
    terminal.type("dogwalk import ri\t\n")
    #expect(terminal.shows("cannot import rides.csv"), "\(terminal.output)")
    terminal.type("exit\n")
    #expect(terminal.end() != 127)
  }

  @Test(.enabled(if: path(of: "bash") != nil, "bash is not there")) func `bash`() throws {
    try tryOut("bash", ["--norc", "--noprofile", "-i"], setUp: "true")
  }

  @Test(.enabled(if: path(of: "zsh") != nil, "zsh is not there")) func `zsh`() throws {
    try tryOut("zsh", ["-f", "-i"], setUp: "autoload -Uz compinit && compinit -D")
  }

  @Test(.enabled(if: path(of: "zsh") != nil, "zsh is not there"))
  func `zsh, where the script is installed`() throws {
    try tryOut(
      "zsh", ["-f", "-i"],
      setUp: "fpath=(~+ $fpath); autoload -Uz compinit && compinit -u -D", isInstalled: true)
  }

  @Test(.enabled(if: path(of: "fish") != nil, "fish is not there")) func `fish`() throws {
    let prompt = try Prompt()
    fill(prompt)
    func completions(_ line: String) throws -> [String] {
      let answer = try ProgramProcess(
        "/usr/bin/env",
        [
          "fish", "--no-config", "-c",
          "dogwalk completions fish | source; complete -C '\(line)'",
        ], in: prompt
      ).answer()
      #expect(answer.code == 0 && answer.errors == "")
      return answer.output.split(separator: "\n").map(String.init)
    }
    #expect(try completions("dogwalk ad") == ["add\tAdd a walk."])
    #expect(try completions("dogwalk add Mr") == ["Mr Bones"])
    #expect(try completions("dogwalk add --dog=Mr") == ["--dog=Mr Bones"])
    #expect(
      try completions("dogwalk delete ") == [
        "2\tMr Bones, today 12:00, 20 min, 2.4 km", "1\tFido, yesterday 18:00, 35 min",
      ])
    #expect(try completions("dogwalk export --format ") == ["json", "csv", "ics", "gpx"])
    try Data().write(to: prompt.file("walks.csv"))
    #expect(try completions("dogwalk import wal").contains { $0.hasPrefix("walks.csv") })
  }
}

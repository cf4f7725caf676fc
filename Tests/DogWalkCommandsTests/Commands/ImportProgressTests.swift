import Foundation
import Testing

@testable import DogWalkCommands

/// What a person waiting for an import sees.
@Suite struct `Importing on a terminal` {
  private let text = "dog,start,minutes\nFido,2026-11-20 18:00,35\n"

  @Test func `shows its progress after a second, and erases it`() throws {
    let terminal = try TerminalProcess()
    // A pipe, which cannot be written to before it is opened for reading.
    try Data(text.utf8).write(to: terminal.prompt.file("walks.csv"))
    let slowly = "mkfifo slow; (cat walks.csv; sleep 1.2) > slow &"
    try terminal.start("/bin/sh", ["-c", "\(slowly) dogwalk import slow --format csv"])
    #expect(terminal.shows("Undo: dogwalk undo"))
    #expect(terminal.end() == 0)
    #expect(terminal.output.contains("\rReading slow…\u{1B}[K"))
    #expect(terminal.output.contains("\r\u{1B}[KImported 1 walk:"))
  }

  @Test func `shows no progress where it is quick, or not on a terminal`() throws {
    let terminal = try TerminalProcess()
    try Data(text.utf8).write(to: terminal.prompt.file("walks.csv"))
    try terminal.start(["import", "walks.csv"])
    #expect(terminal.shows("Undo: dogwalk undo"))
    #expect(!terminal.output.contains("Reading"))
    let answer = try ProgramProcess(
      script: "(cat walks.csv; sleep 1.2) | dogwalk import - --format csv", in: terminal.prompt
    ).answer()
    #expect(answer == Prompt.Answer(output: "Nothing new: the walk already exists.\n"))
  }
}

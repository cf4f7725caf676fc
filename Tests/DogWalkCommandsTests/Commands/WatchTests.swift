import Foundation
import TestSupport
import Testing

/// `dogwalk watch` in a terminal of its own, as a process.
@Suite(.serialized) struct `Watching` {
  @Test func `shows others' changes, and restores the terminal`() throws {
    let watched = try TerminalProcess()
    try watched.dogwalk("add", "Fido", "35m", "yesterday", "18:00")
    try watched.start(["watch"])
    #expect(watched.shows("Fido"))
    #expect(!watched.isEchoing)
    try watched.dogwalk("add", "--dog", "Rex", "20m", "7:30")
    #expect(watched.shows("Rex"))
    watched.type("q")
    #expect(watched.end() == 0)
    #expect(watched.isEchoing)
    // The cursor and the former screen.
    #expect(watched.output.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
  }

  @Test func `shows that the store was replaced or removed`() throws {
    let watched = try TerminalProcess()
    try watched.dogwalk("add", "Fido", "35m", "yesterday", "18:00")
    let other = try TerminalProcess()
    try other.dogwalk("add", "--dog", "Luna", "20m", "7:30")
    try watched.start(["watch"])
    #expect(watched.shows("Fido"))
    let (store, new) = (watched.prompt.file("walks.sqlite"), other.prompt.file("walks.sqlite"))
    #expect(rename(new.path, store.path) == 0)
    #expect(watched.shows("Luna"))
    try FileManager.default.removeItem(at: store)
    #expect(watched.shows("No walks yet."))
    try watched.dogwalk("add", "--dog", "Rex", "20m", "7:30")
    #expect(watched.shows("Rex"))
    watched.type("q")
    #expect(watched.end() == 0)
  }

  @Test func `waits for the first walk, and ends with control-C`() throws {
    let watched = try TerminalProcess()
    try watched.start(["watch"])
    #expect(watched.shows("No walks yet."))
    try watched.dogwalk("add", "Fido", "35m", "yesterday", "18:00")
    #expect(watched.shows("Fido"))
    watched.type("\u{3}")
    #expect(watched.end() == 130)
    #expect(watched.isEchoing)
  }

  @Test func `restores the terminal when it is terminated`() throws {
    let watched = try TerminalProcess()
    try watched.start(["watch"])
    #expect(watched.shows("No walks yet."))
    watched.terminate()
    #expect(watched.end() == 130)
    #expect(watched.isEchoing)
  }

  @Test func `needs a terminal`() throws {
    let answer = try Prompt().run("watch")
    #expect(answer.code == 69)
  }
}

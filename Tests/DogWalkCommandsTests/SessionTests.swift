import Foundation
import TestSupport
import Testing

/// Tests/Sessions and README.md, replayed; `make record` records them again.
@Suite struct SessionTests {
  private let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"

  @Test func `there are sessions`() {
    #expect(!RecordedSession.all.isEmpty)
  }

  @Test(arguments: RecordedSession.all)
  func `a recorded session gives the recorded answers`(url: URL) throws {
    var session = try RecordedSession(url: url)
    guard session.isPossible else { return }
    let played = try SessionPlayer(
      environment: session.environment, errors: .marked, terminalSize: session.terminalSize
    )
    .play(session.transcript)
    if isRecording {
      session.transcript = played
      try session.write()
    } else {
      expectSame(session.transcript, played)
    }
  }

  @Test(
    .enabled(if: TestServer.url != nil, "needs Scripts/with-postgres"),
    arguments: RecordedSession.all.filter { !RecordedSession.aboutFiles.contains($0.name) })
  func `a recorded session gives the same answers on a server`(url: URL) throws {
    let session = try RecordedSession(url: url)
    guard session.isPossible, !isRecording else { return }
    let store = try #require(TestServer.store(for: "\(url.path) \(UUID().uuidString)"))
    let played = try SessionPlayer(
      environment: session.environment.merging(["DOGWALK_STORE": store]) { $1 }, errors: .marked,
      terminalSize: session.terminalSize
    )
    .play(session.transcript)
    expectSame(session.transcript, played)
  }

  @Test func `the README shows the actual answers`() throws {
    let readme = try Readme()
    // A day that never changes.
    let environment = [
      "DOGWALK_NOW": "2026-11-21T09:00:00Z", "TZ": "UTC", "LC_ALL": "C", "COLUMNS": "80",
    ]
    let played = try SessionPlayer(environment: environment, errors: .mixed).play(readme.transcript)
    if isRecording {
      try readme.write(played)
    } else {
      expectSame(readme.transcript, played)
    }
  }

  /// Records each command whose answer differs.
  private func expectSame(
    _ recorded: Transcript, _ played: Transcript, location: SourceLocation = #_sourceLocation
  ) {
    for (old, new) in zip(recorded.steps, played.steps) where old.answer != new.answer {
      Issue.record(
        """
        $ \(old.command)
        recorded:
        \(old.answer.joined(separator: "\n"))
        now:
        \(new.answer.joined(separator: "\n"))
        `make record` writes it down, if it is right.
        """, sourceLocation: location)
    }
  }
}

extension URL {
  /// The name of a session's file, without its extension.
  fileprivate var name: String { deletingPathExtension().lastPathComponent }
}

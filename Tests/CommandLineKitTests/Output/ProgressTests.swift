import Testing

@testable import CommandLineKit

/// The line that shows the progress of a long operation.
@Suite struct ProgressTests {
  @Test func `shows a bar after a second, and erases it at the end`() throws {
    let output = OutputSink.memory()
    var now = 7.0
    let progress = Progress(on: output, isSeen: true) { now }
    now = 7.99
    progress.show("Migrating…", part: 0.1)
    #expect(output.text == "")
    now = 8.01
    progress.show("Migrating…", part: 0.42)
    #expect(output.text == "\rMigrating… [########------------] 42 %\u{1B}[K")
    // No more than ten times a second.
    now = 8.1
    progress.show("Migrating…", part: 0.43)
    progress.end()
    #expect(output.text == "\rMigrating… [########------------] 42 %\u{1B}[K\r\u{1B}[K")
  }

  @Test func `shows nothing where the output is not seen`() {
    let output = OutputSink.memory()
    var now = 7.0
    let progress = Progress(on: output, isSeen: false) { now }
    now = 9
    progress.show("Migrating…", part: 0.5)
    progress.end()
    #expect(output.text == "")
  }
}

import CommandLineTesting
import Testing

@testable import CommandLineKit

@Suite struct `A table of commands` {
  @Test func `is valid`() {
    #expect(CommandSpecification.sample.problems(root: .sample).isEmpty)
  }

  @Test func `has its faults reported`() {
    let twice = CommandSpecification(
      name: "dogwalk", abstract: "Keep a log.", examples: [.init("dogwalk --nothing", "fail")],
      arguments: [
        Argument("A", help: "first", isRepeating: true), Argument("B", help: "second"),
      ],
      options: [
        .flag("dog", short: "d", help: "once"), .flag("days", short: "d", help: "again"),
        Option("dog", value: .required("NAME"), help: "twice"),
      ])
    let faults = twice.problems(root: twice)
    #expect(faults.contains("dogwalk: --dog stands there twice"))
    #expect(faults.contains("dogwalk: -d is two options"))
    #expect(faults.contains("--dog and --dog differ in taking a value"))
    #expect(faults.contains("dogwalk: only its last argument may repeat"))
    #expect(faults.contains("dogwalk: its example `dogwalk --nothing` cannot be read"))
  }
}

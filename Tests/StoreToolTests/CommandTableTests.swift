import CommandLineKit
import CommandLineTesting
import Testing

@testable import storetool

@Suite struct `storetool's table of commands` {
  @Test func `is sound, but for the two options of one name`() {
    let table = CommandSpecification.storetool
    // `--version` alone asks for the program's, `create --version NAME` for the model's.
    #expect(
      Set(table.faults(root: table)) == ["--version and --version differ in taking a value"])
  }
}

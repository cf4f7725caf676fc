import CommandLineTesting
import Testing

@testable import DogWalkCommands

@Suite struct `The table of commands` {
  @Test func `is sound`() {
    let table = Command.dogwalk.specification
    #expect(table.faults(root: table) == [])
  }
}

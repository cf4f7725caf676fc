import Foundation
import Testing

@Suite struct `Golden models` {
  @Test(arguments: GoldenCase.all)
  func `a model gives the Swift and the diagnostics that are expected`(
    _ golden: GoldenCase
  ) throws {
    let (swift, diagnostics) = try golden.compile()

    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try golden.record(swift, as: "Expected.swift")
      try golden.record(diagnostics, as: "Expected.txt")
      return
    }
    #expect(swift == golden.expected("Expected.swift"))
    #expect(diagnostics == golden.expected("Expected.txt"))
  }

  @Test func `there are cases`() {
    #expect(GoldenCase.all.count >= 10)
  }
}

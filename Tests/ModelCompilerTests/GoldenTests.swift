import Foundation
import TestSupport
import Testing

@Suite struct `Golden models` {
  @Test(arguments: GoldenCase.all)
  func `a model produces the expected Swift and diagnostics`(
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

  /// Classes that the golden files leave to a developer.
  private static let handwritten = """
    public import ManagedObjects

    nonisolated public class Byhand: ManagedObject {}
    nonisolated public class Manual: ManagedObject {}
    nonisolated public class Pack: ManagedObject {}
    """

  @Test(
    .enabled(if: SwiftChecker.exists, "there is no swiftc"),
    arguments: GoldenCase.all.filter { $0.expected("Expected.swift") != nil }, [false, true])
  func `the Swift of a model compiles without a warning`(
    _ golden: GoldenCase, isMainActor: Bool
  ) throws {
    let swift = try #require(golden.expected("Expected.swift"))
    var handwritten = Self.handwritten
    // Its class is handwritten, its accessors are not.
    if golden.name == "all features" {
      handwritten += "\nnonisolated public class Walk: ManagedObject {}\n"
    }

    let complaints = try SwiftChecker.complaints(
      about: [swift, handwritten] + golden.sources, isMainActor: isMainActor)

    #expect(complaints == "")
  }

  @Test func `there are cases`() {
    #expect(GoldenCase.all.count >= 10)
  }
}

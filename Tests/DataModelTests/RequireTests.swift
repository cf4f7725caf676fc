import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: SwiftChecker.exists, "there is no swiftc")) struct `Misuse in a release build` {
  /// The message has to survive the optimiser, which removes that of `precondition`.
  @Test func `ends the process with its message`() throws {
    let folder = try TemporaryFolder()
    let main = try folder.write(
      Data(#"require(CommandLine.argc > 9, "Nine words are \("needed").")"#.utf8), to: "main.swift")
    let program = folder.url.appending(path: "misuse").path
    let source = URL.projectFolder.appending(path: "Sources/DataModel/Require.swift").path
    let compiled = try Answer(
      of: "swiftc", ["-O", "-package-name", "test", source, main.path, "-o", program])
    try #require(compiled.exitCode == 0, "\(compiled.errors)")

    let answer = try Answer(of: program, [])

    #expect(answer.exitCode != 0)
    #expect(answer.errors.contains("Nine words are needed."))
    #expect(try Answer(of: program, Array(repeating: "x", count: 9)).exitCode == 0)
  }
}

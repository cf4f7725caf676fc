import Foundation
import TestSupport
import Testing

/// Inputs that `make fuzz` found, read again.
@Suite struct CorpusTests {
  @Test(arguments: FuzzTarget.all.map(\.name))
  func `every kept input is read correctly`(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let folder = URL.projectFolder.appending(path: "Tests/FuzzingTests/Corpus/\(name)")
    let inputs = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(!inputs.isEmpty)
    for input in inputs {
      let complaint = target.complaint(about: Array(try Data(contentsOf: input)))
      #expect(complaint == nil, "\(name)/\(input.lastPathComponent)")
    }
  }
}

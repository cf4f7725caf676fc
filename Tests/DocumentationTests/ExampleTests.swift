import Foundation
import TestSupport
import Testing

@testable import ModelCompiler

/// The documentation's examples, compiled.
@Suite(.enabled(if: SwiftChecker.exists, "there is no swiftc"))
struct `Examples of the documentation` {
  private static let modules = [
    "DataFormats", "TextMatching", "CommandLineKit", "DataModel", "ModelComparison",
    "ManagedObjects", "CSVStores", "CoreDataNames", "ModelCompiler", "DogWalkModel",
    "DogWalkCommands",
  ]

  @Test(arguments: modules)
  func `compile in a module with the names of its preamble`(module: String) throws {
    let preamble = try String(
      contentsOf: URL.projectFolder
        .appending(path: "Tests/DocumentationTests/Preambles/\(module).swift"), encoding: .utf8)
    let imports = preamble.split(separator: "\n").filter { $0.contains("import ") }
    let head = imports.joined(separator: "\n")
    let folder = "Sources/\(module)"
    let comments = try files(in: folder, ending: ".swift").map { path in
      ExampleSource(try DocumentationExample.inDocComments(of: path), of: path, head: head)
    }
    let articles = try files(in: folder, ending: ".md").map { path in
      ExampleSource(try DocumentationExample.inMarkdown(of: path), of: path, head: head)
    }
    let complaints = try SwiftChecker.complaints(
      about: [preamble] + (comments + articles).map(\.text), depth: .isolation, allowsWarnings: true
    )
    #expect(complaints == "")
  }

  @Test func `there are examples`() throws {
    let examples = try files(in: "Sources", ending: ".swift").map(
      DocumentationExample.inDocComments)
    #expect(examples.reduce(0) { $0 + $1.count } > 250)
  }

  /// The library's program in README.md, with what momc makes of the model beside it.
  @Test func `compile as README.md has them`() throws {
    let blocks = try DocumentationExample.inMarkdown(of: "README.md")
    try #require(blocks.count == 2)
    let (manifest, program) = (blocks[0].lines, blocks[1].lines)
    #expect(manifest.contains { $0.contains(".package(") })
    let classes = program.filter { $0.contains("class ") }
    let compiled = try CompiledModel(
      contentsOf: .dogWalkModel, forSwift: true, handwritten: HandwrittenClasses(in: classes))
    let statements = DocumentationExample(
      path: blocks[1].path, line: blocks[1].line,
      lines: program.map { classes.contains($0) ? "" : $0 })
    let source = ExampleSource([statements], of: "README.md", head: classes.joined(separator: "\n"))
    let imports = "import ManagedObjects\nimport Foundation\n"
    let complaints = try SwiftChecker.complaints(
      about: [imports + source.text, compiled.swiftSource], depth: .isolation, allowsWarnings: true)
    #expect(complaints == "")
  }

  private func files(in folder: String, ending suffix: String) throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: URL.projectFolder.appending(path: folder).path)
    return paths.filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
  }
}

import DataModel
import Foundation
import ModelCompiler
import TestSupport
import Testing

@Suite struct `The command momc` {
  private let folder: TemporaryFolder
  private let printed = Printed()

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The output of a command.
  private final class Printed {
    var output = ""
    var errors = ""
  }

  private func run(_ arguments: String...) -> Int32 {
    run(arguments)
  }

  private func run(_ arguments: [String]) -> Int32 {
    let printed = printed
    return CompileCommand(
      standardOutput: { printed.output += $0 }, standardError: { printed.errors += $0 }
    ).run(arguments)
  }

  private var output: URL { folder.url.appending(path: "DogWalk+DataModel.swift") }

  @Test func `writes what Core Data's compiler writes, on request`() throws {
    let compiled = folder.url.appending(path: "DogWalk.momd")
    #expect(run(URL.dogWalkModel.path, compiled.path) == 0)
    #expect(printed.output.isEmpty && printed.errors.isEmpty)
    let model = try VersionedModel(contentsOf: URL.dogWalkModel)
    let read = try VersionedModel(contentsOf: compiled)
    #expect(read.versions.map(\.name) == model.versions.map(\.name))
    #expect(read.currentVersion.name == "DogWalk 3")
    for (one, other) in zip(read.versions, model.versions) {
      #expect(one.model.entityVersionHashesByName == other.model.entityVersionHashesByName)
    }
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: compiled.appending(path: "VersionInfo.plist")), format: nil)
    let info = try #require(list as? [String: Any])
    let hashes = info["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]]
    #expect(
      hashes?["DogWalk"]?["Dog"]
        == (model.versions.first?.model.entityVersionHashesByName["Dog"]).map { Data($0.bytes) })
    // The file of a removed version is deleted, and nothing else.
    try Data().write(to: compiled.appending(path: "DogWalk 9.mom"))
    try Data().write(to: compiled.appending(path: "notes.txt"))
    #expect(run(URL.dogWalkModel.path, compiled.path) == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: compiled.path).sorted() == [
        "DogWalk 2.mom", "DogWalk 3.mom", "DogWalk.mom", "VersionInfo.plist", "notes.txt",
      ])
    let single = folder.url.appending(path: "DogWalk.mom")
    #expect(run(URL.dogWalkModel.path, single.path) == 0)
    #expect(
      try ManagedObjectModel(contentsOf: single).entityVersionHashesByName
        == model.currentVersion.model.entityVersionHashesByName)
  }

  @Test func `writes the Swift of a model and prints nothing`() throws {
    #expect(run(URL.dogWalkModel.path, output.path) == 0)

    let text = try String(contentsOf: output, encoding: .utf8)
    #expect(text.hasPrefix("// Written by momc from DogWalk.xcdatamodeld. Do not edit.\n"))
    #expect(printed.output.isEmpty)
    #expect(printed.errors.isEmpty)
  }

  @Test func `does not rewrite an output that would not change`() throws {
    #expect(run(URL.dogWalkModel.path, output.path) == 0)
    let past = Date(timeIntervalSinceReferenceDate: 0)
    try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: output.path)

    #expect(run(URL.dogWalkModel.path, output.path) == 0)

    let attributes = try FileManager.default.attributesOfItem(atPath: output.path)
    #expect(attributes[.modificationDate] as? Date == past)
  }

  @Test func `replaces an output that is out of date`() throws {
    try Data("old".utf8).write(to: output)

    #expect(run(URL.dogWalkModel.path, output.path) == 0)

    #expect(try Data(contentsOf: output) != Data("old".utf8))
  }

  @Test func `prints the errors of a model, exits with 1 and writes nothing`() throws {
    let contents = try folder.write(
      Data("<model>\n<entity name='a dog'/>\n</model>".utf8), to: "Bad.xcdatamodel/contents")

    #expect(run(contents.deletingLastPathComponent().path, output.path) == 1)

    #expect(
      printed.errors.hasPrefix("\(contents.path):2: error: the entity 'a dog' must be named "))
    #expect(!FileManager.default.fileExists(atPath: output.path))
  }

  @Test func `prints warnings and continues`() throws {
    let text = "<model>\n<novelty/>\n</model>"
    let contents = try folder.write(Data(text.utf8), to: "New.xcdatamodel/contents")

    #expect(run(contents.deletingLastPathComponent().path, output.path) == 0)

    #expect(printed.errors.hasPrefix("\(contents.path):2: warning: <novelty> "))
    #expect(FileManager.default.fileExists(atPath: output.path))
  }

  @Test(arguments: ["Missing.xcdatamodeld", "Missing.xcdatamodel", "Package.swift"])
  func `names a missing model`(name: String) {
    let missing = folder.url.appending(path: name).path

    #expect(run(missing, output.path) == 1)

    #expect(printed.errors.hasPrefix(missing))
    #expect(printed.errors.contains(": error: "))
  }

  @Test func `names an output that cannot be written`() {
    let output = folder.url.appending(path: "no such folder/Out.swift").path

    #expect(run(URL.dogWalkModel.path, output) == 1)

    #expect(printed.errors.hasPrefix("\(output): error: the output cannot be written: "))
  }

  @Test func `omits classes that a source declares`() throws {
    let source = try folder.write(
      Data("class Dog: ManagedObject {}".utf8), to: "Dog.swift")
    let missing = folder.url.appending(path: "Missing.swift").path

    #expect(run(URL.dogWalkModel.path, output.path, source.path, missing) == 0)

    let text = try String(contentsOf: output, encoding: .utf8)
    #expect(!text.contains("class Dog:"))
    #expect(text.contains("extension Dog {"))
    #expect(printed.errors.isEmpty)
  }

  @Test(arguments: [[], ["one"], ["--fast", "two"]])
  func `shows its usage for wrong arguments and exits with 64`(arguments: [String]) {
    #expect(run(arguments) == 64)

    #expect(printed.errors.contains("Usage: momc MODEL.xcdatamodeld OUTPUT.swift"))
  }

  @Test func `shows its usage when asked`() {
    #expect(run("--help") == 0)
    #expect(printed.output.hasPrefix("Usage: momc MODEL.xcdatamodeld OUTPUT.swift"))
    #expect(printed.errors.isEmpty)
  }
}

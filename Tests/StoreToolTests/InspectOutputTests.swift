import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import storetool

@Suite struct `The output of inspect` {
  private let folder: TemporaryFolder
  private let store: String
  private let model = URL.dogWalkModel.path

  init() throws {
    folder = try TemporaryFolder()
    store = folder.url.appending(path: "New.sqlite").path
    _ = try StoreToolProgram.run("create", store, "--model", model)
  }

  @Test func `is a table on a terminal`() throws {
    #expect(
      try shown(model: model) == """
        Made with DogWalk 3, the current version of DogWalk.xcdatamodeld.
        UUID …

        Entity  Objects
        Dog           0
        Tag           0
        Track         0
        Walk          0
        Walker        0

        """)
  }

  @Test func `names the current version where the store has another one`() throws {
    try FileManager.default.removeItem(atPath: store)
    _ = try StoreToolProgram.run("create", store, "--model", model, "--version", "DogWalk")
    #expect(
      try shown(model: model)
        .hasPrefix("Made with DogWalk; the current version of DogWalk.xcdatamodeld is DogWalk 3.\n")
    )
  }

  @Test func `includes unused files of large values`() throws {
    let files = folder.url.appending(path: ".New_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let stray = UUID().uuidString
    for (name, hours) in [(stray, 25.0), (UUID().uuidString, 1), ("notes.txt", 25)] {
      let file = files.appending(path: name)
      try Data([1, 2]).write(to: file)
      let date = Date(timeIntervalSinceNow: -3_600 * hours)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }
    let path = files.appending(path: stray).path
    #expect(
      try shown(model: model)
        .hasSuffix(
          """

          Files of large values that nothing refers to, left by killed programs:
            \(path)

          """))
    let lines = try StoreToolProgram.run("inspect", store, "--model", model).text
    #expect(lines.hasSuffix("entity\tWalker\t0\nstray\t\(path)\n"))
  }

  #if os(Linux)
    @Test func `is an error where it cannot be written`() throws {
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      var values = ArgumentValues()
      values.operands = [store]
      values.append(model, for: .model)
      let output = OutputSink(descriptor: full.fileDescriptor)
      let run = ToolRun(
        values: values, output: output, errors: .memory(), terminal: Terminal(isTerminal: false))
      #expect(throws: OutputError.failed(errno: ENOSPC)) {
        try Inspection(run).perform()
        try output.flush()
      }
    }
  #endif

  /// The output as seen on a terminal, without the UUID.
  private func shown(model: String) throws -> String {
    var values = ArgumentValues()
    values.operands = [store]
    values.append(model, for: .model)
    let output = OutputSink.memory()
    try Inspection(
      ToolRun(
        values: values, output: output, errors: .memory(), terminal: Terminal(isTerminal: true))
    ).perform()
    return output.text.replacing(/UUID [0-9A-F-]{36}/, with: "UUID …")
  }
}

import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import storetool

@Suite struct `What inspect shows` {
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

  @Test func `names the current version where the store is of another one`() throws {
    try FileManager.default.removeItem(atPath: store)
    _ = try StoreToolProgram.run("create", store, "--model", model, "--version", "DogWalk")
    #expect(
      try shown(model: model)
        .hasPrefix("Made with DogWalk; the current version of DogWalk.xcdatamodeld is DogWalk 3.\n")
    )
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

  /// What a person sees on a terminal, the UUID left out.
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

import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

@Suite struct `The file of settings` {
  private let prompt: Prompt
  private let file: URL

  init() throws {
    prompt = try Prompt()
    prompt.variables["DOGWALK_STORE"] = nil
    file = prompt.file(".config/dogwalk/config")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  @Test(arguments: [" x.sqlite ", "x.sqlite ", "x.sqlite\u{A0}", "x\ny.sqlite", "x\u{85}y.sqlite"])
  func `refuses a path that it would read back differently`(name: String) throws {
    let answer = prompt.run("config", "store", prompt.file(name).path)
    #expect(answer.code == 64 && answer.output.isEmpty, "\(answer)")
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test(arguments: ["x y.sqlite", "x\u{2028}y.sqlite", "x # y = z.sqlite", "ü.sqlite"])
  func `returns each path as it was set`(name: String) throws {
    let path = prompt.file(name).path
    #expect(prompt.run("config", "store", path).code == 0)
    #expect(prompt.run("add", "Fido", "5m").code == 0)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(prompt.run("config", "--unset", "store").code == 0)
    #expect(try Data(contentsOf: file).isEmpty)
  }

  @Test func `keeps everything else byte by byte`() throws {
    let latin = Data([0x23, 0xFC, 0x0D, 0x0A])
    let before =
      Data([0xEF, 0xBB, 0xBF]) + latin + Data("clock = 24\r\n\r\nby = Ana\u{2028}\n\n".utf8)
    try before.write(to: file)
    #expect(prompt.run("config", "clock", "12").code == 0)
    let after =
      Data([0xEF, 0xBB, 0xBF]) + latin + Data("clock = 12\r\n\r\nby = Ana\u{2028}\n\n".utf8)
    #expect(try Data(contentsOf: file) == after)
    #expect(prompt.run("config", "clock").output == "12\n")
    #expect(prompt.run("config", "by").output == "Ana\n")
  }

  @Test func `keeps its style of line endings`() throws {
    try Data("by = Ana\r\n".utf8).write(to: file)
    #expect(prompt.run("config", "clock", "12").code == 0)
    #expect(try Data(contentsOf: file) == Data("by = Ana\r\nclock = 12\r\n".utf8))
  }
}

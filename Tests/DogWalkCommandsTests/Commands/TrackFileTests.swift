import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

@Suite struct `A tracker's file` {
  private let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    #expect(prompt.run("dogs", "add", "Fido").code == 0)
  }

  private func writeTrack(_ name: String, hour: Int) throws -> String {
    let points = ["00", "20"].map {
      "<trkpt lat=\"52.0\($0)\" lon=\"13\"><time>2026-11-20T\(hour):\($0):00Z</time></trkpt>"
    }
    let text = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    try Data(text.utf8).write(to: prompt.file(name))
    return prompt.file(name).path
  }

  @Test func `may be one of several, each after an option of its own or not`() throws {
    let paths = try (0..<3).map { try writeTrack("\($0).gpx", hour: 10 + $0) }
    let answer = prompt.run("add", "Fido", "--gpx", paths[0], paths[1], "--gpx", paths[2])
    #expect(answer.code == 0, "\(answer)")
    #expect(prompt.run("list").output.split(separator: "\n").count == 3)
  }

  @Test func `cannot be a folder, whose files are suggested`() throws {
    let folder = prompt.file("my tracks")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for path in [folder.path, folder.path + "/"] {
      let answer = prompt.run("add", "Fido", "--gpx", path)
      #expect(answer.code == 65)
      #expect(
        answer.errors.hasSuffix(
          "Nothing was changed. Its files: --gpx '\(folder.path)'/*.gpx\n"), "\(answer)")
    }
  }

  @Test(arguments: [
    ["add", "Fido", "--gpx="], ["add", "Fido", "--gpx", "x.gpx", "--gpx", ""],
    ["export", "-o", ""], ["export", "--output=", "--format", "csv"],
  ])
  func `needs a name, and so does an exported file`(words: [String]) {
    let answer = prompt.run(words)
    #expect(answer.code == 64, "\(answer)")
    #expect(answer.errors.contains(" needs the name of a file. Write "), "\(answer)")
  }
}

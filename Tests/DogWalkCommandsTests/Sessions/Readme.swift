import Foundation
import TestSupport

/// README.md, whose blocks marked `console` are the parts of one session.
struct Readme {
  private let url = URL.projectFolder.appending(path: "README.md")
  private let lines: [String]
  /// The ranges of the blocks' lines, without the fences.
  private let blocks: [Range<Int>]

  init() throws {
    lines = try String(contentsOf: url, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var blocks: [Range<Int>] = []
    var start: Int?
    for (index, line) in lines.enumerated() {
      if line == "```console" {
        start = index + 1
      } else if line == "```", let first = start {
        blocks.append(first..<index)
        start = nil
      }
    }
    self.blocks = blocks
  }

  /// The blocks' commands, one after the other.
  var transcript: Transcript {
    var whole = Transcript()
    for block in blocks { whole.steps += Transcript(lines: lines[block]).steps }
    return whole
  }

  /// Writes the file again, with the answers of a transcript that has the same commands.
  func write(_ played: Transcript) throws {
    var lines = lines
    var steps = played.steps[...]
    var parts: [[String]] = []
    for block in blocks {
      var part = Transcript()
      part.steps = Array(steps.prefix(Transcript(lines: self.lines[block]).steps.count))
      steps = steps.dropFirst(part.steps.count)
      parts.append(part.lines)
    }
    // From the end, so that earlier ranges stay valid.
    for (block, part) in zip(blocks, parts).reversed() { lines.replaceSubrange(block, with: part) }
    try lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
  }
}

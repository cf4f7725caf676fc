import Foundation
import TestSupport

/// A piece of Swift in a doc comment or in a Markdown file, and its location.
///
/// In doc comments that is every block indented by four columns, and each block after `` ```swift
/// ``; in Markdown only the latter. Anything but Swift is in a block of another language: ``
/// ```text ``.
struct DocumentationExample {
  /// The file, relative to the project's folder.
  let path: String
  /// The line number of the first line, from 1 on.
  let line: Int
  /// The lines, without the example's indentation.
  let lines: [String]

  /// Every example in the doc comments of a file, in order.
  static func inDocComments(of path: String) throws -> [DocumentationExample] {
    let lines = try Self.lines(of: path)
    return blocks(lines.map(Self.comment)).map { start, block in
      DocumentationExample(path: path, line: start + 1, lines: block)
    }
  }

  /// Every block of Swift in a Markdown file, in order.
  static func inMarkdown(of path: String) throws -> [DocumentationExample] {
    // There, indented lines are something else.
    let lines = try Self.lines(of: path).map { $0.hasPrefix("    ") ? "-" + $0 : $0 }
    return blocks(lines).map { start, block in
      DocumentationExample(
        path: path, line: start + 1,
        lines: block.map { $0.hasPrefix("-    ") ? String($0.dropFirst()) : $0 })
    }
  }

  private static func lines(of path: String) throws -> [String] {
    try String(contentsOf: URL.projectFolder.appending(path: path), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The text of a line after `///`; nil for a line of code.
  private static func comment(_ line: String) -> String? {
    let line = line.drop { $0 == " " }
    guard line.hasPrefix("///") else { return nil }
    let text = line.dropFirst(3)
    return String(text.first == " " ? text.dropFirst() : text)
  }

  /// The examples among some lines of text, with the index of the first line of each.
  private static func blocks(_ lines: [String?]) -> [(start: Int, lines: [String])] {
    var blocks: [(start: Int, lines: [String])] = []
    /// The language of the block that the lines are in.
    var fence: String?
    var isOpen = false
    var previous = ""
    for (index, line) in lines.enumerated() {
      guard let line else {
        (fence, isOpen, previous) = (nil, false, "")
        continue
      }
      defer { previous = line }
      if line.hasPrefix("```") {
        fence = fence == nil ? String(line.dropFirst(3)) : nil
        isOpen = false
        continue
      }
      let text: String?
      switch fence {
      case "swift": text = line
      // After a line of text it continues that text.
      case nil where line.hasPrefix("    ") && (isOpen || previous.allSatisfy { $0 == " " }):
        text = String(line.dropFirst(4))
      // An empty line does not end an example.
      case nil where line.allSatisfy { $0 == " " } && isOpen: text = ""
      default: text = nil
      }
      if let text {
        if isOpen {
          blocks[blocks.count - 1].lines.append(text)
        } else {
          blocks.append((index, [text]))
        }
      }
      isOpen = text != nil
    }
    return blocks.map { ($0.start, Array($0.lines.reversed().drop { $0.isEmpty }.reversed())) }
  }
}

import Foundation
import TestSupport

/// A Swift file made from a file's examples, which compiles where each of them does.
///
/// Statements become the body of a function, members with `override` those of a class, and imports
/// and extensions come at the top of the file. The compiler's messages name the line of the
/// documentation.
///
/// All of it is in an enum that is named after the file, `FetchRequestExamples`, so that a preamble
/// can extend it with names that only this file's examples assume.
struct ExampleSource {
  /// The whole file.
  let text: String

  /// Makes a file of examples.
  ///
  /// - Parameter head: what comes first: imports.
  init(_ examples: [DocumentationExample], of path: String, head: String) {
    let name = path.split(separator: "/").last?.split(separator: ".").first ?? ""
    let space = name.filter { $0.isLetter || $0.isNumber } + "Examples"
    text =
      "\(head)\nenum \(space) {}\n"
      + examples.map { Self.text(of: $0, in: space) }.joined()
  }

  private static func text(of example: DocumentationExample, in space: String) -> String {
    var top = ""
    var body = ""
    // Extensions end at a bracket in the first column, or are one line.
    var isAtTop = false
    for line in example.lines {
      let startsAtTop = ["extension ", "import "].contains { line.hasPrefix($0) }
      // Lines keep their positions, so that their numbers are right.
      if isAtTop || startsAtTop {
        top += line + "\n"
        body += "\n"
        isAtTop = startsAtTop ? !Self.isWhole(line) : line != "}"
      } else {
        top += "\n"
        body += line + "\n"
      }
    }
    let start = "#sourceLocation(file: \"\(example.path)\", line: \(example.line))\n"
    let head =
      example.lines.contains { $0.hasPrefix("override ") }
      ? "final class Line\(example.line): Overriding {"
      : "@MainActor static func line\(example.line)() async throws {"
    return """
      \(start)\(top)#sourceLocation()
      extension \(space) {
      \(head)
      \(start)\(body)#sourceLocation()
      }
      }

      """
  }

  private static func isWhole(_ line: String) -> Bool {
    line.count { $0 == "{" } == line.count { $0 == "}" }
  }
}

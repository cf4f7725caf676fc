/// Swift source that is built line by line, indented and wrapped if possible.
struct SwiftText: Sendable {
  private static let width = 100

  private(set) var text = ""
  private var depth = 0

  /// Adds a line.
  mutating func line(_ line: String) {
    text += line.isEmpty ? "\n" : String(repeating: "  ", count: depth) + line + "\n"
  }

  /// Adds an empty line.
  mutating func emptyLine() {
    text += "\n"
  }

  /// Adds a documentation comment, wrapped at its spaces.
  mutating func documentation(_ sentence: String) {
    var row = "///"
    // Names of folders may contain line ends, which would end the comment.
    for word in sentence.split(whereSeparator: { $0 == " " || $0.isNewline }) {
      if depth * 2 + row.count + 1 + word.count > Self.width, row != "///" {
        line(row)
        row = "///"
      }
      row += " " + word
    }
    line(row)
  }

  /// Adds indented lines between a head and a closing line.
  mutating func block(
    _ head: String, closing: String = "}", _ body: (inout SwiftText) -> Void
  ) {
    line(head)
    depth += 1
    body(&self)
    depth -= 1
    line(closing)
  }

  /// Adds a list on one line if it fits, else with its elements on the following lines.
  mutating func list(_ head: String, _ elements: [String], closing: String) {
    let whole = head + elements.joined(separator: ", ") + closing
    if depth * 2 + whole.count <= Self.width {
      line(whole)
      return
    }
    line(head)
    depth += 1
    var row = ""
    for (index, element) in elements.enumerated() {
      let next = element + (index == elements.count - 1 ? closing : ",")
      if !row.isEmpty, depth * 2 + row.count + 1 + next.count > Self.width {
        line(row)
        row = ""
      }
      row += (row.isEmpty ? "" : " ") + next
    }
    line(row)
    depth -= 1
  }
}

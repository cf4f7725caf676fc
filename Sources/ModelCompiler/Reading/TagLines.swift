import Foundation

/// Finds the line that each element of an XML document begins at.
///
///     TagLines.lines(of: Data("<model>\n<entity\n name='Dog'/></model>".utf8))   // [1, 2]
///
/// `XMLParser` tells where a tag ends, and a tag may have many lines. Of a document that is not
/// well-formed the lines are right up to where it is not.
enum TagLines {
  static func lines(of document: Data) -> [Int] {
    var lines: [Int] = []
    var line = 1
    var rest = document[...]

    /// Goes on behind a text, or to the end where there is none.
    func skip(behind end: String) {
      while !rest.isEmpty, !rest.starts(with: end.utf8) { advance() }
      rest = rest.dropFirst(end.utf8.count)
    }
    func advance() {
      if rest.popFirst() == UInt8(ascii: "\n") { line += 1 }
    }

    while let byte = rest.first {
      guard byte == UInt8(ascii: "<") else {
        advance()
        continue
      }
      if rest.starts(with: "<!--".utf8) {
        skip(behind: "-->")
      } else if rest.starts(with: "<![CDATA[".utf8) {
        skip(behind: "]]>")
      } else if rest.starts(with: "<?".utf8) {
        skip(behind: "?>")
      } else {
        if !rest.starts(with: "</".utf8) { lines.append(line) }
        while let byte = rest.first, byte != UInt8(ascii: ">") {
          advance()
          // A value may have the tag's end in it.
          if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            skip(behind: byte == UInt8(ascii: "'") ? "'" : "\"")
          }
        }
      }
    }
    return lines
  }
}

import CommandLineKit
import DataFormats

extension CommandRun {
  /// Writes a JSON document with a list as its single member, one object a line.
  ///
  /// - Parameter members: Writes the members of an element's object.
  func writeDocument<Element>(
    _ name: String, of elements: [Element], _ members: (inout JSONWriter, Element) -> Void
  ) throws {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", 1)
      json.member(name) { json in
        json.lines(elements) { json, element in
          json.object { json in members(&json, element) }
        }
      }
    }
    json.endLine()
    try json.drain(into: output)
  }
}

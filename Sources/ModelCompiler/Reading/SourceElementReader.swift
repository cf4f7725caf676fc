import DataFormats

/// Parses the XML of a `contents` file to elements with line numbers.
///
///     let model = try SourceElementReader.read(bytes, path: "DogWalk.xcdatamodel/contents")
enum SourceElementReader {
  /// Xcode's elements have five levels.
  private static let maximumDepth = 32

  /// Parses a document.
  ///
  /// - Throws: a diagnostic with the line if it is not well-formed XML.
  static func read(_ bytes: [UInt8], path: String) throws(Diagnostic) -> SourceElement {
    do throws(DataError) {
      var xml = XMLScanner(bytes, maximumDepth: maximumDepth)
      return try root(&xml, path: path)
    } catch {
      throw Diagnostic(.error, error.reason, at: SourceLocation(path: path, line: error.line))
    }
  }

  private static func root(
    _ xml: inout XMLScanner, path: String
  ) throws(DataError) -> SourceElement {
    // The open elements, the outermost first, after one that represents the document.
    var open = [SourceElement(name: "", attributes: [:], location: SourceLocation(path: path))]
    while let piece = try xml.next() {
      switch piece {
      case .start(let name, let attributes):
        open.append(
          SourceElement(
            name: name,
            attributes: Dictionary(
              attributes.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
            location: SourceLocation(path: path, line: xml.line)))
      case .end:
        let element = open.removeLast()
        open[open.count - 1].children.append(element)
      case .text: continue
      }
    }
    // The scanner throws for a document without a root element.
    return open[0].children[0]
  }
}

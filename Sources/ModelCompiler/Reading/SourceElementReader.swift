import DataFormats

/// Reads the XML of a `contents` file into elements that know their lines.
///
///     let model = try SourceElementReader.read(bytes, path: "DogWalk.xcdatamodel/contents")
enum SourceElementReader {
  /// Xcode's elements nest five deep.
  private static let maximumDepth = 32

  /// Reads one document.
  ///
  /// - Throws: a diagnostic with the line, for anything that is not well-formed XML.
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
    // The elements that are open, the outermost first, inside one that stands for the document.
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
    // The scanner gives no end to a document without a root.
    return open[0].children[0]
  }
}

import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads the XML of a `contents` file into elements that know their lines.
///
///     let model = try SourceElementReader.read(data, path: "DogWalk.xcdatamodel/contents")
final class SourceElementReader: NSObject {
  /// Xcode's elements nest five deep.
  private static let maximumDepth = 32

  private let path: String
  /// The line that each element begins at, in their order.
  private let lines: [Int]
  private var count = 0
  /// The elements that are open, the outermost first.
  private var open: [SourceElement] = []
  private var root: SourceElement?
  private var failure: Diagnostic?

  private init(path: String, lines: [Int]) {
    self.path = path
    self.lines = lines
  }

  /// Reads one document.
  ///
  /// - Throws: a diagnostic with the line, for anything that is not well-formed XML in UTF-8.
  static func read(_ data: Data, path: String) throws(Diagnostic) -> SourceElement {
    let reader = SourceElementReader(path: path, lines: TagLines.lines(of: data))
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Diagnostic(.error, "this file is not UTF-8 text", at: reader.location(line: 1))
    }
    // Xcode writes no document type. Without one no entity can be declared, neither one that reads
    // other files nor one that grows without bound.
    if let line = firstLine(of: text, containing: "<!DOCTYPE") {
      throw Diagnostic(.error, "a model has no document type", at: reader.location(line: line))
    }
    let parser = XMLParser(data: data)
    parser.delegate = reader
    let succeeded = parser.parse()
    if let failure = reader.failure { throw failure }
    guard succeeded, let root = reader.root else {
      throw Diagnostic(.error, "this file has no XML element", at: reader.location(line: 1))
    }
    return root
  }

  /// The number of the first line with a text in it.
  private static func firstLine(of text: String, containing part: String) -> Int? {
    guard let range = text.range(of: part) else { return nil }
    return text[..<range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
  }

  private func location(line: Int) -> SourceLocation {
    SourceLocation(path: path, line: line)
  }
}

extension SourceElementReader: XMLParserDelegate {
  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    if open.count == Self.maximumDepth {
      failure =
        failure
        ?? Diagnostic(
          .error, "the elements nest deeper than \(Self.maximumDepth)",
          at: location(line: parser.lineNumber))
      parser.abortParsing()
      return
    }
    // The parser is at the tag's end; what is said of an element is said where it begins.
    let line = count < lines.count ? lines[count] : parser.lineNumber
    count += 1
    open.append(
      SourceElement(name: name, attributes: attributes, location: location(line: line)))
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    guard failure == nil else { return }
    let message = XMLProblem.message(code: (error as NSError).code, insideOf: open.last?.name)
    failure = Diagnostic(
      .error, message, at: location(line: max(parser.lineNumber, 1)))
  }
}

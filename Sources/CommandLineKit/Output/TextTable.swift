/// Rows of text in columns that line up, by the width at which a terminal shows them.
///
///     var table = TextTable(alignments: [.right, .left])
///     table.append(["3", "Fido"])
///     table.append(["12", "Rex"])
///     table.lines(width: 80)   // [" 3  Fido", "12  Rex"]
package struct TextTable: Sendable {
  /// The side of its column at which a text stands.
  package enum Alignment: Sendable {
    /// At its left, as text stands.
    case left
    /// At its right, as numbers stand.
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// A table with so many columns and no rows.
  package init(alignments: [Alignment]) {
    self.alignments = alignments
  }

  /// Adds a row.
  ///
  /// - Precondition: It has a text for every column; control characters are escaped already.
  package mutating func append(_ row: [String]) {
    guard row.count == alignments.count else {
      fatalError("A row has a text for every column of its table.")
    }
    rows.append(row)
  }

  /// The rows as lines, two spaces between columns, no spaces at the end.
  ///
  /// Columns empty in every row are left out. Lines wider than `width` lose the end of their last
  /// column.
  package func lines(width: Int) -> [String] {
    let widths = alignments.indices.map { column in
      rows.map { $0[column].displayWidth }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, text) in row.enumerated() where widths[column] > 0 {
        if !line.isEmpty { line += "  " }
        line +=
          alignments[column] == .left
          ? text.padded(to: widths[column]) : text.paddedLeft(to: widths[column])
      }
      while line.last == " " { line.removeLast() }
      return line.truncated(to: width)
    }
  }

  /// The rows as lines of which none is cut: as `lines(width:)` where they all fit, else with the
  /// last column in as many lines as it takes.
  ///
  /// ```text
  /// 18:00  Fido  35 min  by Ana; it
  ///                      rained
  /// ```
  ///
  /// Where that column has no room, or words too wide for it, what a row has behind its first
  /// column stands one after the other, in as many lines as it takes; below it, where little room
  /// is left beside the first column.
  ///
  /// ```text
  /// clock  24  default
  /// store  /srv/dogs/walks.sqlite
  ///        $DOGWALK_STORE
  /// ```
  ///
  /// - Precondition: The first column and the last are aligned left, where anything is wrapped.
  package func wrappedLines(width: Int) -> [String] {
    let whole = lines(width: .max)
    guard whole.contains(where: { $0.displayWidth > width }) else { return whole }
    if let lines = linesWrappingLast(width: width) { return lines }
    let beside = (rows.map { $0[0].displayWidth }.max() ?? 0) + 2
    let hasRoom = width - beside >= Self.leastRoom
    let indent = hasRoom ? beside : 2
    return rows.flatMap { row in
      let others = Self.lines(of: row.dropFirst(), width: width - indent)
      let space = String(repeating: " ", count: indent)
      guard hasRoom, let first = others.first else {
        return row[0].wrapped(to: width) + others.map { space + $0 }
      }
      return [row[0].padded(to: indent) + first] + others.dropFirst().map { space + $0 }
    }
  }

  /// The rows with the words of their last column wrapped in it; nil where they have no room.
  private func linesWrappingLast(width: Int) -> [String]? {
    var heads = TextTable(alignments: Array(alignments.dropLast()))
    for row in rows { heads.append(Array(row.dropLast())) }
    let beginnings = heads.lines(width: .max)
    let indent = (beginnings.map(\.displayWidth).max() ?? 0) + 2
    let room = width - indent
    let words = rows.lazy.flatMap { $0[$0.count - 1].split(separator: " ") }
    guard room >= Self.leastRoom, words.allSatisfy({ String($0).displayWidth <= room }) else {
      return nil
    }
    var lines: [String] = []
    for (row, beginning) in zip(rows, beginnings) {
      let texts = row[row.count - 1].wrapped(to: room)
      lines.append(texts.first.map { beginning.padded(to: indent) + $0 } ?? beginning)
      let space = String(repeating: " ", count: indent)
      for text in texts.dropFirst() { lines.append(space + text) }
    }
    return lines
  }

  /// The narrowest column in which texts are still read well.
  private static let leastRoom = 20

  /// Texts one after the other in lines no wider than that; only one that is wider still is broken.
  private static func lines(of texts: some Sequence<String>, width: Int) -> [String] {
    var lines: [String] = []
    for text in texts where !text.isEmpty {
      if let last = lines.last, last.displayWidth + 2 + text.displayWidth <= width {
        lines[lines.count - 1] = last + "  " + text
      } else {
        lines += text.wrapped(to: width)
      }
    }
    return lines
  }
}

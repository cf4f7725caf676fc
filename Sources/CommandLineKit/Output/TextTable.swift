/// Rows of text in aligned columns, by their width on a terminal.
///
///     var table = TextTable(alignments: [.right, .left])
///     table.append(["3", "Fido"])
///     table.append(["12", "Rex"])
///     table.lines(width: 80)   // [" 3  Fido", "12  Rex"]
package struct TextTable: Sendable {
  /// The alignment of a column.
  package enum Alignment: Sendable {
    /// On the left, for text.
    case left
    /// On the right, for numbers.
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// Creates a table with columns and no rows.
  package init(alignments: [Alignment]) {
    self.alignments = alignments
  }

  /// Adds a row.
  ///
  /// - Precondition: It has a text for every column; control characters are already escaped.
  package mutating func append(_ row: [String]) {
    guard row.count == alignments.count else {
      fatalError("A row needs a text for every column of its table.")
    }
    rows.append(row)
  }

  /// The rows as lines, with two spaces between columns and no trailing spaces.
  ///
  /// Columns that are empty in every row are omitted. In lines wider than `width`, the last column
  /// is truncated.
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

  /// The rows as lines that are not truncated: like `lines(width:)` if all fit; otherwise the last
  /// column is wrapped.
  ///
  /// ```text
  /// 18:00  Fido  35 min  by Ana; it
  ///                      rained
  /// ```
  ///
  /// If that column has too little room, or contains words wider than it, everything after the
  /// first column is written in sequence and wrapped; below the first column, if there is little
  /// room next to it.
  ///
  /// ```text
  /// clock  24  default
  /// store  /srv/dogs/walks.sqlite
  ///        $DOGWALK_STORE
  /// ```
  ///
  /// - Precondition: The first and the last column are aligned left, if anything is wrapped.
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

  /// The rows with the last column wrapped; nil if it has too little room.
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

  /// The narrowest column in which text is still readable.
  private static let leastRoom = 20

  /// Texts in sequence in lines up to a width; only a text that is wider is broken.
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

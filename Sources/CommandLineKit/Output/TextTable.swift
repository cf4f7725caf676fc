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
}

import DataFormats

/// How a file of a CSV store is written: whoever arranged it so finds it so again.
struct CSVForm {
  let spelling: CSVCursor.Spelling
  let columnNames: [String]

  init(_ table: CSVTable) {
    spelling = table.spelling
    columnNames = table.columns.map(\.name)
  }
}

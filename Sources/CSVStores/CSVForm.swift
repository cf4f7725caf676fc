import DataFormats

/// How a file of a CSV store is written: whoever arranged it so finds it so again.
struct CSVForm {
  let spelling: CSVCursor.Spelling
  var columnNames: [String]

  init(_ table: CSVTable) {
    spelling = table.spelling
    columnNames = table.columns.map(\.name)
  }

  /// Reads how a file is written, whatever its columns are.
  ///
  /// - Throws: `DataError` where its first line is none of a CSV file.
  init(_ bytes: [UInt8]) throws(DataError) {
    var csv = CSVCursor(bytes)
    spelling = csv.spelling
    columnNames = []
    guard csv.nextRecord() else { return }
    while let field = try csv.nextField() {
      columnNames.append(String(decoding: csv[field], as: UTF8.self))
    }
  }
}

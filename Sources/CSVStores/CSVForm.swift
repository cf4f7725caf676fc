import DataFormats

/// The format of a CSV file, which is kept when the file is rewritten.
struct CSVForm {
  let spelling: CSVCursor.Spelling
  var columnNames: [String]

  init(_ table: CSVTable) {
    spelling = table.spelling
    columnNames = table.columns.map(\.name)
  }

  /// Reads the format of a file, whatever its columns are.
  ///
  /// - Throws: `DataError` if its first line is not valid CSV.
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

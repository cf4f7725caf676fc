import DataFormats
import DataModel
import ManagedObjects

/// A writer of one entity's objects as a file of a CSV store.
struct CSVTableWriter {
  let layout: CSVLayout
  /// The columns, in the order of the existing file.
  let columns: [CSVLayout.Column]
  let spelling: CSVCursor.Spelling
  private let store: CSVStore

  /// - Parameter form: the format of the file when it was read.
  init(_ layout: CSVLayout, like form: CSVForm?, store: CSVStore) {
    self.layout = layout
    self.store = store
    spelling = form?.spelling ?? CSVCursor.Spelling()
    let names = form?.columnNames ?? []
    let known = names.compactMap { name in layout.columns.first { $0.name == name } }
    columns = known + layout.columns.filter { !names.contains($0.name) }
  }

  /// The file with all objects, sorted by number.
  func bytes() throws -> [UInt8] {
    var text: [UInt8] = spelling.hasByteOrderMark ? [0xEF, 0xBB, 0xBF] : []
    for (index, column) in columns.enumerated() {
      if index > 0 { text.append(spelling.separator) }
      CSVValue.append(field: column.name, spelling, to: &text)
    }
    text += spelling.lineEnd
    let columns = CSVColumns(columns)
    let table = try AtomicStoreTable(
      of: layout.entity, columns: columns.properties, in: store)
    for (number, row) in sorted(table.rows) {
      for (index, content) in columns.contents.enumerated() {
        if index > 0 { text.append(spelling.separator) }
        append(content, of: row, number, to: &text)
      }
      text += spelling.lineEnd
    }
    return text
  }

  /// Rows sorted by the numbers of their objects.
  private func sorted(
    _ rows: [AtomicStoreTable.Row]
  ) -> [(number: Int64, row: AtomicStoreTable.Row)] {
    // Every reference of a CSV store is a number.
    let found = rows.map { (number: store.referenceObject(for: $0.objectID).number ?? 0, row: $0) }
    if zip(found, found.dropFirst()).allSatisfy({ $0.number < $1.number }) { return found }
    return found.sorted { $0.number < $1.number }
  }

  private func append(
    _ content: CSVColumns.Content, of row: AtomicStoreTable.Row, _ number: Int64,
    to text: inout [UInt8]
  ) {
    switch content {
    case .number: text.append(decimal: Int(number))
    case .attribute(.string, let column):
      row.withUTF8(at: column) { CSVValue.append(string: $0, spelling, to: &text) }
    case .attribute(let type, let column):
      guard let value = row.value(at: column)?.attributeValue else { return }
      CSVValue.append(value, type, spelling, to: &text)
    case .toOne(let column, _):
      guard let number = row.value(at: column)?.objectID.flatMap(store.number) else { return }
      text.append(decimal: Int(number))
    case .position(let column):
      guard let position = column.flatMap({ row.position(at: $0) }) else { return }
      text.append(decimal: position)
    case .toMany(let column, let isOrdered):
      var numbers = (row.value(at: column)?.objectIDs ?? []).compactMap(store.number)
      if !isOrdered { numbers.sort() }
      for (index, number) in numbers.enumerated() {
        if index > 0 { text.append(ascii: " ") }
        text.append(decimal: Int(number))
      }
    }
  }
}

@available(*, unavailable) extension CSVTableWriter: Sendable {}

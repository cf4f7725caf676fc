import DataFormats
import ManagedObjects
import SystemLibraries

/// A file of a CSV store, read: the rows of one entity, in the columns that it has.
struct CSVTable {
  let layout: CSVLayout
  let file: URL
  /// What stands in each of the file's columns.
  let columns: [CSVLayout.Column]
  private let cursor: CSVCursor

  /// A field that is not empty.
  struct Field {
    let bytes: ArraySlice<UInt8>
    /// Its column.
    let index: Int
    /// How many bytes come before it.
    let offset: Int
  }

  /// How the file is written, which is kept when it is written again.
  var spelling: CSVCursor.Spelling { cursor.spelling }

  /// Reads the names of the columns.
  ///
  /// - Throws: `PersistentStoreError.malformedDocument` with line and column.
  init(_ bytes: [UInt8], of layout: CSVLayout, at file: URL) throws {
    (self.layout, self.file) = (layout, file)
    var csv = CSVCursor(bytes)
    do throws(DataError) {
      columns = try Self.columns(&csv, of: layout)
    } catch {
      throw Self.error(error, at: file)
    }
    cursor = csv
  }

  private static func columns(
    _ csv: inout CSVCursor, of layout: CSVLayout
  ) throws(DataError) -> [CSVLayout.Column] {
    guard csv.nextRecord() else {
      throw csv.error("there is no line with the names of the columns", at: 0)
    }
    var columns: [CSVLayout.Column] = []
    var names: Set<String> = []
    while let field = try csv.nextField() {
      guard let name = String(validating: field, as: UTF8.self) else {
        throw csv.error("it is not UTF-8", at: csv.fieldOffset)
      }
      guard let column = layout.columns.first(where: { $0.name == name }) else {
        throw csv.error("\(layout.entity.name) has no column '\(name)'", at: csv.fieldOffset)
      }
      guard names.insert(name).inserted else {
        throw csv.error("the column '\(name)' is there twice", at: csv.fieldOffset)
      }
      columns.append(column)
    }
    guard names.contains(layout.entity.name) else {
      throw csv.error(
        "the column '\(layout.entity.name)' with the numbers is missing", at: 0)
    }
    return columns
  }

  // MARK: Rows

  /// Hands over the number of each row, and where it stands.
  func forEachNumber(_ body: (Int64, Field) throws -> Void) throws {
    try forEachRow { fields, start in
      guard let field = fields.first(where: { columns[$0.index].kind == .number }) else {
        throw error("the row has no number in the column '\(layout.entity.name)'", at: start)
      }
      guard let number = CSVValue.objectNumber(field.bytes) else {
        throw error("\(text(field)) is no number of an object", at: field)
      }
      try body(number, field)
    }
  }

  /// Hands over the fields of each row that are not empty, and where the row begins.
  ///
  /// Spreadsheets leave lines of nothing but separators, which are no rows.
  func forEachRow(_ body: ([Field], _ start: Int) throws -> Void) throws {
    var csv = cursor
    var fields: [Field] = []
    do {
      while csv.nextRecord() {
        fields.removeAll(keepingCapacity: true)
        var index = 0
        var start = 0
        while let bytes = try csv.nextField() {
          if index == 0 { start = csv.fieldOffset }
          guard index < columns.count || bytes.isEmpty else {
            throw csv.error("there are more fields than columns", at: csv.fieldOffset)
          }
          if !bytes.isEmpty {
            fields.append(Field(bytes: bytes, index: index, offset: csv.fieldOffset))
          }
          index += 1
        }
        if !fields.isEmpty { try body(fields, start) }
      }
    } catch let error as DataError {
      throw Self.error(error, at: file)
    }
  }

  // MARK: Errors

  /// What is wrong with a field.
  func error(_ reason: String, at field: Field) -> PersistentStoreError {
    error(reason, at: field.offset)
  }

  private func error(_ reason: String, at offset: Int) -> PersistentStoreError {
    Self.error(cursor.error(reason, at: offset), at: file)
  }

  private static func error(_ error: DataError, at file: URL) -> PersistentStoreError {
    .malformedDocument(file, line: error.line, column: error.column, error.reason)
  }

  /// A field in a sentence.
  func text(_ field: Field) -> String { Self.text(field.bytes) }

  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    "'\(String(decoding: bytes.prefix(60), as: UTF8.self))\(bytes.count > 60 ? "…" : "")'"
  }
}

import DataFormats
import DataModel
import ManagedObjects
import SystemLibraries

/// A parsed file of a CSV store: the rows of one entity, in the file's columns.
struct CSVTable {
  let layout: CSVLayout
  let file: URL
  /// The content of each of the file's columns.
  let columns: [CSVLayout.Column]
  private let cursor: CSVCursor

  /// The format of the file, which is kept when it is rewritten.
  var spelling: CSVCursor.Spelling { cursor.spelling }

  /// Parses the names of the columns.
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
      guard let name = String(validating: csv[field], as: UTF8.self) else {
        throw csv.error("it is not UTF-8", at: field.offset)
      }
      guard let column = layout.columns.first(where: { $0.name == name }) else {
        throw csv.error("\(layout.entity.name) has no column '\(name)'", at: field.offset)
      }
      guard names.insert(name).inserted else {
        throw csv.error("the column '\(name)' occurs twice", at: field.offset)
      }
      columns.append(column)
    }
    guard names.contains(layout.entity.name) else {
      throw csv.error(
        "the column '\(layout.entity.name)' with the objects' numbers is missing", at: 0)
    }
    return columns
  }

  // MARK: Rows

  /// Calls a body with the number of each row and its field.
  ///
  /// Spreadsheets leave lines that contain only separators; these are skipped.
  func forEachNumber(_ body: (Int64, CSVCursor.Field) throws -> Void) throws {
    let numberIndex = columns.firstIndex { $0.kind == .number }
    var csv = cursor
    do {
      while csv.nextRecord() {
        var first: Int?
        var index = 0
        var isEmpty = true
        var found: CSVCursor.Field?
        while found == nil, let field = try csv.nextField() {
          first = first ?? field.offset
          isEmpty = isEmpty && field.byteRange.isEmpty
          if index == numberIndex, !field.byteRange.isEmpty { found = field }
          index += 1
        }
        if let found {
          guard let number = CSVValue.objectNumber(csv[found].span) else {
            throw error("\(text(found)) is not the number of an object", at: found)
          }
          try csv.skipFields()
          try body(number, found)
        } else if !isEmpty {
          throw error(
            "the row has no number in the column '\(layout.entity.name)'", at: first ?? 0)
        }
      }
    } catch let error as DataError {
      throw Self.error(error, at: file)
    }
  }

  /// Calls a body with each field that is not empty, with its column and text, and a closure at the
  /// end of each row that has any.
  func forEachRow(
    _ body: (CSVCursor.Field, _ column: Int, _ text: Span<UInt8>) throws -> Void,
    end: () throws -> Void
  ) throws {
    var csv = cursor
    let bytes = cursor.bytes
    do {
      while csv.nextRecord() {
        var index = 0
        var isEmpty = true
        while let field = try csv.nextField() {
          if !field.byteRange.isEmpty {
            guard index < columns.count else {
              throw csv.error("there are more fields than columns", at: field.offset)
            }
            isEmpty = false
            if field.hasDoubledQuotes {
              try body(field, index, csv[field].span)
            } else {
              try body(field, index, bytes.span.extracting(field.byteRange))
            }
          }
          index += 1
        }
        if !isEmpty { try end() }
      }
    } catch let error as DataError {
      throw Self.error(error, at: file)
    }
  }

  /// The bytes of a field.
  func bytes(of field: CSVCursor.Field) -> ArraySlice<UInt8> { cursor[field] }

  // MARK: Errors

  /// The error about a field.
  func error(_ reason: String, at field: CSVCursor.Field) -> PersistentStoreError {
    error(reason, at: field.offset)
  }

  /// The error about a field that does not have its column's type.
  func mismatch(
    _ type: AttributeDescription.AttributeType, at field: CSVCursor.Field, _ column: Int
  ) -> PersistentStoreError {
    error("'\(columns[column].name)' is not \(type.example(quote: ""))", at: field)
  }

  private func error(_ reason: String, at offset: Int) -> PersistentStoreError {
    Self.error(cursor.error(reason, at: offset), at: file)
  }

  private static func error(_ error: DataError, at file: URL) -> PersistentStoreError {
    .malformedDocument(file, line: error.line, column: error.column, error.reason)
  }

  /// A field quoted for a message.
  func text(_ field: CSVCursor.Field) -> String { Self.text(bytes(of: field)) }

  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    "'\(String(decoding: bytes.prefix(60), as: UTF8.self))\(bytes.count > 60 ? "…" : "")'"
  }
}

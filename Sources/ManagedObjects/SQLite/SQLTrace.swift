import CSQLite
import SystemLibraries

/// Prints the statements that one connection runs, in Core Data's format.
///
/// All of it comes from SQLite's own trace, so that a connection without a trace has no overhead.
final class SQLTrace {
  let output: DebugOutput
  /// The running statements: when each started, and how many rows it has returned.
  private var running: [OpaquePointer: (since: Double, rows: Int)] = [:]
  /// The query plans of statements by their text; only if plans are printed.
  private var plans: [String: [String]] = [:]
  /// Whether the trace itself is asking for a plan, which is not printed.
  private var isPaused = false

  init(_ output: DebugOutput) { self.output = output }

  /// Called when a statement starts to run (`SQLITE_TRACE_STMT`).
  func begins(_ statement: OpaquePointer) {
    guard !isPaused, let text = sqlite3_sql(statement) else { return }
    let sql = String(cString: text)
    running[statement] = (monotonicSeconds(), 0)
    output.tell("sql: \(sql.inOneLine)")
    if output.level >= 2, sqlite3_bind_parameter_count(statement) > 0 {
      for (parameter, value) in Self.boundValues(of: statement, sql).sorted(by: { $0.key < $1.key })
      {
        output.tell(from: 2, "details: SQLite bind[\(parameter - 1)] = \(value)")
      }
    }
    guard let plan = plans[sql] else { return }
    output.tell(from: 4, "details: SQLite: EXPLAIN QUERY PLAN \(sql.inOneLine)")
    for step in plan { output.tell(from: 4, "details: SQLite:  \(step)") }
  }

  /// Called when a statement returns a row (`SQLITE_TRACE_ROW`).
  func reachesRow(_ statement: OpaquePointer) {
    guard let rows = running[statement]?.rows else { return }
    running[statement]?.rows = rows + 1
    guard output.level >= 3 else { return }
    let values = (0..<sqlite3_data_count(statement)).map { column in
      let name = sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
      return "\(name): \(Self.value(of: statement, column))"
    }
    output.tell(from: 3, "details: row[\(rows)] = (\(values.joined(separator: ", ")))")
  }

  /// Called when a statement has finished or was reset (`SQLITE_TRACE_PROFILE`).
  ///
  /// Measures the time itself: SQLite's own figure has a resolution of milliseconds.
  func ends(_ statement: OpaquePointer) {
    guard let run = running.removeValue(forKey: statement) else { return }
    let time = (monotonicSeconds() - run.since).inSeconds
    guard sqlite3_column_count(statement) > 0, sqlite3_stmt_readonly(statement) != 0 else {
      return output.tell("annotation: sql execution time: \(time)")
    }
    output.tell("annotation: sql connection fetch time: \(time)")
    output.tell("annotation: total fetch execution time: \(time) for \(run.rows) rows.")
  }

  /// Records the query plan of a statement that was just prepared, if plans are printed.
  func notePlan(of sql: String, on connection: OpaquePointer) {
    guard output.level >= 4, Self.verbs.contains(where: { sql.hasPrefix($0) }) else { return }
    isPaused = true
    defer { isPaused = false }
    var statement: OpaquePointer?
    guard
      sqlite3_prepare_v2(connection, "EXPLAIN QUERY PLAN " + sql, -1, &statement, nil) == SQLITE_OK
    else { return }
    defer { sqlite3_finalize(statement) }
    var steps: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      let detail = sqlite3_column_text(statement, 3).map { String(cString: $0) } ?? ""
      steps.append(
        "\(sqlite3_column_int(statement, 0)) \(sqlite3_column_int(statement, 1)) 0 \(detail)")
    }
    // Bounded, for programs that keep making new statements.
    if plans.count > 1_000 { plans.removeAll() }
    plans[sql] = steps
  }

  private static let verbs = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"]

  // MARK: Values

  /// The values bound to a statement, by parameter number.
  ///
  /// SQLite cannot return a single one, but expands the statement with all of them
  /// (`sqlite3_expanded_sql`): each parameter in the text corresponds to a literal there.
  private static func boundValues(of statement: OpaquePointer, _ sql: String) -> [Int: String] {
    guard let expanded = sqlite3_expanded_sql(statement) else { return [:] }
    defer { sqlite3_free(expanded) }
    var values: [Int: String] = [:]
    var text = Array(sql.utf8)[...]
    var literals = Array(UnsafeBufferPointer(start: expanded, count: strlen(expanded)))
      .map { UInt8(bitPattern: $0) }[...]
    var quote: UInt8?
    while let byte = text.popFirst() {
      if quote == nil, byte == UInt8(ascii: "?") {
        var digits = ""
        while let digit = text.first, (0x30...0x39).contains(digit) {
          digits.unicodeScalars.append(Unicode.Scalar(digit))
          text.removeFirst()
        }
        let number = Int(digits) ?? (values.keys.max() ?? 0) + 1
        values[number] = literal(&literals)
        continue
      }
      if let open = quote {
        if byte == open { quote = nil }
      } else if [UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`")].contains(byte) {
        quote = byte
      }
      guard literals.popFirst() == byte else { return values }
    }
    return values
  }

  /// Reads a literal: a number, NULL, a quoted text, or bytes as x'…'.
  private static func literal(_ rest: inout ArraySlice<UInt8>) -> String {
    let isBytes = rest.first == UInt8(ascii: "x")
    if isBytes { rest.removeFirst() }
    guard rest.first == UInt8(ascii: "'") else {
      let end = rest.firstIndex { !isOfNumber($0) } ?? rest.endIndex
      defer { rest = rest[end...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    rest.removeFirst()
    var content: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "'") {
        guard rest.first == byte else { break }
        rest.removeFirst()
      }
      content.append(byte)
    }
    let text = String(decoding: content, as: UTF8.self)
    return isBytes
      ? shown(bytes: text.prefix(2 * mostBytes), count: content.count / 2) : shown(text)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."): true
    default: false
    }
  }

  /// The value of a row's column, read by its storage class: any other accessor would convert it.
  private static func value(of statement: OpaquePointer, _ column: Int32) -> String {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return String(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return String(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(statement, column) else { return shown("") }
      let count = Int(sqlite3_column_bytes(statement, column))
      return shown(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let count = Int(sqlite3_column_bytes(statement, column))
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(statement, column), count: min(count, mostBytes))
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return shown(bytes: digits[...], count: count)
    default: return "NULL"
    }
  }

  /// How many bytes and how many characters of a value are printed at most.
  private static let mostBytes = 24
  private static let mostCharacters = 500

  private static func shown(_ text: String) -> String {
    text.count <= mostCharacters ? "\"\(text)\"" : "\"\(text.prefix(mostCharacters))…\""
  }

  private static func shown(bytes digits: Substring, count: Int) -> String {
    "<\(digits)\(count > mostBytes ? "…" : "")> (\(count) bytes)"
  }
}

@available(*, unavailable) extension SQLTrace: Sendable {}

extension String {
  /// The text of a statement that spans several lines, on one line.
  fileprivate var inOneLine: String {
    guard utf8.contains(UInt8(ascii: "\n")) else { return self }
    return split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
  }
}

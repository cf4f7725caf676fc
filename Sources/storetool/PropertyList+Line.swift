import DataFormats
import SystemLibraries

extension PropertyList {
  /// A metadata value on one line: the keys of a dictionary, the number of bytes of data.
  var line: String {
    switch self {
    case .dictionary(let entries): entries.keys.sorted().joined(separator: ", ")
    case .array(let items): items.map(\.line).joined(separator: ", ")
    case .string(let text): text
    case .data(let bytes): bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
    case .date(let date):
      InstantText.text(of: date.timeIntervalSinceReferenceDate)
        ?? String(date.timeIntervalSinceReferenceDate)
    case .integer(let number): String(number)
    case .unsignedInteger(let number), .uid(let number): String(number)
    case .real(let number): String(number)
    case .boolean(let isTrue): isTrue ? "true" : "false"
    }
  }
}

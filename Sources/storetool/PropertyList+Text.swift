import DataFormats
import SystemLibraries

extension PropertyList {
  /// A value of a store's metadata in a line: of a dictionary its keys, of bytes how many.
  var line: String {
    switch self {
    case .dictionary(let entries): entries.keys.sorted().joined(separator: ", ")
    case .array(let items): items.map(\.line).joined(separator: ", ")
    case .string(let text): text
    case .data(let bytes): bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
    case .date(let date): date.ISO8601Format()
    case .integer(let number): String(number)
    case .unsignedInteger(let number), .uid(let number): String(number)
    case .real(let number): String(number)
    case .boolean(let isTrue): isTrue ? "true" : "false"
    }
  }
}

extension JSONWriter {
  /// Writes a property list: bytes in base64, an instant as text.
  mutating func value(_ list: PropertyList) {
    switch list {
    case .dictionary(let entries):
      object { json in
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
          json.key(key)
          json.value(entry)
        }
      }
    case .array(let items): array { json in for item in items { json.value(item) } }
    case .data(let bytes): value(base64: Array(bytes))
    case .integer(let number): value(Int(number))
    case .real(let number): value(unbounded: number)
    case .boolean(let isTrue): value(isTrue)
    case .string, .date, .unsignedInteger, .uid: value(list.line)
    }
  }
}

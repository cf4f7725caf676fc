import DataFormats
import ManagedObjects
import SystemLibraries

/// The contents of a CSV store's `manifest.json`: the store's identity and the files that belong to
/// it.
///
/// ```text
/// {
///   "csvStore": 1,
///   "uuid": "6AF1F9F4-4D16-4C6E-8A95-AE49D8E0C3B5",
///   "files": [
///     "Dog.csv"
///   ],
///   "metadata": {}
/// }
/// ```
struct CSVManifest {
  var identifier = ""
  var metadata: [String: PropertyList] = [:]
  /// The names of the entities' files.
  var files: [String] = []
  /// The highest number ever used in a root entity, if no object has it any more.
  var highest: [String: Int64] = [:]
  /// The files whose new version is next to them, as `.Dog.csv.new`.
  var pending: [String] = []
  /// The names of files that no longer belong to the store and must be removed.
  var removed: [String] = []

  /// Whether a committed save must still be completed.
  var isIncomplete: Bool { !pending.isEmpty || !removed.isEmpty }

  /// The version of the manifest's format.
  private static let form = 1

  init() {}

  /// Parses a manifest.
  ///
  /// - Throws: `DataError` with the position and the reason.
  init(_ bytes: [UInt8]) throws(DataError) {
    var json = JSONReader(bytes, longestText: bytes.count)
    let start = json.position
    try json.beginObject()
    guard try json.nextName() == "csvStore", try json.next() == .number else {
      throw json.error("a manifest begins with { \"csvStore\": \(Self.form)", at: start)
    }
    let position = json.position
    guard try json.numberText() == "\(Self.form)" else {
      throw json.error("the store has a newer format version than \(Self.form)", at: position)
    }
    while let name = try json.nextName() {
      switch name {
      case "uuid": identifier = try json.string()
      case "metadata":
        guard case .dictionary(let found) = try PropertyList(&json) else {
          throw json.error("the metadata is not a JSON object")
        }
        metadata = found
      case "files": files = try Self.names(&json)
      case "pending": pending = try Self.names(&json)
      case "removed": removed = try Self.names(&json)
      case "highest":
        try json.beginObject()
        while let name = try json.nextName() {
          guard let number = Int64(try json.numberText()), number >= 0, number < Int64.max / 2
          else {
            throw json.error("this is not the number of an object")
          }
          highest[name] = number
        }
      default: throw json.error("a manifest has no \"\(name)\"", at: json.namePosition)
      }
    }
    try json.end()
    guard !identifier.isEmpty else { throw json.error("the manifest has no \"uuid\"") }
  }

  private static func names(_ json: inout JSONReader) throws(DataError) -> [String] {
    var names: [String] = []
    try json.beginArray()
    while try json.nextElement() {
      _ = try json.next()
      let position = json.position
      let name = try json.string()
      // A manifest may name only files in its own folder.
      guard name.hasSuffix(".csv"), !name.utf8.contains(UInt8(ascii: "/")), !name.hasPrefix(".")
      else { throw json.error("\"\(name)\" is not the name of a CSV file", at: position) }
      names.append(name)
    }
    return names
  }

  var bytes: [UInt8] {
    var text: [UInt8] = []
    text.append("{\n  \"csvStore\": \(Self.form),\n  \"uuid\": ")
    text.append(json: identifier)
    for (key, names) in [("files", files), ("pending", pending), ("removed", removed)]
    where !names.isEmpty {
      text.append(",\n  \"\(key)\": ")
      PropertyList.array(names.map { .string($0) }).appendJSON(to: &text, indentation: 2)
    }
    if !highest.isEmpty {
      text.append(",\n  \"highest\": ")
      PropertyList.dictionary(highest.mapValues { .integer($0) })
        .appendJSON(to: &text, indentation: 2)
    }
    text.append(",\n  \"metadata\": ")
    PropertyList.dictionary(metadata).appendJSON(to: &text, indentation: 2)
    text.append("\n}\n")
    return text
  }
}

import DataFormats
import DataModel

/// Writing a JSON store.
extension JSONStoreDocument {
  func bytes(of contents: InMemoryStore.Contents, in store: InMemoryStore) -> [UInt8] {
    var groups: [Int: [(key: Int64, stored: InMemoryStore.StoredRow)]] = [:]
    var (count, highest): (Int, Int64) = (unknownObjects.count, 0)
    for rows in contents.rows.values {
      count += rows.count
      for (key, stored) in rows {
        groups[stored.entity.index, default: []].append((key, stored))
        highest = max(highest, key)
      }
    }
    for object in unknownObjects { highest = max(highest, object.id) }
    var text: [UInt8] = []
    text.reserveCapacity(count * 256 + 4096)
    let highestID = max(highestID, contents.highestKey(of: 0))
    writeHead(highestID: highestID > highest ? highestID : nil, to: &text)
    var writing = Writing(
      contents: contents, store: store,
      entities: store.bindings.map { JSONEntity($0) { store.binding(at: $0) } },
      members: InMemoryMembers(contents, store: store))
    let unknown = Dictionary(grouping: unknownObjects, by: \.entityName)
    let keys = keysLeft(groups, store)
    let known = groups.keys.map { (store.binding(at: $0).name, $0) }
    let names = known.map(\.0) + unknown.keys
    let indices = Dictionary(known) { one, _ in one }
    text.append("{")
    for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      for object in (unknown[name] ?? []).sorted(by: { $0.id < $1.id }) {
        writing.begin("\(name) \(object.id)", &text)
        writing.write(object.parts.compactMap { $0.without(keysAtReading, but: keys) }, &text)
        writing.end(&text)
      }
      guard let index = indices[name] else { continue }
      for (key, stored) in (groups[index] ?? []).sorted(by: { $0.key < $1.key }) {
        writing.write(key, stored, &text)
        if let parts = unknownParts[key] {
          writing.write(parts.compactMap { $0.without(keysAtReading, but: keys) }, &text)
        }
        writing.end(&text)
      }
    }
    text.append(count == 0 ? "}\n}\n" : "\n  }\n}\n")
    return text
  }

  /// The keys of all remaining objects; empty if they are not needed.
  private func keysLeft(
    _ groups: [Int: [(key: Int64, stored: InMemoryStore.StoredRow)]], _ store: InMemoryStore
  ) -> Set<String> {
    guard !unknownParts.isEmpty || !unknownObjects.isEmpty else { return [] }
    var keys = Set(unknownObjects.map { "\($0.entityName) \($0.id)" })
    for (index, objects) in groups {
      for (key, _) in objects { keys.insert("\(store.binding(at: index).name) \(key)") }
    }
    return keys
  }

  func bytes(withObjectsOf bytes: [UInt8]) throws(DataError) -> [UInt8] {
    var reader = JSONStoreReader(bytes)
    var (objects, highest): ([UInt8], Int64) = (Array("{}".utf8), 0)
    if let found = try reader.objects() { (objects, highest) = found }
    var text: [UInt8] = []
    writeHead(highestID: highestID > highest ? highestID : nil, to: &text)
    return text + objects + "\n}\n".utf8
  }

  private func writeHead(highestID: Int64?, to text: inout [UInt8]) {
    text.append("{\n  \"managedObjects\": \(JSONStoreReader.form),\n  \"uuid\": ")
    text.append(json: identifier)
    if let highestID { text.append(",\n  \"highestID\": \(highestID)") }
    text.append(",\n  \"metadata\": ")
    PropertyList.dictionary(metadata).appendJSON(to: &text, indentation: 2)
    text.append(",\n  \"objects\": ")
  }
}

/// Writes the objects.
private struct Writing {
  let contents: InMemoryStore.Contents
  let store: InMemoryStore
  let entities: [JSONEntity]
  let members: InMemoryMembers
  private var isFirst = true
  private var isEmpty = true

  init(
    contents: InMemoryStore.Contents, store: InMemoryStore, entities: [JSONEntity],
    members: InMemoryMembers
  ) {
    self.contents = contents
    self.store = store
    self.entities = entities
    self.members = members
  }

  mutating func begin(_ key: String, _ text: inout [UInt8]) {
    text.append(isFirst ? "\n    " : ",\n    ")
    text.append(json: key)
    text.append(": {")
    (isFirst, isEmpty) = (false, true)
  }

  mutating func end(_ text: inout [UInt8]) { text.append(isEmpty ? "}" : "\n    }") }

  mutating func write(
    _ key: Int64, _ stored: InMemoryStore.StoredRow, _ text: inout [UInt8]
  ) {
    let entity = entities[stored.entity.index - store.offset]
    if !isFirst { text.append(ascii: ",") }
    text.append(contentsOf: entity.start)
    text.append(decimal: Int(key))
    text.append("\": {")
    (isFirst, isEmpty) = (false, true)
    for written in entity.written {
      switch written.property {
      case .attribute(let attribute, let slot):
        guard stored.row.hasValue(slot) else { continue }
        begin(written.start, &text)
        JSONValue.append(stored.row, slot, attribute.type, to: &text)
      case .toOne(let toOne):
        guard stored.row.hasValue(toOne.slot),
          let prefix = prefix(of: stored.row.integer(toOne.slot), toOne.destination)
        else { continue }
        begin(written.start, &text)
        append(prefix, stored.row.integer(toOne.slot), &text)
      case .toMany(let toMany):
        write(members.of(toMany, owner: key).map(\.key), toMany, written.start, &text)
      }
    }
  }

  private mutating func write(
    _ list: [Int64], _ toMany: EntityBinding.ToMany, _ start: [UInt8], _ text: inout [UInt8]
  ) {
    guard !list.isEmpty else { return }
    begin(start, &text)
    var separator = "[\n        "
    // Members of an unordered relationship are sorted, so that adding one changes no other line.
    for key in toMany.description.isOrdered ? list : list.sorted() {
      guard let prefix = prefix(of: key, toMany.destination) else { continue }
      text.append(separator)
      append(prefix, key, &text)
      separator = ",\n        "
    }
    text.append("\n      ]")
  }

  mutating func write(_ parts: [JSONStoreDocument.Unknown], _ text: inout [UInt8]) {
    for part in parts {
      begin(Array("\n      ".utf8), &text)
      text.append(json: part.name)
      text.append(": ")
      text.append(contentsOf: part.value)
    }
  }

  private mutating func begin(_ start: [UInt8], _ text: inout [UInt8]) {
    if !isEmpty { text.append(ascii: ",") }
    isEmpty = false
    text.append(contentsOf: start)
  }

  /// The beginning of a reference to an object; nil if it does not exist, as the rule No Action
  /// allows.
  private func prefix(of key: Int64, _ destination: Int) -> [UInt8]? {
    let destination = store.binding(at: destination)
    guard let stored = contents.rows[destination.root]?[key] else { return nil }
    return entities[stored.entity.index - store.offset].prefix
  }

  private func append(_ prefix: [UInt8], _ key: Int64, _ text: inout [UInt8]) {
    text.append(ascii: "\"")
    text.append(contentsOf: prefix)
    text.append(decimal: Int(key))
    text.append(ascii: "\"")
  }
}

extension JSONStoreDocument.Unknown {
  /// The value without references to objects deleted since reading; nil if nothing remains.
  fileprivate func without(_ before: Set<String>, but keys: Set<String>) -> Self? {
    func isGone(_ text: String) -> Bool { before.contains(text) && !keys.contains(text) }
    var json = JSONReader(value)
    switch try? json.next() {
    case .string: return (try? json.string()).map(isGone) == true ? nil : self
    case .array:
      var (left, isChanged): ([String], Bool) = ([], false)
      do {
        try json.beginArray()
        while try json.nextElement() {
          // An array with anything else in it does not hold references.
          guard try json.next() == .string else { return self }
          let text = try json.string()
          if isGone(text) { isChanged = true } else { left.append(text) }
        }
      } catch { return self }
      guard isChanged else { return self }
      var text: [UInt8] = []
      text.append("[")
      for (index, key) in left.enumerated() {
        text.append(index == 0 ? "\n        " : ",\n        ")
        text.append(json: key)
      }
      text.append(left.isEmpty ? "]" : "\n      ]")
      return left.isEmpty ? nil : Self(name: name, value: text)
    default: return self
    }
  }
}

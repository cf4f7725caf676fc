import DataFormats
import DataModel

/// Reading the objects of a JSON store.
extension JSONStoreDocument {
  mutating func read(_ bytes: [UInt8], into rows: inout DocumentRows) throws(DataError) {
    let (bindings, offset) = (rows.bindings, rows.offset)
    let entities = bindings.map { JSONEntity($0) { bindings[$0 - offset] } }
    var reading = Reading(
      entities: Dictionary(entities.map { ($0.entity.name, $0) }) { one, _ in one },
      bindings: bindings, offset: offset)
    rows.highestKey = highestID
    rows.locate = { JSONStoreReader.position(of: $1, of: $0, in: bytes)?.lineAndColumn(in: bytes) }
    var reader = JSONStoreReader(bytes)
    guard try reader.beginObjects() else { return }
    while let object = try reader.nextObject() {
      if rows.keepsUnknown { keysAtReading.insert(object.name) }
      try read(object, &reader, &reading, into: &rows)
    }
    highestID = rows.highestKey
  }

  /// The state needed while objects are read.
  private struct Reading {
    let entities: [String: JSONEntity]
    let bindings: [EntityBinding]
    let offset: Int
    var last: JSONEntity?
    var draft = RowDraft()
    /// Which properties of the current object have been read, by index.
    var seen: [Bool] = []
    var lists: [(EntityBinding.ToMany, [Int64])] = []

    mutating func entity(named name: Substring) -> JSONEntity? {
      if let last, last.entity.name == name { return last }
      last = entities[String(name)]
      return last
    }
  }

  private mutating func read(
    _ object: JSONStoreReader.Object, _ reader: inout JSONStoreReader, _ reading: inout Reading,
    into rows: inout DocumentRows
  ) throws(DataError) {
    let key = object.key.id
    if let other = rows.name(of: key) {
      throw reader.json.error(
        other == object.name
          ? "\(other) occurs twice"
          : "\(object.name) has the number of \(other); all entities share their numbers",
        at: object.position)
    }
    guard let entity = reading.entity(named: object.key.entityName) else {
      guard rows.keepsUnknown else {
        throw reader.json.error(
          "the model has no entity \(object.key.entityName)", at: object.position)
      }
      unknownObjects.append(try unknownObject(object, &reader))
      rows.highestKey = max(rows.highestKey, key)
      return
    }
    guard !entity.entity.isAbstract else {
      throw reader.json.error(
        "the entity \(entity.entity.name) is abstract", at: object.position)
    }
    reading.draft.begin(slotCount: entity.entity.slotCount)
    reading.seen.removeAll(keepingCapacity: true)
    reading.seen.append(contentsOf: repeatElement(false, count: entity.properties.count))
    reading.lists.removeAll(keepingCapacity: true)
    try reader.json.beginObject()
    var next = 0
    while let name = try reader.json.nextName() {
      let position = reader.json.namePosition
      guard let index = entity.index(of: name, near: next) else {
        guard rows.keepsUnknown else {
          throw reader.json.error(
            "the entity \(entity.entity.name) has no property \"\(name)\"", at: position)
        }
        unknownParts[key, default: []].append(Unknown(name: name, value: try reader.value()))
        continue
      }
      next = index + 1
      guard !reading.seen[index] else {
        throw reader.json.error("\(object.name) has \"\(name)\" twice", at: position)
      }
      reading.seen[index] = true
      try read(entity.properties[index], of: object, &reader, &reading, &rows)
    }
    try rows.add(key, entity.entity, reading.draft.makeRow(), line: object.position.line)
    for (toMany, members) in reading.lists { rows.add(members[...], of: toMany) }
  }

  private func read(
    _ property: DocumentProperty, of object: JSONStoreReader.Object,
    _ reader: inout JSONStoreReader, _ reading: inout Reading, _ rows: inout DocumentRows
  ) throws(DataError) {
    switch property {
    case .attribute(let attribute, let slot):
      let kind = try reader.json.next()
      let position = reader.json.position
      guard
        try JSONValue.read(&reader.json, kind, attribute.type, into: &reading.draft, at: slot)
      else {
        throw reader.json.error(
          "\"\(attribute.name)\" of \(object.name) is not "
            + attribute.type.example(quote: "\""), at: position)
      }
    case .toOne(let toOne):
      if try reader.json.null() { return }
      let id = try reference(
        toOne.description, toOne.destination, of: object, &reader, reading, &rows)
      reading.draft.set(UInt64(bitPattern: id), at: toOne.slot)
    case .toMany(let toMany):
      guard try reader.json.next() == .array else {
        throw reader.json.error(
          "\"\(toMany.description.name)\" of \(object.name) is not a JSON array")
      }
      var members: [Int64] = []
      try reader.json.beginArray()
      while try reader.json.nextElement() {
        members.append(
          try reference(
            toMany.description, toMany.destination, of: object, &reader, reading, &rows))
      }
      if !members.isEmpty { reading.lists.append((toMany, members)) }
    }
  }

  /// Reads the key of a relationship's destination; returns its number.
  private func reference(
    _ relationship: RelationshipDescription, _ destination: Int,
    of object: JSONStoreReader.Object, _ reader: inout JSONStoreReader, _ reading: Reading,
    _ rows: inout DocumentRows
  ) throws(DataError) -> Int64 {
    let entity = reading.bindings[destination - reading.offset]
    let kind = try reader.json.next()
    let position = reader.json.position
    guard kind == .string, case let text = try reader.json.string(), let key = JSONKey(text) else {
      throw reader.json.error(
        "\"\(relationship.name)\" of \(object.name) is not the key of an object, such as "
          + "\"\(entity.name) 7\"", at: position)
    }
    if key.entityName == entity.name, entity.family.count == 1 { return key.id }
    guard let found = reading.entities[String(key.entityName)]?.entity,
      entity.family.contains(found.index)
    else {
      throw reader.json.error(
        "\"\(relationship.name)\" of \(object.name) refers to \(text), which is not of the entity \(entity.name)",
        at: position)
    }
    // Whether the object has that entity is checked once all objects are read.
    rows.claim(key.id, is: found, by: relationship.name)
    return key.id
  }

  private func unknownObject(
    _ object: JSONStoreReader.Object, _ reader: inout JSONStoreReader
  ) throws(DataError) -> UnknownObject {
    var unknown = UnknownObject(
      entityName: String(object.key.entityName), id: object.key.id, parts: [])
    try reader.json.beginObject()
    while let name = try reader.json.nextName() {
      unknown.parts.append(Unknown(name: name, value: try reader.value()))
    }
    return unknown
  }
}

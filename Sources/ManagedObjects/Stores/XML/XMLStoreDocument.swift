import DataFormats
import DataModel
import SystemLibraries

/// A document in the format of Core Data's XML stores.
///
/// The format was derived from files that Apple's framework wrote. An unchanged document is written
/// back byte for byte as it was read, including its declaration, the order of each entity's
/// properties, and the members of unordered to-many relationships. Comments are dropped.
struct XMLStoreDocument: DocumentFormat {
  static let type = PersistentStore.StoreType.xml
  static let keyBeforeFirst: Int64 = 101

  let identifier: String
  var metadata: [String: PropertyList] = [:]
  /// The value of `standalone` in the XML declaration; nil if it is absent.
  private var standalone: String? = "yes"
  private var version = "134481920"
  /// The highest id number ever assigned.
  private var highestID = Self.keyBeforeFirst
  private var names: [XMLEntityNames] = []
  /// The members of unordered to-many relationships whose ids were not in ascending order.
  private var unsorted: [ListPlace: [Int64]] = [:]
  /// Properties that the model does not know, and objects of unknown entities, by object id.
  private var unknownParts: [Int64: [Element]] = [:]
  private var unknownObjects: [Int64: Element] = [:]

  /// A to-many relationship of one object.
  private struct ListPlace: Hashable {
    let owner: Int64
    let name: String
  }

  /// An unknown element with its contents.
  struct Element {
    let name: String
    var attributes: [XMLScanner.Attribute]
    var text = ""
    var children: [Element] = []
  }

  init(identifier: String) { self.identifier = identifier }

  init(headOf bytes: [UInt8]) throws(DataError) {
    var reader = XMLStoreReader(bytes)
    let head = try reader.readHead()
    identifier = head.identifier
    metadata = head.metadata
    version = head.version ?? version
    highestID = max(head.highestID, highestID)
    standalone = Self.standalone(of: bytes)
  }

  private static func standalone(of bytes: [UInt8]) -> String? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = String(decoding: bytes[..<end], as: UTF8.self)
    return ["yes", "no"].first { line.contains("standalone=\"\($0)\"") }
  }

  static func problem(with bindings: [EntityBinding]) -> String? {
    XMLEntityNames.problem(with: bindings)
  }

  static func name(of key: Int64, _ entity: EntityBinding) -> String { "z\(key)" }

  static func problem(with metadata: [String: PropertyList]) -> String? {
    PropertyList.dictionary(metadata).firstCharacterNotInXML.map {
      "the metadata contains the character U+\(String($0.value, radix: 16)), which XML does not allow"
    }
  }

  // MARK: Reading

  mutating func read(_ bytes: [UInt8], into rows: inout DocumentRows) throws(DataError) {
    names = rows.bindings.map { XMLEntityNames($0) }
    let entities = Dictionary(names.map { ($0.name, $0) }) { one, _ in one }
    var reader = XMLStoreReader(bytes)
    _ = try reader.readHead()
    rows.highestKey = highestID
    var draft = RowDraft()
    while let object = try reader.nextObject() {
      guard let entity = entities[object.type] else {
        guard rows.keepsUnknown else {
          throw DataError(line: object.line, "the model has no entity \(object.type)")
        }
        unknownObjects[object.id] = try reader.element(object)
        rows.highestKey = max(rows.highestKey, object.id)
        continue
      }
      guard !entity.entity.isAbstract else {
        throw DataError(
          line: object.line, "the entity \(object.type) of z\(object.id) is abstract")
      }
      try read(object, of: entity, &reader, &draft, into: &rows)
    }
    highestID = rows.highestKey
  }

  private mutating func read(
    _ object: XMLStoreReader.Object, of entity: XMLEntityNames, _ reader: inout XMLStoreReader,
    _ draft: inout RowDraft, into rows: inout DocumentRows
  ) throws(DataError) {
    draft.begin(slotCount: entity.entity.slotCount)
    var order: [String] = []
    var lists: [(EntityBinding.ToMany, [Int64])] = []
    while let part = try reader.nextPart() {
      guard let property = entity.properties[part.name],
        part.isRelationship == (property.relationship != nil)
      else {
        guard rows.keepsUnknown else {
          let kind = part.isRelationship ? "relationship" : "attribute"
          throw DataError(
            line: part.line,
            "the entity \(entity.name) of z\(object.id) has no \(kind) '\(part.name)'")
        }
        unknownParts[object.id, default: []].append(part.element)
        continue
      }
      guard !order.contains(part.name) else {
        throw DataError(line: part.line, "z\(object.id) has '\(part.name)' twice")
      }
      order.append(part.name)
      switch property {
      case .attribute(let attribute, let slot):
        guard let value = XMLValue.value(part.text, attribute.type) else {
          throw DataError(
            line: part.line,
            "the attribute '\(part.name)' of z\(object.id) is not of the type \(XMLValue.name(of: attribute.type))"
          )
        }
        switch value {
        case .bits(let bits): draft.set(bits, at: slot)
        case .bytes(let bytes): draft.set(bytes, at: slot)
        }
      case .toOne(let toOne):
        let ids = try part.ids()
        guard ids.count <= 1 else {
          throw DataError(
            line: part.line,
            "the relationship '\(part.name)' of z\(object.id) refers to several objects")
        }
        if let id = ids.first { draft.set(UInt64(bitPattern: id), at: toOne.slot) }
      case .toMany(let toMany):
        let ids = try part.ids()
        if !toMany.description.isOrdered, zip(ids, ids.dropFirst()).contains(where: >) {
          unsorted[ListPlace(owner: object.id, name: part.name)] = ids
        }
        lists.append((toMany, ids))
      }
    }
    entity.learn(order)
    try rows.add(object.id, entity.entity, draft.makeRow(), line: object.line)
    for (toMany, ids) in lists where !ids.isEmpty { rows.add(ids[...], of: toMany) }
  }

  // MARK: Writing

  func bytes(of contents: InMemoryStore.Contents, in store: InMemoryStore) -> [UInt8] {
    let names = names.isEmpty ? store.bindings.map { XMLEntityNames($0) } : names
    var objects: [(key: Int64, stored: InMemoryStore.StoredRow?)] = []
    for rows in contents.rows.values {
      for (key, stored) in rows { objects.append((key, stored)) }
    }
    for key in unknownObjects.keys { objects.append((key, nil)) }
    objects.sort { $0.key < $1.key }
    let exists = { (id: Int64) -> Bool in
      unknownObjects[id] != nil || contents.rows.values.contains { $0[id] != nil }
    }
    var text: [UInt8] = []
    text.reserveCapacity(objects.count * 320 + 4096)
    writeHead(highestID: max(highestID, contents.highestKey(of: 0)), to: &text)
    let members = InMemoryMembers(contents, store: store)
    for (key, stored) in objects {
      guard let stored else {
        if let element = unknownObjects[key] { write(element, level: 1, exists, to: &text) }
        continue
      }
      let entity = names[stored.entity.index - store.offset]
      text.append("    <object type=\"")
      text.append(xmlText: entity.name)
      text.append("\" id=\"z\(key)\">\n")
      for name in entity.order {
        // Each name in the order belongs to a property.
        write(name, entity.properties[name]!, of: key, stored, members, exists, to: &text)
      }
      for part in unknownParts[key] ?? [] { write(part, level: 2, exists, to: &text) }
      text.append("    </object>\n")
    }
    text.append("</database>")
    return text
  }

  func bytes(withObjectsOf bytes: [UInt8]) throws(DataError) -> [UInt8] {
    var reader = XMLStoreReader(bytes)
    let head = try reader.readHead()
    var text: [UInt8] = []
    writeHead(highestID: head.highestID, to: &text)
    while let object = try reader.nextObject() {
      write(try reader.element(object), level: 1, { _ in true }, to: &text)
    }
    text.append("</database>")
    return text
  }

  private func writeHead(highestID: Int64, to text: inout [UInt8]) {
    text.append("<?xml version=\"1.0\"")
    if let standalone { text.append(" standalone=\"\(standalone)\"") }
    text.append(
      """
      ?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>
      """)
    text.append(xmlText: version)
    text.append("</version>\n        <UUID>")
    text.append(xmlText: identifier)
    text.append("</UUID>\n        <nextObjectID>\(highestID)</nextObjectID>\n        <metadata>\n")
    PropertyList.dictionary(metadata).appendXML(to: &text, indentation: 3)
    text.append("        </metadata>\n    </databaseInfo>\n")
  }

  private func write(
    _ name: String, _ property: DocumentProperty, of key: Int64,
    _ stored: InMemoryStore.StoredRow, _ members: InMemoryMembers, _ exists: (Int64) -> Bool,
    to text: inout [UInt8]
  ) {
    func ids(_ ids: some Sequence<Int64>) {
      var separator = " idrefs=\"z"
      for id in ids {
        text.append(separator)
        text.append(decimal: Int(id))
        separator = " z"
      }
      if separator == " z" { text.append("\"") }
    }
    if case .attribute(let attribute, let slot) = property {
      guard stored.row.hasValue(slot) else { return }
      text.append("        <attribute name=\"")
      text.append(xmlText: name)
      text.append("\" type=\"\(XMLValue.name(of: attribute.type))\">")
      XMLValue.append(stored.row, slot, attribute.type, to: &text)
      text.append("</attribute>\n")
      return
    }
    guard let relationship = property.relationship else { return }
    text.append("        <relationship name=\"")
    text.append(xmlText: name)
    text.append("\" type=\"\(relationship.xmlBounds)\" destination=\"")
    text.append(xmlText: relationship.destinationEntityName.uppercased())
    text.append("\"")
    switch property {
    case .attribute: break
    case .toOne(let toOne):
      // The delete rule No Action may leave dangling references, which readers would refuse.
      if stored.row.hasValue(toOne.slot), exists(stored.row.integer(toOne.slot)) {
        ids(CollectionOfOne(stored.row.integer(toOne.slot)))
      }
    case .toMany(let toMany):
      let found = members.of(toMany, owner: key).map(\.key)
      if relationship.isOrdered {
        ids(found)
      } else if let old = unsorted[ListPlace(owner: key, name: name)] {
        // In their previous order, followed by new members.
        let (there, before) = (Set(found), Set(old))
        ids(old.filter(there.contains) + found.sorted().filter { !before.contains($0) })
      } else {
        ids(found.sorted())
      }
    }
    text.append("></relationship>\n")
  }

  /// Writes an unknown element without references to deleted objects.
  private func write(
    _ element: Element, level: Int, _ exists: (Int64) -> Bool, to text: inout [UInt8]
  ) {
    text.append(contentsOf: repeatElement(0x20, count: level * 4))
    text.append("<\(element.name)")
    for attribute in element.attributes {
      var value = attribute.value
      if element.name == "relationship", attribute.name == "idrefs" {
        value = value.split(separator: " ")
          .filter { Int64($0.dropFirst()).map(exists) ?? true }.map(String.init)
          .joined(separator: " ")
      }
      text.append(" \(attribute.name)=\"")
      for (index, part) in value.split(separator: "\"", omittingEmptySubsequences: false)
        .enumerated()
      {
        if index > 0 { text.append("&quot;") }
        text.append(xmlText: String(part))
      }
      text.append("\"")
    }
    text.append(">")
    if element.name == "object" {
      text.append("\n")
      for child in element.children { write(child, level: level + 1, exists, to: &text) }
      text.append(contentsOf: repeatElement(0x20, count: level * 4))
    } else {
      text.append(xmlText: element.text)
    }
    text.append("</\(element.name)>\n")
  }
}

extension RelationshipDescription {
  /// The minimum and maximum number of members in XML stores' notation: `1/1`, `0/0`.
  fileprivate var xmlBounds: String { "\(minCount)/\(maxCount)" }
}

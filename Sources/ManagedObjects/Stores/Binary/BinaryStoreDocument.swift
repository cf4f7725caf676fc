import DataFormats
import DataModel
import SystemLibraries

/// Core Data's binary store format, following published reverse engineering; it was not verified
/// with a file written by Apple.
///
/// Values are identified by index: those of the root entity first, sorted by name, then those of
/// each subentity. Both ends of relationships are written, as keys of objects.
struct BinaryStoreDocument: DocumentFormat {
  static let type = PersistentStore.StoreType.binary

  let identifier: String
  var metadata: [String: PropertyList] = [:]
  private var highestKey: Int64 = 0

  init(identifier: String) { self.identifier = identifier }

  init(headOf bytes: [UInt8]) throws(DataError) {
    let reader = try BinaryStoreReader(bytes)
    (identifier, highestKey) = (reader.identifier, reader.highestKey)
    metadata = reader.metadata
    for key in ["NSStoreType", StoredMetadata.uuidKey] { metadata[key] = nil }
  }

  static func name(of key: Int64, _ entity: EntityBinding) -> String { "\(entity.name) \(key)" }

  // Entities and relationships are identified by name, attributes by index.
  static func problem(with bindings: [EntityBinding]) -> String? { nil }

  static func problem(with metadata: [String: PropertyList]) -> String? {
    PropertyList.dictionary(metadata).archivable == nil
      ? "the metadata contains a reference of an archive, which cannot be archived" : nil
  }

  // MARK: Reading

  mutating func read(_ bytes: [UInt8], into rows: inout DocumentRows) throws(DataError) {
    let reader = try BinaryStoreReader(bytes)
    rows.highestKey = highestKey
    let entities = Dictionary(
      BinaryEntity.all(rows.bindings).map { ($0.entity.name, $0) }
    ) { one, _ in one }
    var nodes = try BinaryStoreReader.Nodes(reader.map)
    var draft = RowDraft()
    var byteCount = 0
    while let node = nodes.next() {
      guard let entity = entities[node.entityName] else {
        throw BinaryStoreReader.error("the model has no entity \(node.entityName)")
      }
      guard !entity.entity.isAbstract else {
        throw BinaryStoreReader.error("the entity \(node.entityName) is abstract")
      }
      let name = "\(node.entityName) \(node.key)"
      guard node.values.count == entity.attributes.count else {
        throw BinaryStoreReader.error(
          "\(name) has \(node.values.count) values, but the number of its entity's attributes "
            + "is \(entity.attributes.count)")
      }
      draft.begin(slotCount: entity.entity.slotCount)
      for (attribute, value) in zip(entity.attributes, node.values) {
        guard
          let size = BinaryValue.read(
            value, nodes.archive, attribute.description.type, into: &draft, at: attribute.slot)
        else {
          throw BinaryStoreReader.error(
            "the attribute '\(attribute.description.name)' of \(name) is not of the type "
              + attribute.description.type.name)
        }
        byteCount += size
        // A few bytes in the file may expand to the values of many objects.
        guard byteCount <= maximumDocumentByteCount else {
          throw BinaryStoreReader.error("the values are too large")
        }
      }
      var lists: [(EntityBinding.ToMany, [Int64])] = []
      for (property, keys) in node.related {
        switch entity.relationships[property] {
        case .toOne(let toOne)?:
          guard keys.count <= 1 else {
            throw BinaryStoreReader.error(
              "the relationship '\(property)' of \(name) refers to several objects")
          }
          if let key = keys.first { draft.set(UInt64(bitPattern: key), at: toOne.slot) }
        case .toMany(let toMany)?: lists.append((toMany, keys))
        default:
          throw BinaryStoreReader.error(
            "the entity \(node.entityName) has no relationship '\(property)'")
        }
      }
      try rows.add(node.key, entity.entity, draft.makeRow(), line: 0)
      for (toMany, keys) in lists where !keys.isEmpty { rows.add(keys[...], of: toMany) }
    }
    if let problem = nodes.problem { throw problem }
    highestKey = rows.highestKey
  }

  // MARK: Writing

  func bytes(of contents: InMemoryStore.Contents, in store: InMemoryStore) -> [UInt8] {
    var writer = BinaryStoreWriter(contents, store)
    return document(
      writer.map(), highestKey: max(highestKey, contents.highestKey(of: 0)))
  }

  func bytes(withObjectsOf bytes: [UInt8]) throws(DataError) -> [UInt8] {
    let reader = try BinaryStoreReader(bytes)
    return document(Array(reader.map), highestKey: reader.highestKey)
  }

  private func document(_ map: [UInt8], highestKey: Int64) -> [UInt8] {
    var all = metadata
    all["NSStoreType"] = .string(Self.type.rawValue)
    all[StoredMetadata.uuidKey] = .string(identifier)
    // Values that an archive cannot contain were refused earlier.
    let archived = PropertyList.dictionary(all).archivable.flatMap {
      try? KeyedArchiveWriter.bytes(of: $0)
    }
    let metadata = archived ?? []
    var bytes = BinaryStoreReader.magic
    bytes.reserveCapacity(BinaryStoreReader.headerSize + map.count + metadata.count)
    func append(_ number: UInt64) {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    append(0x1_0804_0800)
    for number in [BinaryStoreReader.headerSize + map.count, metadata.count] {
      append(UInt64(number))
    }
    for number in [BinaryStoreReader.headerSize, map.count] { append(UInt64(number)) }
    append(UInt64(highestKey))
    append(0)
    bytes += map
    bytes += metadata
    return bytes
  }
}

extension PropertyList {
  /// The list as values that a keyed archive can hold; nil if it contains an archive's object
  /// number.
  fileprivate var archivable: Any? {
    switch self {
    case .dictionary(let entries):
      var values: [AnyHashable: Any] = [:]
      for (name, list) in entries {
        guard let value = list.archivable else { return nil }
        values[name] = value
      }
      return values
    case .array(let members):
      let values = members.compactMap(\.archivable)
      return values.count == members.count ? values : nil
    case .string(let text): return text
    case .data(let data): return data
    case .date(let date): return date
    case .integer(let number): return number
    case .unsignedInteger(let number): return number
    case .real(let number): return number
    case .boolean(let flag): return flag
    case .uid: return nil
    }
  }
}

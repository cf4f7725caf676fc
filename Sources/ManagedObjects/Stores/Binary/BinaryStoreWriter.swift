import DataFormats
import DataModel
import SystemLibraries

/// A writer of a binary store's objects as a keyed archive: `mapData`, a dictionary from keys to
/// nodes.
struct BinaryStoreWriter {
  private let contents: InMemoryStore.Contents
  private let store: InMemoryStore
  private let entities: [BinaryEntity]
  private let members: InMemoryMembers
  private var list: BinaryPropertyListBuilder
  /// The objects of the archive, by number.
  private var objects: [BinaryPropertyListBuilder.Reference] = []
  /// The UID values for those numbers, once an object is referred to.
  private var references: [BinaryPropertyListBuilder.Reference?] = []
  private var integers: [Int64: UInt32] = [:]
  private var texts: [String: UInt32] = [:]
  private var keys: [String: BinaryPropertyListBuilder.Reference] = [:]
  private var null: UInt32?

  /// The number of the null object.
  private static let nothing: UInt32 = 0

  init(_ contents: InMemoryStore.Contents, _ store: InMemoryStore) {
    self.contents = contents
    self.store = store
    entities = BinaryEntity.all(store.bindings)
    members = InMemoryMembers(contents, store: store)
    // The maximum that a value, a member or an object takes, including its UID.
    var count = 512
    for rows in contents.rows.values {
      for stored in rows.values { count += 24 + 10 * stored.entity.slotCount }
    }
    // A link may be the only one at both of its ends: each then needs an array for it.
    for links in contents.links.values { count += 8 * links.count }
    list = BinaryPropertyListBuilder(atMost: count)
    _ = add(list.add("$null"))
  }

  /// Creates the archive.
  mutating func map() -> [UInt8] {
    var rows: [(key: Int64, stored: InMemoryStore.StoredRow)] = []
    for stored in contents.rows.values { for (key, row) in stored { rows.append((key, row)) } }
    rows.sort { $0.key < $1.key }
    var (mapKeys, nodes): ([UInt32], [UInt32]) = ([], [])
    for (key, stored) in rows {
      mapKeys.append(integer(key))
      nodes.append(node(key, stored))
    }
    let map = object(
      "NSMutableDictionary", superclasses: ["NSDictionary"],
      [("NS.keys", uids(mapKeys)), ("NS.objects", uids(nodes))])
    let top = list.add(keys: [key("mapData")], values: [uid(map)])
    let archive = list.add(array: objects)
    let root = list.add(
      keys: ["$version", "$archiver", "$top", "$objects"].map { key($0) },
      values: [list.add(100_000 as Int64), list.add("NSKeyedArchiver"), top, archive])
    return list.finish(root: root)
  }

  // MARK: Objects

  private mutating func node(_ key: Int64, _ stored: InMemoryStore.StoredRow) -> UInt32 {
    let entity = entities[stored.entity.index - store.offset]
    var values: [UInt32] = []
    for (attribute, slot) in entity.attributes {
      values.append(value(stored.row, slot, attribute.type))
    }
    var related: [(UInt32, UInt32)] = []
    for property in entity.sorted {
      var found: [Int64] = []
      switch property {
      case .attribute: continue
      case .toOne(let toOne):
        // The delete rule No Action may leave dangling references.
        guard stored.row.hasValue(toOne.slot), case let other = stored.row.integer(toOne.slot),
          contents.rows[store.binding(at: toOne.destination).root]?[other] != nil
        else { continue }
        found = [other]
      case .toMany(let toMany):
        found = members.of(toMany, owner: key).map(\.key)
        if !toMany.description.isOrdered { found.sort() }
      }
      guard !found.isEmpty else { continue }
      let numbers = found.map { integer($0) }
      related.append((text(property.name), array(numbers)))
    }
    var entries = [
      ("NSPrimaryKey64", list.add(key)), ("NSEntityName", uid(text(entity.entity.name))),
      ("NSAttributeValues", uid(array(values))),
    ]
    if !related.isEmpty {
      let nodes = object(
        "NSMutableDictionary", superclasses: ["NSDictionary"],
        [("NS.keys", uids(related.map(\.0))), ("NS.objects", uids(related.map(\.1)))])
      entries.append(("NSRelatedNodes", uid(nodes)))
    }
    return object("NSDictionaryMapNode", superclasses: ["NSStoreMapNode"], entries)
  }

  private mutating func array(_ members: [UInt32]) -> UInt32 {
    object("NSArray", [("NS.objects", uids(members))])
  }

  /// Adds an instance of a class.
  private mutating func object(
    _ name: String, superclasses: [String] = [],
    _ entries: [(key: String, value: BinaryPropertyListBuilder.Reference)]
  ) -> UInt32 {
    let type = uid(classObject(name, superclasses))
    let dictionary = list.add(
      keys: entries.map { key($0.key) } + [key("$class")], values: entries.map(\.value) + [type])
    return add(dictionary)
  }

  private mutating func classObject(_ name: String, _ superclasses: [String]) -> UInt32 {
    if let known = classes[name] { return known }
    let classNames = ([name] + superclasses + ["NSObject"]).map { list.add($0) }
    let number = add(
      list.add(
        keys: [key("$classname"), key("$classes")],
        values: [classNames[0], list.add(array: classNames)]))
    classes[name] = number
    return number
  }
  private var classes: [String: UInt32] = [:]

  /// Adds an object to the archive; returns its number.
  private mutating func add(_ object: BinaryPropertyListBuilder.Reference) -> UInt32 {
    objects.append(object)
    references.append(nil)
    return UInt32(truncatingIfNeeded: objects.count - 1)
  }

  /// The UID value of an object's number.
  private mutating func uid(_ number: UInt32) -> BinaryPropertyListBuilder.Reference {
    if let known = references[Int(number)] { return known }
    let reference = list.add(uid: number)
    references[Int(number)] = reference
    return reference
  }

  private mutating func uids(_ numbers: [UInt32]) -> BinaryPropertyListBuilder.Reference {
    let members = numbers.map { uid($0) }
    return list.add(array: members)
  }

  private mutating func key(_ name: String) -> BinaryPropertyListBuilder.Reference {
    if let known = keys[name] { return known }
    let reference = list.add(name)
    keys[name] = reference
    return reference
  }

  // MARK: Values

  private mutating func integer(_ number: Int64) -> UInt32 {
    if let known = integers[number] { return known }
    let object = add(list.add(number))
    integers[number] = object
    return object
  }

  /// A name, which is stored once.
  private mutating func text(_ name: String) -> UInt32 {
    if let known = texts[name] { return known }
    let object = add(list.add(name))
    texts[name] = object
    return object
  }

  private mutating func value(
    _ row: PackedRow, _ slot: Int, _ type: AttributeDescription.AttributeType
  ) -> UInt32 {
    guard row.hasValue(slot) else {
      if let null { return null }
      let object = object("NSNull", [])
      null = object
      return object
    }
    switch type {
    case .integer16, .integer32, .integer64: return integer(row.integer(slot))
    case .boolean: return add(list.add(row.integer(slot) != 0))
    case .float, .double: return add(list.add(row.real(slot)))
    case .decimal:
      guard row.real(slot).isFinite, case let number = Decimal(stored: row.real(slot)),
        !number.isNaN
      else { return add(list.add(row.real(slot))) }
      let entries = number.archivedEntries.sorted { $0.key < $1.key }
        .map { ($0.key, list.add($0.value)) }
      return object("NSDecimalNumber", superclasses: ["NSNumber", "NSValue"], entries)
    case .date: return object("NSDate", [("NS.time", list.add(row.real(slot)))])
    case .string:
      let object = list.add(text: row.bytes(slot))
      // The text "$null", which represents null, must be wrapped in an object.
      guard row.bytes(slot).elementsEqual("$null".utf8) else { return add(object) }
      return self.object("NSString", [("NS.string", object)])
    case .uri:
      let text = add(list.add(text: row.bytes(slot)))
      return object("NSURL", [("NS.base", uid(Self.nothing)), ("NS.relative", uid(text))])
    case .uuid: return object("NSUUID", [("NS.uuidbytes", list.add(data: row.bytes(slot)))])
    case .undefined, .binaryData, .transformable, .composite:
      return add(list.add(data: row.bytes(slot)))
    }
  }
}

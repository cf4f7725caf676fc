import SystemLibraries

/// A sequential reader of a binary store, without its model.
///
/// A header of 64 bytes, which gives their positions, is followed by two keyed archives: the map of
/// all objects by key, and the metadata.
struct BinaryStoreReader {
  /// The first bytes of a binary store.
  static let magic = Array("CoreData".utf8)
  static let headerSize = 64

  let identifier: String
  let metadata: [String: PropertyList]
  /// The highest key ever assigned.
  let highestKey: Int64
  /// The archive of the objects, as it is in the file.
  let map: ArraySlice<UInt8>

  static func error(_ reason: String) -> DataError { DataError(line: 0, reason) }

  init(_ bytes: [UInt8]) throws(DataError) {
    guard bytes.count >= Self.headerSize, bytes.starts(with: Self.magic) else {
      throw Self.error("it is not a binary store: it does not begin with \"CoreData\"")
    }
    func number(_ offset: Int) -> Int? {
      Int(exactly: bytes[offset..<offset + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
    guard bytes[8..<12].elementsEqual([0, 0, 0, 1]) else {
      throw Self.error("the binary store has an unknown format version")
    }
    func part(_ offset: Int, _ name: String) throws(DataError) -> ArraySlice<UInt8> {
      guard let start = number(offset), let count = number(offset + 8), start >= Self.headerSize,
        start <= bytes.count, count <= bytes.count - start
      else { throw Self.error("\(name) lie outside of the file") }
      return bytes[start..<start + count]
    }
    map = try part(32, "the objects")
    guard let highest = number(48), highest < Int64.max / 2 else {
      throw Self.error("the highest key is not a valid key")
    }
    highestKey = Int64(highest)
    metadata = try Self.metadata(try part(16, "the metadata"))
    guard case .string(let identifier)? = metadata[StoredMetadata.uuidKey],
      (1...255).contains(identifier.utf8.count)
    else { throw Self.error("the metadata has no UUID") }
    self.identifier = identifier
  }

  private static func metadata(
    _ bytes: ArraySlice<UInt8>
  ) throws(DataError) -> [String: PropertyList] {
    guard let value = try? KeyedArchiveReader.value(of: bytes), let list = PropertyList(value),
      case .dictionary(let metadata) = list
    else { throw error("the metadata is damaged") }
    return metadata
  }

  /// Whether bytes begin like a binary store.
  static func isStore(_ head: [UInt8]) -> Bool { head.starts(with: magic) }

  // MARK: Objects

  /// An object of the map.
  struct Node {
    let key: Int64
    let entityName: String
    /// The values of the attributes by index, as object numbers of the archive.
    let values: [Int]
    /// The destination keys of the relationships, by name.
    let related: [(name: String, keys: [Int64])]
  }

  /// The objects of a map.
  struct Nodes: IteratorProtocol {
    let archive: BinaryArchive
    private let keys: BinaryPropertyListView.Members
    private let nodes: BinaryPropertyListView.Members
    private var index = 0
    /// The names read so far, by the numbers of their strings.
    private var names: [Int: String] = [:]
    private(set) var problem: DataError?

    init(_ map: ArraySlice<UInt8>) throws(DataError) {
      guard let archive = BinaryArchive(map, top: "mapData"),
        let keys = archive.members("NS.keys", of: archive.top),
        let nodes = archive.members("NS.objects", of: archive.top), keys.count == nodes.count
      else { throw BinaryStoreReader.error("the objects are damaged") }
      (self.archive, self.keys, self.nodes) = (archive, keys, nodes)
    }

    /// The next object; nil at the end or after an error, which is then in `problem`.
    mutating func next() -> Node? {
      guard index < nodes.count, problem == nil else { return nil }
      defer { index += 1 }
      guard let node = node(archive.resolve(nodes[index])) else {
        problem = BinaryStoreReader.error("the object \(index + 1) is damaged")
        return nil
      }
      guard archive.list.integer(archive.resolve(keys[index])) == node.key else {
        problem = BinaryStoreReader.error("the object \(node.key) is stored under another key")
        return nil
      }
      return node
    }

    private mutating func node(_ object: Int) -> Node? {
      guard let key = archive.value("NSPrimaryKey64", of: object).flatMap(archive.list.integer),
        let name = archive.value("NSEntityName", of: object).flatMap({ self.name($0) }),
        let values = archive.value("NSAttributeValues", of: object)
          .flatMap({ archive.members("NS.objects", of: $0) })
      else { return nil }
      var related: [(String, [Int64])] = []
      if let dictionary = archive.value("NSRelatedNodes", of: object) {
        guard let keys = archive.members("NS.keys", of: dictionary),
          let lists = archive.members("NS.objects", of: dictionary), keys.count == lists.count
        else { return nil }
        for (key, list) in zip(keys, lists) {
          guard let name = self.name(archive.resolve(key)),
            let members = archive.members("NS.objects", of: archive.resolve(list))
          else { return nil }
          var found: [Int64] = []
          for member in members {
            guard let key = archive.list.integer(archive.resolve(member)) else { return nil }
            found.append(key)
          }
          related.append((name, found))
        }
      }
      return Node(
        key: key, entityName: name, values: values.map(archive.resolve), related: related)
    }

    private mutating func name(_ reference: Int) -> String? {
      if let name = names[reference] { return name }
      guard let text = archive.list.text(reference) else { return nil }
      let name = String(decoding: text, as: UTF8.self)
      names[reference] = name
      return name
    }
  }
}

extension PropertyList {
  /// Converts a value of a keyed archive; nil if a property list cannot hold it.
  fileprivate init?(_ value: Any?) {
    switch value {
    case let text as String: self = .string(text)
    case let flag as Bool: self = .boolean(flag)
    case let number as Int: self = .integer(Int64(number))
    case let number as UInt64: self = .unsignedInteger(number)
    case let number as Double: self = .real(number)
    case let data as Data: self = .data(data)
    case let date as Date: self = .date(date)
    case let members as [Any]:
      let lists = members.compactMap { PropertyList($0) }
      guard lists.count == members.count else { return nil }
      self = .array(lists)
    case let entries as [AnyHashable: Any]:
      var lists: [String: PropertyList] = [:]
      for (key, value) in entries {
        guard let name = key.base as? String, let list = PropertyList(value) else { return nil }
        lists[name] = list
      }
      self = .dictionary(lists)
    default: return nil
    }
  }
}

import DataModel
import SystemLibraries

/// A controller's result in a file: the keys of its objects, and the ends of its sections.
///
/// It is valid only for the same request to the same store of the same model, as long as the
/// store's files have not been written since. Any file that cannot be parsed, or does not match, is
/// ignored.
struct FetchedResultsCache {
  /// A section, and its objects.
  struct Section {
    var name: String
    /// The key of each object, and the index of its entity among the store's.
    var objects: [(key: Int64, entity: Int)] = []
  }

  private let url: URL
  private let path: String
  private let question: String
  private let signature: FileSignature
  /// The index of the store's first entity in its coordinator.
  private let offset: Int

  /// Determines the store state and request that a cache has to match.
  ///
  /// - Parameter folder: the folder of the caches; nil for the default one.
  /// - Returns: nil if the result may depend on more than the current files of the store.
  init?<Result>(
    named name: String, in folder: URL?, for request: FetchRequest<Result>,
    sectionNameKeyPath: String?, in context: ManagedObjectContext
  ) {
    let coordinator = context.persistentStoreCoordinator
    let stores = coordinator.rowStores
    guard context.parent == nil, !context.hasChanges, coordinator.reading == nil,
      request.affectedStores == nil,
      let format = Self.format(request), stores.count == 1, let store = stores[0] as? SQLiteStore,
      !coordinator.isMoved(store), let folder = folder ?? Self.defaultFolder
    else { return nil }
    path = store.fileURL.filePath.resolvingFinalSymlink
    offset = store.offset
    signature = FileSignature(of: path)
    // A change at this very moment could go undetected.
    guard !signature.isRacyIgnoringEmptyLog else { return nil }
    url = folder.appending(path: Self.fileName(name))
    question = [
      store.identifier, store.model.versionHashesDigest, signature.description, format,
      sectionNameKeyPath ?? "", String(describing: Result.self),
    ].joined(separator: "\n")
  }

  // MARK: The file

  /// Version 2: sections are named by numbers as `NSNumber` describes them.
  private static let start = Array("MOFRC002".utf8)

  /// The cached sections; nil if there are none for this request.
  func read() -> [Section]? {
    guard let data = try? Data(contentsOf: url) else { return nil }
    var reader = CacheReader(bytes: Array(data))
    guard reader.takeChecksum(), reader.take(Self.start.count).map(Array.init) == Self.start,
      reader.text() == question, let count = reader.number()
    else { return nil }
    var sections: [Section] = []
    for _ in 0..<count {
      guard let name = reader.text(), let objectCount = reader.number() else { return nil }
      var section = Section(name: name)
      section.objects.reserveCapacity(min(objectCount, reader.count))
      for _ in 0..<objectCount {
        guard let key = reader.key(), let entity = reader.number() else { return nil }
        section.objects.append((key, entity + offset))
      }
      sections.append(section)
    }
    return sections
  }

  /// Writes the sections, unless the store has been written since the fetch; ignores write errors.
  func write(_ sections: [Section]) {
    guard FileSignature(of: path).description == signature.description else { return }
    var writer = CacheWriter(bytes: Self.start)
    writer.add(question)
    writer.add(sections.count)
    for section in sections {
      writer.add(section.name)
      writer.add(section.objects.count)
      for object in section.objects {
        writer.add(key: object.key)
        writer.add(object.entity - offset)
      }
    }
    writer.addChecksum()
    try? DefaultFolder.make(url.deletingLastPathComponent())
    // Another process may be reading it.
    guard let file = try? NewFile(at: url.filePath, for: url),
      (try? Data(writer.bytes).write(to: URL(filePath: file.draft))) != nil
    else { return }
    rename(file.draft, url.filePath)
  }

  /// Removes a cache, or all of them.
  static func delete(named name: String?, in folder: URL?) {
    guard let folder = folder ?? defaultFolder else { return }
    let names =
      name.map { [fileName($0)] }
      ?? (try? FileManager.default.contentsOfDirectory(atPath: folder.filePath)) ?? []
    for name in names where name.hasSuffix(suffix) { unlink(folder.appending(path: name).filePath) }
  }

  // MARK: Names

  private static let suffix = ".fetchedresults"

  /// The folder for caches of programs that specify none; nil if there is no home folder.
  private static var defaultFolder: URL? {
    try? DefaultFolder.caches { name in getenv(name).map { String(cString: $0) } }
      .appending(path: "FetchedResults")
  }

  /// The file name for a cache's name, which may be any text.
  private static func fileName(_ name: String) -> String {
    let letters = name.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"):
        String(Unicode.Scalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return letters.joined() + suffix
  }

  /// Every property of a request that affects its result, as text.
  ///
  /// nil if that cannot be expressed as text, or the result depends on the time.
  private static func format<Result>(_ request: FetchRequest<Result>) -> String? {
    var parts = [request.entityName ?? "", "\(request.fetchLimit) \(request.fetchOffset)"]
    parts.append("\(request.includesSubentities)")
    let predicate = request.predicate?.predicateFormat ?? ""
    guard !predicate.lowercased().contains("now(") else { return nil }
    parts.append(predicate)
    for sort in request.sortDescriptors {
      if case .comparator = sort.selector { return nil }
      parts.append("\(sort.key) \(sort.ascending) \(sort.selector)")
    }
    return parts.joined(separator: "\n")
  }
}

/// Builds the contents of a cache's file.
private struct CacheWriter {
  var bytes: [UInt8]

  mutating func add(key: Int64) {
    withUnsafeBytes(of: key.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ number: Int) {
    withUnsafeBytes(of: UInt32(clamping: number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ text: String) {
    add(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func addChecksum() { add(key: Int64(bitPattern: bytes[...].checksum)) }
}

/// Parses the contents of a cache's file; returns nil at an unexpected end.
private struct CacheReader {
  private var rest: ArraySlice<UInt8>

  init(bytes: [UInt8]) { rest = bytes[...] }

  var count: Int { rest.count }

  /// Removes the checksum in the last eight bytes; returns whether it matches the others.
  mutating func takeChecksum() -> Bool {
    guard rest.count >= 8 else { return false }
    var end = CacheReader(bytes: Array(rest.suffix(8)))
    rest.removeLast(8)
    return end.key().map(UInt64.init(bitPattern:)) == rest.checksum
  }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func key() -> Int64? {
    take(8)?.withUnsafeBytes { Int64(littleEndian: $0.loadUnaligned(as: Int64.self)) }
  }

  mutating func number() -> Int? {
    take(4)?.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
  }

  mutating func text() -> String? {
    number().flatMap { take($0) }.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension ArraySlice<UInt8> {
  /// A checksum of the bytes (FNV-1a, over words).
  fileprivate var checksum: UInt64 {
    withUnsafeBytes { bytes in
      var sum: UInt64 = 0xcbf2_9ce4_8422_2325
      var offset = 0
      while offset + 8 <= bytes.count {
        sum =
          (sum ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x100_0000_01b3
        offset += 8
      }
      for byte in bytes[offset...] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return sum
    }
  }
}

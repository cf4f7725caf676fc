import DataModel
import Foundation
import ManagedObjects

// In the class's own scope the name may be another function's.
private func openFile(_ path: String) -> Int32 { open(path, O_RDWR | O_CREAT, 0o600) }

/// A store built with nothing but the public interface: a folder with a file for everything.
///
/// Several processes may have it open: each save replaces the file, one save at a time.
final class BundleStore: AtomicStore, @unchecked Sendable {
  static let bundle = PersistentStore.StoreType("Bundle")

  static func register() {
    PersistentStoreCoordinator.registerStoreClass(BundleStore.self, forStoreType: bundle)
  }

  /// What the next save throws.
  var failure: (any Error)?
  /// The calls, in order.
  private(set) var calls: [String] = []
  private var seen: FileSignature?
  private var lockFile: Int32 = -1

  /// Identifies the file, to notice that it was replaced.
  private struct FileSignature: Equatable {
    let inode: UInt64
    let date: Date

    init?(_ url: URL) {
      guard let found = try? FileManager.default.attributesOfItem(atPath: url.path) else {
        return nil
      }
      inode = (found[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
      date = found[.modificationDate] as? Date ?? .distantPast
    }
  }

  private var folder: URL { url ?? URL(filePath: "/nowhere") }
  private var file: URL { folder.appending(path: "store.plist") }

  private func document() throws -> [String: PropertyList]? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    guard case .dictionary(let found) = try PropertyList(binary: Data(contentsOf: file)) else {
      throw CocoaError(.propertyListReadCorrupt)
    }
    return found
  }

  override func loadMetadata() throws {
    calls.append("loadMetadata")
    if case .dictionary(let found)? = try document()?["metadata"] { metadata = found }
  }

  override func load() throws {
    calls.append("load")
    seen = FileSignature(file)
    guard case .array(let objects)? = try document()?["objects"] else { return }
    for case .dictionary(let object) in objects {
      guard let id = id(object["id"]), case .dictionary(let values)? = object["values"] else {
        throw CocoaError(.propertyListReadCorrupt)
      }
      var cache: [String: PropertyValue] = [:]
      for (name, value) in values { cache[name] = self.value(value, named: name, of: id.entity) }
      addCacheNodes([AtomicStoreCacheNode(objectID: id, propertyCache: cache)])
    }
  }

  override func save() throws {
    calls.append("save")
    let isUncertain = if case .uncertain? = failure as? PersistentStoreError { true } else { false }
    if let failure, !isUncertain { throw failure }
    let objects = cacheNodes.map { node in
      PropertyList.dictionary([
        "id": list(node.objectID), "values": .dictionary(node.values.mapValues(list)),
      ])
    }
    let document = PropertyList.dictionary([
      "metadata": .dictionary(metadata), "objects": .array(objects),
    ])
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(document.binary).write(to: file, options: .atomic)
    seen = FileSignature(file)
    if let failure { throw failure }
  }

  override func willMigrate() { calls.append("willMigrate") }

  override func isOutdated() throws -> Bool { FileSignature(file) != seen }

  override func lock() throws {
    calls.append("lock")
    lockFile = openFile(folder.path + ".lock")
    flock(lockFile, LOCK_EX)
  }

  override func unlock() {
    calls.append("unlock")
    close(lockFile)
  }

  override func updateCacheNode(_ node: AtomicStoreCacheNode, from object: ManagedObjectSnapshot) {
    calls.append("update \(object.entity.name) \(object.changedKeys.sorted())")
  }

  override func willRemoveCacheNodes(_ nodes: [AtomicStoreCacheNode]) {
    if !nodes.isEmpty { calls.append("remove \(nodes.count)") }
  }

  func forgetCalls() { calls = [] }

  // MARK: Values

  private func id(_ list: PropertyList?) -> ManagedObjectID? {
    guard case .array(let parts)? = list, case .string(let name)? = parts.first,
      case .string(let reference)? = parts.last,
      let entity = managedObjectModel.entitiesByName[name]
    else { return nil }
    return objectID(for: entity, referenceObject: ReferenceObject(reference))
  }

  private func list(_ id: ManagedObjectID) -> PropertyList {
    .array([.string(id.entity.name), .string(referenceObject(for: id).description)])
  }

  private func list(_ value: PropertyValue) -> PropertyList {
    switch value {
    case .attribute(.integer(let number)): .integer(number)
    case .attribute(.double(let number)): .real(number)
    case .attribute(.boolean(let flag)): .boolean(flag)
    case .attribute(.decimal(let number)): .string("\(number)")
    case .attribute(.string(let text)): .string(text)
    case .attribute(.date(let date)): .date(date)
    case .attribute(.binary(let data)): .data(data)
    case .attribute(.uuid(let uuid)): .string(uuid.uuidString)
    case .attribute(.uri(let url)): .string(url.absoluteString)
    case .toOne(let id): list(id)
    case .toMany(let ids): .array(ids.map { list($0) })
    case .null: .string("")
    }
  }

  private func value(
    _ list: PropertyList, named name: String, of entity: EntityDescription
  ) -> PropertyValue? {
    let lineage = managedObjectModel.lineage(of: entity)
    for property in lineage.flatMap(\.properties) where property.name == name {
      if case .relationship(let relationship) = property {
        guard relationship.isToMany else { return id(list).map { .toOne($0) } }
        guard case .array(let members) = list else { return nil }
        return .toMany(members.compactMap(id))
      }
    }
    let type = lineage.flatMap(\.attributes).first { $0.name == name }?.type
    switch (list, type) {
    case (.integer(let number), _): return .integer(number)
    case (.real(let number), _): return .double(number)
    case (.boolean(let flag), _): return .boolean(flag)
    case (.date(let date), _): return .date(date)
    case (.data(let data), _): return .binary(data)
    case (.string(let text), .decimal):
      return Decimal(string: text).map { .attribute(.decimal($0)) }
    case (.string(let text), .uuid): return UUID(uuidString: text).map { .attribute(.uuid($0)) }
    case (.string(let text), .uri): return URL(string: text).map { .attribute(.uri($0)) }
    case (.string(let text), _): return .string(text)
    default: return nil
    }
  }
}

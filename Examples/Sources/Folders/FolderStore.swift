import Foundation
import ManagedObjects

/// A folder with its contents as a store: files and folders are objects, identified by their paths.
///
/// Nothing is cached: values are read from the disk, so a fetch returns the current state. Files
/// and folders can be deleted; any other change makes the save fail.
final class FolderStore: IncrementalStore, @unchecked Sendable {
  static let folder = PersistentStore.StoreType("Folder")

  /// The reason why a change cannot be saved.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private var top: URL { url ?? URL(filePath: ".") }

  override func loadMetadata() throws {
    guard try top.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true else {
      throw PersistentStoreError.notAFile(top)
    }
    // Constant, so that an object's URI stays valid in later runs.
    metadata = ["NSStoreUUID": .string("F01DE200-0000-4000-8000-000000000001")]
  }

  // MARK: Reading

  override func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult {
    // The library filters and sorts these as the request asks.
    let below = FileManager.default.enumerator(atPath: top.path)?.compactMap { $0 as? String } ?? []
    let nodes = (["."] + below.sorted()).compactMap(node)
    return .nodes(nodes.filter { belongs($0.objectID.entity.name, to: request.entity.name) })
  }

  override func newValues(forObjectWith objectID: ManagedObjectID) throws -> IncrementalStoreNode? {
    // A file may have been replaced by a folder, which is another object.
    node(path(of: objectID)).flatMap { $0.objectID == objectID ? $0 : nil }
  }

  override func newValue(
    forRelationship relationship: RelationshipDescription,
    forObjectWith objectID: ManagedObjectID
  ) throws -> PropertyValue? {
    let path = path(of: objectID)
    let names = try FileManager.default.contentsOfDirectory(atPath: url(of: path).path).sorted()
    return .toMany(names.compactMap { id(path == "." ? $0 : "\(path)/\($0)") })
  }

  // MARK: Deleting

  override func execute(_ request: SaveChangesRequest) throws {
    guard request.insertedObjects.isEmpty, request.updatedObjects.isEmpty else {
      throw Refusal(description: "files are deleted here, and not written")
    }
    // The contents of a folder are deleted before it, as the model's rule deletes them too. File
    // systems have no transactions: if a file cannot be deleted, those before it are already gone.
    let paths = request.deletedObjects.map { path(of: $0.objectID) }.sorted { $0.count > $1.count }
    for path in paths { try FileManager.default.removeItem(at: url(of: path)) }
  }

  // MARK: Paths

  private func path(of id: ManagedObjectID) -> String { referenceObject(for: id).description }

  private func url(of path: String) -> URL { path == "." ? top : top.appending(path: path) }

  private func belongs(_ name: String, to entity: String) -> Bool {
    name == entity || entity == "Item"
  }

  /// Returns the ID for a path; nil if there is neither a file nor a folder.
  private func id(_ path: String) -> ManagedObjectID? {
    let values = try? url(of: path).resourceValues(forKeys: [.isDirectoryKey, .isRegularFileKey])
    guard let values, values.isDirectory == true || values.isRegularFile == true else { return nil }
    return id(path, isFolder: values.isDirectory == true)
  }

  private func id(_ path: String, isFolder: Bool) -> ManagedObjectID? {
    managedObjectModel.entitiesByName[isFolder ? "Folder" : "File"].map {
      objectID(for: $0, referenceObject: ReferenceObject(path))
    }
  }

  /// Returns the values for a path; nil if there is nothing.
  private func node(_ path: String) -> IncrementalStoreNode? {
    let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
    guard let id = id(path), let found = try? url(of: path).resourceValues(forKeys: keys) else {
      return nil
    }
    var values: [String: PropertyValue] = [
      "name": .string(path == "." ? top.lastPathComponent : url(of: path).lastPathComponent),
      "modified": .date(found.contentModificationDate ?? .distantPast), "parent": .null,
    ]
    if id.entity.name == "File" { values["size"] = .integer(found.fileSize ?? 0) }
    if path != "." {
      let parent = path.split(separator: "/").dropLast().joined(separator: "/")
      values["parent"] = self.id(parent.isEmpty ? "." : parent, isFolder: true).map { .toOne($0) }
    }
    return IncrementalStoreNode(objectID: id, values: values)
  }
}

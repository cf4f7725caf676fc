import Foundation
import ManagedObjects

/// A folder of walks and photos that is queried like a database.
@main
struct Folders {
  @MainActor
  static func main() throws {
    let url = URL.temporaryDirectory.appending(path: "Folders-\(UUID())/Kennel")
    try fill(url)
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

    PersistentStoreCoordinator.registerStoreClass(
      FolderStore.self, forStoreType: FolderStore.folder)
    let container = try PersistentContainer(
      name: "Folders", model: .folders, storeURL: url, type: FolderStore.folder)
    let context = container.viewContext

    print("All files, the largest first")
    var files = File.fetchRequest()
    files.sortDescriptors = [.init(key: "size", ascending: false), .init(key: "name")]
    for file in try context.fetch(files) { print("  \(file.size) bytes: \(path(of: file))") }

    print("Large files of folders named photos")
    files.predicate = try .init(format: "size >= 300 AND parent.name == 'photos'")
    for file in try context.fetch(files) { print("  \(path(of: file))") }

    print("Folders with more than one thing in them, and how much their files hold")
    var folders = Folder.fetchRequest()
    folders.predicate = try .init(format: "children.@count > 1")
    folders.sortDescriptors = [.init(key: "name")]
    for folder in try context.fetch(folders) {
      let sizes = folder.children.compactMap { ($0 as? File)?.size }
      print("  \(path(of: folder)): \(sizes.reduce(0, +)) bytes")
    }

    print("What others write is found")
    try Data(count: 900).write(to: url.appending(path: "photos/harbour.jpg"))
    print("  large photos: \(try context.count(for: files))")

    print("An ID leads back to its file")
    files.predicate = try .init(format: "name == 'rex.txt'")
    guard let rex = try context.fetch(files).first else { return }
    let uri = rex.objectID.uriRepresentation()
    print("  …\(uri.path)")
    let coordinator = container.persistentStoreCoordinator
    if let id = coordinator.managedObjectID(forURIRepresentation: uri) {
      print("  \(try context.existingObject(with: id) === rex)")
    }

    print("Deleting Rex's walks")
    context.delete(rex)
    try context.save()
    print("  there: \(FileManager.default.fileExists(atPath: url.path + "/walks/rex.txt"))")

    print("Renaming is refused")
    files.predicate = nil
    for file in try context.fetch(files) { file.name = file.name.uppercased() }
    do { try context.save() } catch { print("  \(error)") }
  }

  /// Returns the path of an object within the top folder.
  @MainActor
  static func path(of item: Item) -> String {
    guard let parent = item.parent else { return "." }
    return parent.parent == nil ? item.name : "\(path(of: parent))/\(item.name)"
  }

  /// Creates some files in a folder.
  static func fill(_ url: URL) throws {
    let sizes = [
      "photos/bridge.jpg": 450, "photos/moonrise.jpg": 300, "photos/old/dunes.jpg": 700,
      "walks/fido.txt": 20, "walks/rex.txt": 35, "notes.txt": 5,
    ]
    for (path, size) in sizes {
      let file = url.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(count: size).write(to: file)
    }
  }
}

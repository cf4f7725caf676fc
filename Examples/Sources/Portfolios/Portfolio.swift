import Foundation
import ManagedObjects

/// A document with photographers and their photos, and a text file in addition to its objects.
final class Portfolio: ManagedDocument {
  /// The text on the cover.
  var cover = "" {
    didSet { updateChangeCount() }
  }

  init(_ url: URL) { super.init(fileURL: url, managedObjectModel: .portfolio) }

  override func writeAdditionalContent(to folder: URL) throws {
    try Data(cover.utf8).write(to: folder.appending(path: "cover.txt"))
  }

  override func readAdditionalContent(from folder: URL) throws {
    cover = try String(contentsOf: folder.appending(path: "cover.txt"), encoding: .utf8)
  }

  func add(_ title: String, by name: String) throws {
    let context = managedObjectContext
    let photo = Photo(context: context)
    photo.title = title
    photo.photographer = try context.findOrCreate(
      Photographer.self, where: "name", equals: .string(name))
    context.processPendingChanges()
  }

  func lines() throws -> [String] {
    var request = Photographer.fetchRequest()
    request.sortDescriptors = [.init(keyPath: \Photographer.name)]
    return try managedObjectContext.fetch(request).map { photographer in
      "\(photographer.name): " + photographer.photos.map(\.title).joined(separator: ", ")
    }
  }
}

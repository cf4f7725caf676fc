import ManagedObjects

final class Photographer: ManagedObject {}

final class Photo: ManagedObject {
  /// Deletes the photographer with the last photo.
  override func prepareForDeletion() {
    super.prepareForDeletion()
    guard let photographer, photographer.photos == [self] else { return }
    managedObjectContext?.delete(photographer)
  }
}

extension Photo {
  /// Returns the photo that a service describes: an existing one, or a new one.
  @discardableResult
  static func photo(
    with info: [String: String], in context: ManagedObjectContext
  ) throws -> Photo? {
    guard let id = info["id"], let owner = info["owner"] else { return nil }
    let photo = try context.findOrCreate(Photo.self, where: "unique", equals: .string(id))
    photo.title = info["title"] ?? ""
    photo.views = info["views"].flatMap { Int64($0) } ?? 0
    photo.photographer = try Photographer.named(owner, in: context)
    return photo
  }
}

extension Photographer {
  static func named(_ name: String, in context: ManagedObjectContext) throws -> Photographer {
    try context.findOrCreate(Photographer.self, where: "name", equals: .string(name))
  }
}

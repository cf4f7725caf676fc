import Foundation
import ManagedObjects

/// Photos with large values, using the model of `ExternalDataTests`.
extension Stack {
  /// Where the files of large values are.
  var valueFolder: URL { folder.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA") }

  /// The files of large values, by their names.
  func valueFiles() throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: valueFolder.path)) ?? [] {
      found[name] = try Data(contentsOf: valueFolder.appending(path: name))
    }
    return found
  }

  /// Saves a photo.
  func savePhoto(_ image: Data?) throws -> ManagedObject {
    let photo = ManagedObject("Photo", in: context)
    photo.setOptionalValue(image, at: ExternalDataTests.image)
    try context.save()
    return photo
  }

  /// A photo's value as another context reads it.
  func image(of photo: ManagedObject) throws -> Data? {
    try anotherContext().existingObject(with: photo.objectID)
      .optionalValue(at: ExternalDataTests.image)
  }
}

import Foundation
import ManagedObjects
import Testing

/// A textbook's photographers, who keep count of their photos and are deleted with the last one.
@Suite struct PhotographersTests {
  final class Photographer: ManagedObject {
    var name: String {
      get { requiredValue(at: PropertySlot(-1, "name")) }
      set { setRequiredValue(newValue, at: PropertySlot(-1, "name")) }
    }
    var photoCount: Int32 {
      get { requiredValue(at: PropertySlot(-1, "photoCount")) }
      set { setRequiredValue(newValue, at: PropertySlot(-1, "photoCount")) }
    }
    var photos: Set<Photo> { unorderedToMany(at: PropertySlot(-1, "photos")) }

    /// The photographer with a name: the existing one, or a new one.
    static func named(_ name: String, in context: ManagedObjectContext) throws -> Photographer {
      var request = fetchRequest()
      request.predicate = .comparison("name", .equal, .string(name))
      if let found = try context.fetch(request).first { return found }
      let photographer = Photographer(context: context)
      photographer.name = name
      return photographer
    }
  }

  final class Photo: ManagedObject {
    var title: String? {
      get { optionalValue(at: PropertySlot(-1, "title")) }
      set { setOptionalValue(newValue, at: PropertySlot(-1, "title")) }
    }
    var whoTook: Photographer? {
      get { toOne(at: PropertySlot(-1, "whoTook")) }
      set { setToOne(newValue, at: PropertySlot(-1, "whoTook")) }
    }

    override func prepareForDeletion() {
      guard let whoTook, !whoTook.isDeleted else { return }
      whoTook.photoCount -= 1
      if whoTook.photoCount == 0 { managedObjectContext?.delete(whoTook) }
    }
  }

  private static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Photographer",
        properties: [
          .attribute(.init(name: "name", type: .string)),
          .attribute(.init(name: "photoCount", type: .integer32, defaultValue: .integer(0))),
          .relationship(
            .init(
              name: "photos", destinationEntityName: "Photo", inverseName: "whoTook",
              isOptional: true, maxCount: 0, deleteRule: .cascade)),
        ]),
      EntityDescription(
        name: "Photo",
        properties: [
          .value("title", .string), .toOne("whoTook", "Photographer", back: "photos"),
        ]),
    ], classes: ["Photographer": Photographer.self, "Photo": Photo.self])

  private func photo(_ title: String, by name: String, in stack: Stack) throws {
    let photo = Photo(context: stack.context)
    photo.title = title
    let photographer = try Photographer.named(name, in: stack.context)
    photo.whoTook = photographer
    photographer.photoCount += 1
  }

  /// Two photographers with two photos and one.
  private func album(_ type: PersistentStore.StoreType) throws -> Stack {
    let stack = try Stack(type, model: Self.model)
    try photo("Dunes", by: "Ansel", in: stack)
    try photo("Moonrise", by: "Ansel", in: stack)
    try photo("Harbour", by: "Berenice", in: stack)
    try stack.context.save()
    return stack
  }

  private func counts(_ stack: Stack) throws -> [String: Int32] {
    Dictionary(
      uniqueKeysWithValues: try stack.reread(Photographer.self).map { ($0.name, $0.photoCount) })
  }

  @Test(arguments: Stack.allTypes)
  func `an unsaved photographer is found by the next photo`(
    type: PersistentStore.StoreType
  ) throws {
    #expect(try counts(album(type)) == ["Ansel": 2, "Berenice": 1])
  }

  @Test(arguments: Stack.allTypes)
  func `a deleted photo is subtracted, and the last one deletes its photographer`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try album(type)
    let context = stack.anotherContext()
    stack.rereading.append(context)
    for photo in try context.fetch(Photo.fetchRequest())
    where photo.title == "Dunes" || photo.title == "Harbour" {
      context.delete(photo)
    }
    try context.save()
    #expect(try counts(stack) == ["Ansel": 1])
    #expect(try stack.reread(Photo.self).map(\.title) == ["Moonrise"])
  }

  @Test(arguments: Stack.allTypes)
  func `a photographer is deleted with all photos`(type: PersistentStore.StoreType) throws {
    let stack = try album(type)
    let ansel = try Photographer.named("Ansel", in: stack.context)
    stack.context.delete(ansel)
    #expect(stack.context.deletedObjects.count == 3)
    try stack.context.save()
    #expect(try counts(stack) == ["Berenice": 1])
    #expect(try stack.reread(Photo.self).map(\.title) == ["Harbour"])
  }
}

import Foundation
import ManagedObjects
import Testing

@testable import ManagedObjects

/// Attributes whose values the store works out.
@Suite(.enabled(if: !Fixture.all.isEmpty, "../shared/fixtures or python3 is missing"))
struct DerivedAttributeTests {
  private static let fixture = Fixture.all.first { $0.name.hasSuffix("SampleModel2_V2.sqlite") }
  private static let count = PropertySlot(-1, "pagesCount")

  @Test func `a store with triggers is refused for writing, each reason by itself`() throws {
    let fixture = try #require(Self.fixture)
    let folder = try fixture.copy()
    let before = try folder.bytes()
    for ignored: Set<PersistentStoreError.WriteObstacle> in [
      [], [.derivedAttributes], [.persistentHistory],
    ] {
      #expect(throws: PersistentStoreError.self) {
        try folder.open(fixture.model.model) { $0.ignoredObstacles = ignored }
      }
    }
    #expect(try folder.bytes() == before)
  }

  @Test func `where the caller insists, the triggers keep the value right`() throws {
    let fixture = try #require(Self.fixture)
    let folder = try fixture.copy()
    let container = try folder.open(fixture.model.model) {
      $0.ignoredObstacles = [.derivedAttributes, .persistentHistory]
    }
    let context = container.newBackgroundContext()
    let request = FetchRequest<ManagedObject>(entityName: "Book")
    let place = PropertySlot(-1, "pages")
    let book = try #require(
      try context.fetch(request).first {
        ($0.unorderedToMany(at: place) as Set<ManagedObject>).count > 1
      })
    let pages: Set<ManagedObject> = book.unorderedToMany(at: place)
    #expect(book.optionalValue(at: Self.count) == Int64(pages.count))
    context.delete(try #require(pages.first))
    try context.save()

    let other = container.newBackgroundContext()
    let same = try other.existingObject(with: book.objectID)
    #expect(same.optionalValue(at: Self.count) == Int64(pages.count - 1))
  }

  @Test(arguments: Stack.allTypes)
  func `a save writes no derived value`(type: PersistentStore.StoreType) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Note",
        properties: [
          .value("text", .string),
          .attribute(
            AttributeDescription(
              name: "key", type: .string, derivationExpression: "canonical:(text)")),
        ])
    ])
    let stack = try Stack(type, model: model)
    let note = ManagedObject("Note", in: stack.context)
    note.setOptionalValue("text", at: PropertySlot(-1, "text"))
    try stack.context.save()
    let context = stack.anotherContext()
    let other = try context.existingObject(with: note.objectID)
    #expect(other.optionalValue(at: PropertySlot(-1, "key")) == String?.none)
    #expect(other.optionalValue(at: PropertySlot(-1, "text")) == "text")
  }
}

import Foundation
import ManagedObjects
import Testing

@testable import ManagedObjects

/// Derived attributes from one version of a model to the next.
@Suite struct DerivedAttributeMigrationTests {
  /// Authors and their articles, and how many there are of an author.
  private func model(
    _ name: String, _ type: AttributeDescription.AttributeType
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Author",
        properties: [
          .toMany("articles", "Article", back: "author"),
          OwnDerivedAttributeTests.derived(name, type, "articles.@count"),
        ]),
      EntityDescription(
        name: "Article", properties: [.toOne("author", "Author", back: "articles")]),
    ])
  }

  @Test(arguments: [
    ("numbers", AttributeDescription.AttributeType.integer64), ("number", .double),
  ])
  func `a derived attribute is migrated to another name or type, and computed anew`(
    name: String, type: AttributeDescription.AttributeType
  ) throws {
    let folder = try StoreFolder()
    do {
      let context = try folder.open(model("number", .integer64)).newBackgroundContext()
      let author = ManagedObject("Author", in: context)
      author.setValue(
        [ManagedObject("Article", in: context), ManagedObject("Article", in: context)],
        forKey: "articles")
      try context.save()
    }
    let renamed = model(name, type)
    for options in [PersistentStoreOptions.migrating, PersistentStoreOptions()] {
      let context = try folder.open(renamed) { $0 = options }.newBackgroundContext()
      let author = try #require(
        try context.fetch(FetchRequest<ManagedObject>(entityName: "Author")).first)
      let value = author.value(forKey: name)
      #expect(value as? Double == 2 || value as? Int64 == 2)
    }
    #expect(
      try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: renamed).isEmpty)
  }
}

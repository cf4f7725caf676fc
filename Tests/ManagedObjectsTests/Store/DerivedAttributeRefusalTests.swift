import Foundation
import ManagedObjects
import Testing

@testable import ManagedObjects

/// Expressions that derive nothing, and columns that belong to another model.
@Suite struct DerivedAttributeRefusalTests {
  private typealias Own = OwnDerivedAttributeTests

  /// Authors and their articles; what is derived of an author is the caller's.
  private func model(_ derived: PropertyDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Author",
        properties: [
          .value("name", .string), .value("born", .date),
          .value("draft", .string, isTransient: true),
          .toMany("articles", "Article", back: "author"),
        ] + derived),
      EntityDescription(
        name: "Article",
        properties: [
          .value("title", .string), .value("words", .integer32),
          .toOne("author", "Author", back: "articles"),
        ]),
    ])
  }

  @Test(arguments: [
    ("canonica:(name)", "has an unknown function 'canonica': there are"),
    ("canonical:(nmae)", "refers to 'nmae', but 'Author' has no such property."),
    ("articles.@cuont", "has an unknown operator '@cuont': there are"),
    ("articles.@sum.words", "has the operator '@sum' within the path: it must come last"),
    ("articles.@count.words", "has the operator '@count' within the path"),
    ("articles.words", "goes through the to-many 'articles' without an operator."),
    ("articles", "goes through the to-many 'articles' without an operator."),
    ("articles.words.@count", "counts something that is not a to-many."),
    ("articles.wrods.@sum", "refers to 'wrods', but 'Article' has no such property."),
    ("articles.title.@sum", "applies @sum to an attribute that is not a number."),
    ("name.@count", "counts something that is not a to-many."),
    ("name.first", "continues after the attribute 'name'."),
    ("uppercase:(born)", "applies uppercase: to an attribute that is not a String."),
    ("draft", "refers to an attribute that is not stored."),
    ("now()", "returns a date, but the attribute is not a Date."),
    ("articles.author.name.@sum", "needs a to-many and an attribute of its members."),
    ("name ++ \" \"", "cannot be read."), ("", "cannot be read."),
    ("canonical:(name", "cannot be read."),
    ("@count", "cannot be read."), ("name..first", "cannot be read."),
  ])
  func `a mistake in an expression is reported when the store is added`(
    expression: String, reason: String
  ) throws {
    let model = model(Own.derived("key", .string, expression))
    let folder = try StoreFolder()
    for type in Stack.allTypes {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
      let error = #expect(throws: PersistentStoreError.self) {
        try coordinator.addPersistentStore(type: type, at: type.place(folder.store))
      }
      guard case .unsupportedModel(let sentence)? = error else { throw try #require(error) }
      #expect(
        sentence.hasPrefix("The expression '\(expression)' of Author.key \(reason)"), "\(sentence)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test(arguments: [
    "name", "canonical:(name)", "articles.@count", "count:(articles)", "articles.words.@sum",
    "sum:(articles.words)", "max:(articles.title)", "average:(articles.words)",
  ])
  func `every expression that Core Data accepts is accepted`(expression: String) throws {
    _ = try Stack(.sqlite, model: model(Own.derived("key", .string, expression)))
  }

  @Test(arguments: [AttributeDescription.AttributeType.date, .integer64])
  func `a text for an attribute of another type is reported when the store is added`(
    type: AttributeDescription.AttributeType
  ) throws {
    let model = model(Own.derived("key", type, "canonical:(name)"))
    let folder = try StoreFolder()
    let error = #expect(throws: PersistentStoreError.self) { try folder.open(model) }
    guard case .unsupportedModel(let sentence)? = error else { throw try #require(error) }
    #expect(
      sentence
        == "The expression 'canonical:(name)' of Author.key returns a string, but the attribute is not a String."
    )
  }

  @Test(arguments: [
    Own.derived("numbers", .integer64, "articles.@count"),
    Own.derived("number", .double, "articles.@count"),
    Own.derived("number", .string, "articles.@count"),
  ])
  func `a store whose column has another name or type is of another model`(
    other: PropertyDescription
  ) throws {
    let model = model(Own.derived("number", .integer64, "articles.@count"))
    let renamed = self.model(other)
    // The hashes don't show it.
    #expect(model.entityVersionHashesByName == renamed.entityVersionHashesByName)
    let folder = try StoreFolder()
    _ = try folder.open(model)
    for isReadOnly in [false, true] {
      let error = #expect(throws: PersistentStoreError.self) {
        try folder.open(renamed) { $0.isReadOnly = isReadOnly }
      }
      guard case .incompatibleModel(folder.store, let hashes, _)? = error else {
        throw try #require(error)
      }
      #expect(hashes == model.entityVersionHashesByName)
    }
    _ = try folder.open(model)
  }
}

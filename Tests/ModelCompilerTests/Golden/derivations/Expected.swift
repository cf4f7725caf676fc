// Written by momc from Model.xcdatamodel. Do not edit.
// swift-format-ignore-file

public import ManagedObjects

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

nonisolated extension ManagedObjectModel {
  /// The data model `Model` in its current version, `Model`.
  public static let model: ManagedObjectModel = ModelVersion1.model

  /// Every version of the data model `Model`, by its name.
  public static let modelVersions: [String: ManagedObjectModel] = [
    "Model": ModelVersion1.model,
  ]
}

/// The version `Model`.
nonisolated private enum ModelVersion1 {
  static let model = ManagedObjectModel(
    entities: [articleEntity, authorEntity], versionHashes: versionHashes, classes: classes)

  static let versionHashes: [String: VersionHash] = [
    "Article": VersionHash(hex: "653bfd21b44952ac8dd10ab78b33ceb35163e70fdfb33e1884aa6dea8c99ce20")!,
    "Author": VersionHash(hex: "f8ff13f420e8d93c24aed785bfdabb50156296a8ceb10ad7ac3a235f0546b91a")!,
  ]

  static let classes: [String: AnyClass] = [
    "Article": Article.self,
    "Author": Author.self,
  ]

  static let articleEntity = EntityDescription(
    name: "Article",
    properties: [
      .attribute(AttributeDescription(
        name: "authorKey", type: .string, isOptional: true,
        derivationExpression: "canonical:(author.name)")),
      .attribute(AttributeDescription(name: "title", type: .string, isOptional: true)),
      .attribute(AttributeDescription(
        name: "words", type: .integer32, isOptional: true, usesScalarValueType: true)),
      .relationship(RelationshipDescription(
        name: "author", destinationEntityName: "Author", inverseName: "articles",
        isOptional: true)),
    ]
  )

  static let authorEntity = EntityDescription(
    name: "Author",
    properties: [
      .attribute(AttributeDescription(name: "born", type: .date, isOptional: true)),
      .attribute(AttributeDescription(
        name: "changed", type: .date, isOptional: true, derivationExpression: "now()")),
      .attribute(AttributeDescription(
        name: "count", type: .integer64, isOptional: true,
        derivationExpression: "articles.@cuont")),
      .attribute(AttributeDescription(
        name: "function", type: .string, isOptional: true,
        derivationExpression: "canonica:(name)")),
      .attribute(AttributeDescription(
        name: "intermediate", type: .integer64, isOptional: true,
        derivationExpression: "articles.@sum.words")),
      .attribute(AttributeDescription(
        name: "key", type: .string, isOptional: true, derivationExpression: "canonical:(nmae)")),
      .attribute(AttributeDescription(
        name: "moment", type: .string, isOptional: true, derivationExpression: "now()")),
      .attribute(AttributeDescription(name: "name", type: .string, isOptional: true)),
      .attribute(AttributeDescription(
        name: "text", type: .string, isOptional: true, derivationExpression: "uppercase:(born)")),
      .attribute(AttributeDescription(
        name: "title", type: .string, isOptional: true, derivationExpression: "articles.title")),
      .attribute(AttributeDescription(
        name: "total", type: .integer64, isOptional: true,
        derivationExpression: "articles.words.@sum")),
      .attribute(AttributeDescription(
        name: "unreadable", type: .string, isOptional: true,
        derivationExpression: "name ++ \" \" ++ born")),
      .relationship(RelationshipDescription(
        name: "articles", destinationEntityName: "Article", inverseName: "author", isOptional: true,
        maxCount: 0, deleteRule: .cascade)),
    ]
  )
}

/// An object of the entity `Article`.
nonisolated public class Article: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Article.self ? [] : .all
  }
}

nonisolated extension Article {
  /// The attribute `authorKey`; nil if it has no value. The store computes it:
  /// `canonical:(author.name)`.
  public var authorKey: String? {
    optionalValue(at: PropertySlot(0, "authorKey"))
  }

  /// The attribute `title`; nil if it has no value.
  public var title: String? {
    get { optionalValue(at: PropertySlot(1, "title")) }
    set { setOptionalValue(newValue, at: PropertySlot(1, "title")) }
  }

  /// The attribute `words`; zero if it has no value.
  public var words: Int32 {
    get { scalarValue(at: PropertySlot(2, "words")) }
    set { setRequiredValue(newValue, at: PropertySlot(2, "words")) }
  }

  /// The relationship `author`; its inverse is `Author.articles`.
  public var author: Author? {
    get { toOne(at: PropertySlot(3, "author")) }
    set { setToOne(newValue, at: PropertySlot(3, "author")) }
  }
}

/// An object of the entity `Author`.
nonisolated public class Author: ManagedObject {
  /// None; all for a subclass that does not override this property.
  public override class var overriddenMethods: OverriddenMethods {
    self == Author.self ? [] : .all
  }
}

nonisolated extension Author {
  /// The attribute `born`; nil if it has no value.
  public var born: Date? {
    get { optionalValue(at: PropertySlot(0, "born")) }
    set { setOptionalValue(newValue, at: PropertySlot(0, "born")) }
  }

  /// The attribute `changed`; nil if it has no value. The store computes it: `now()`.
  public var changed: Date? {
    optionalValue(at: PropertySlot(1, "changed"))
  }

  /// The attribute `count`; nil if it has no value. The store computes it: `articles.@cuont`.
  public var count: Int64? {
    optionalValue(at: PropertySlot(2, "count"))
  }

  /// The attribute `function`; nil if it has no value. The store computes it: `canonica:(name)`.
  public var function: String? {
    optionalValue(at: PropertySlot(3, "function"))
  }

  /// The attribute `intermediate`; nil if it has no value. The store computes it:
  /// `articles.@sum.words`.
  public var intermediate: Int64? {
    optionalValue(at: PropertySlot(4, "intermediate"))
  }

  /// The attribute `key`; nil if it has no value. The store computes it: `canonical:(nmae)`.
  public var key: String? {
    optionalValue(at: PropertySlot(5, "key"))
  }

  /// The attribute `moment`; nil if it has no value. The store computes it: `now()`.
  public var moment: String? {
    optionalValue(at: PropertySlot(6, "moment"))
  }

  /// The attribute `name`; nil if it has no value.
  public var name: String? {
    get { optionalValue(at: PropertySlot(7, "name")) }
    set { setOptionalValue(newValue, at: PropertySlot(7, "name")) }
  }

  /// The attribute `text`; nil if it has no value. The store computes it: `uppercase:(born)`.
  public var text: String? {
    optionalValue(at: PropertySlot(8, "text"))
  }

  /// The attribute `title`; nil if it has no value. The store computes it: `articles.title`.
  public var title: String? {
    optionalValue(at: PropertySlot(9, "title"))
  }

  /// The attribute `total`; nil if it has no value. The store computes it: `articles.words.@sum`.
  public var total: Int64? {
    optionalValue(at: PropertySlot(10, "total"))
  }

  /// The attribute `unreadable`; nil if it has no value. The store computes it: `name ++ " " ++
  /// born`.
  public var unreadable: String? {
    optionalValue(at: PropertySlot(11, "unreadable"))
  }

  /// The relationship `articles`; its inverse is `Article.author`.
  public var articles: Set<Article> {
    get { unorderedToMany(at: PropertySlot(0, "articles")) }
    set { setUnorderedToMany(newValue, at: PropertySlot(0, "articles")) }
  }
}

// MARK: Generated accessors for articles

nonisolated extension Author {
  /// Adds an object to `articles`.
  public func addToArticles(_ value: Article) {
    add(value, to: PropertySlot(0, "articles"))
  }

  /// Removes an object from `articles`.
  public func removeFromArticles(_ value: Article) {
    remove(value, from: PropertySlot(0, "articles"))
  }

  /// Adds objects to `articles`.
  public func addToArticles(_ values: Set<Article>) {
    add(values, to: PropertySlot(0, "articles"))
  }

  /// Removes objects from `articles`.
  public func removeFromArticles(_ values: Set<Article>) {
    remove(values, from: PropertySlot(0, "articles"))
  }
}

import Testing

@testable import DataModel

/// One change of the entity `Dog` of a small model, and its effect on the hash.
struct EntityChange: Sendable, CustomTestStringConvertible {
  let name: String
  let apply: @Sendable (inout EntityDescription) -> Void

  var testDescription: String { name }

  var changesSomething: Bool {
    var dog = EntityDescription.dog
    apply(&dog)
    return dog != .dog
  }

  var hashOfDog: VersionHash? {
    var dog = EntityDescription.dog
    apply(&dog)
    return ManagedObjectModel(entities: [dog, .animal]).entityVersionHashesByName[dog.name]
  }

  static let nothing = EntityChange(name: "nothing") { _ in }

  static let hashed: [EntityChange] = [
    EntityChange(name: "the entity's name") { $0.name = "Hound" },
    EntityChange(name: "abstract") { $0.isAbstract = true },
    EntityChange(name: "superentity") { $0.superentityName = nil },
    EntityChange(name: "the entity's modifier") { $0.versionHashModifier = "2" },
    EntityChange(name: "a constraint more") { $0.uniquenessConstraints.append(["photo"]) },
    EntityChange(name: "a constraint widened") { $0.uniquenessConstraints[0] = ["name", "tag"] },
    EntityChange(name: "a property less") { $0.properties.removeLast() },
    attribute("name") { $0.name = "called" },
    attribute("type") { $0.type = .integer16 },
    attribute("optional") { $0.isOptional = true },
    attribute("transient") { $0.isTransient = true },
    attribute("external storage") { $0.allowsExternalBinaryDataStorage = true },
    attribute("kept in history") { $0.preservesValueInHistoryOnDeletion = true },
    attribute("modifier") { $0.versionHashModifier = "2" },
    attribute("derivation") { $0.derivationExpression = "now()" },
    attribute("elements") { $0.elements = [.init(name: "x", type: .double)] },
    relationship("name") { $0.name = "outings" },
    relationship("destination") { $0.destinationEntityName = "Outing" },
    relationship("inverse") { $0.inverseName = "hound" },
    relationship("no inverse") { $0.inverseName = nil },
    relationship("optional") { $0.isOptional = true },
    relationship("transient") { $0.isTransient = true },
    relationship("fewest") { $0.minCount = 1 },
    relationship("most") { $0.maxCount = 9 },
    relationship("to-one") { $0.maxCount = 1 },
    relationship("ordered") { $0.isOrdered = true },
    relationship("modifier") { $0.versionHashModifier = "2" },
  ]

  static let unhashed: [EntityChange] = [
    EntityChange(name: "class") { $0.managedObjectClassName = "Hound" },
    EntityChange(name: "indexes") { $0.indexes.append(.init(name: "byName", elements: [])) },
    EntityChange(name: "the entity's renaming identifier") { $0.renamingIdentifier = "Hound" },
    EntityChange(name: "a transient property more") {
      $0.properties.append(
        .attribute(.init(name: "mood", type: .undefined, isTransient: true)))
    },
    attribute("default value") { $0.defaultValue = .string("Fido") },
    attribute("bounds") { ($0.minimumValue, $0.maximumValue) = (.integer(1), .integer(9)) },
    attribute("regular expression") { $0.regularExpression = ".*" },
    attribute("transformer") { $0.valueTransformerName = "T" },
    attribute("value class") { $0.attributeValueClassName = "C" },
    attribute("index") { $0.isIndexed = true },
    attribute("Spotlight") { $0.isIndexedBySpotlight = true },
    attribute("external record") { $0.isStoredInExternalRecord = true },
    attribute("encryption") { $0.allowsCloudEncryption = true },
    attribute("user info") { $0.userInfo["a"] = "b" },
    relationship("user info") { $0.userInfo["a"] = "b" },
    EntityChange(name: "user info") { $0.userInfo["a"] = "b" },
    EntityChange(name: "a compound index") { $0.compoundIndexes.append(["name"]) },
    EntityChange(name: "a fetched property more") {
      $0.properties.append(
        .fetchedProperty(.init(name: "all", fetchRequest: .init(entityName: "Dog"))))
    },
    attribute("scalar") { $0.usesScalarValueType = true },
    attribute("renaming identifier") { $0.renamingIdentifier = "called" },
    relationship("delete rule") { $0.deleteRule = .cascade },
    relationship("renaming identifier") { $0.renamingIdentifier = "outings" },
  ]

  private static func attribute(
    _ name: String, _ change: @escaping @Sendable (inout AttributeDescription) -> Void
  ) -> EntityChange {
    EntityChange(name: "an attribute's \(name)") { dog in
      guard case .attribute(var attribute) = dog.properties[0] else { return }
      change(&attribute)
      dog.properties[0] = .attribute(attribute)
    }
  }

  private static func relationship(
    _ name: String, _ change: @escaping @Sendable (inout RelationshipDescription) -> Void
  ) -> EntityChange {
    EntityChange(name: "a relationship's \(name)") { dog in
      guard case .relationship(var relationship) = dog.properties[1] else { return }
      change(&relationship)
      dog.properties[1] = .relationship(relationship)
    }
  }
}

extension EntityDescription {
  static let animal = EntityDescription(
    name: "Animal",
    properties: [
      .attribute(.init(name: "weight", type: .double)),
      .attribute(.init(name: "tag", type: .uuid)),
    ])

  static let dog = EntityDescription(
    name: "Dog",
    superentityName: "Animal",
    properties: [
      .attribute(.init(name: "name", type: .string)),
      .relationship(
        .init(name: "walks", destinationEntityName: "Walk", inverseName: "dog", maxCount: 0)),
      .attribute(.init(name: "photo", type: .binaryData)),
    ],
    uniquenessConstraints: [["name"], ["tag", "weight"]])
}

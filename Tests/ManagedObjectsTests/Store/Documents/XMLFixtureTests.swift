import DataModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// XML stores that Apple's framework wrote: Xcode's sources of mapping models.
@Suite(.enabled(if: !XMLFixture.paths.isEmpty, "../shared/fixtures is missing"))
struct XMLFixtureTests {
  /// As much of Xcode's model as occurs in the documents.
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "XDDevMappingModel",
      properties: [
        .value("sourceModelPath", .string), .value("sourceModelData", .binaryData),
        .value("destinationModelPath", .string), .value("destinationModelData", .binaryData),
        .toMany("entityMappings", "XDDevEntityMapping", back: "mappingModel"),
      ]),
    EntityDescription(
      name: "XDDevEntityMapping",
      properties: [
        .value("migrationPolicyClassName", .string), .value("sourceName", .string),
        .value("mappingTypeName", .string), .value("mappingNumber", .integer16),
        .value("destinationName", .string), .value("autogenerateExpression", .boolean),
        one("mappingModel", "XDDevMappingModel", back: "entityMappings"),
        .toMany("attributeMappings", "XDDevAttributeMapping", back: "entityMapping"),
        .toMany("relationshipMappings", "XDDevRelationshipMapping", back: "entityMapping"),
      ]),
    EntityDescription(
      name: "XDDevAttributeMapping",
      properties: [
        .value("name", .string), .value("valueExpressionData", .binaryData),
        one("entityMapping", "XDDevEntityMapping", back: "attributeMappings"),
      ]),
    EntityDescription(
      name: "XDDevRelationshipMapping",
      properties: [
        .value("name", .string), .value("valueExpressionData", .binaryData),
        .value("autogenerateExpression", .boolean), .value("sourceMappingName", .string),
        .value("sourceKeyPath", .string),
        one("entityMapping", "XDDevEntityMapping", back: "relationshipMappings"),
      ]),
  ])

  private static func one(_ name: String, _ entity: String, back: String) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, destinationEntityName: entity, inverseName: back, isOptional: true, minCount: 1)
    )
  }

  private func folder(_ path: String) throws -> DocumentFolder {
    try DocumentFolder(
      Self.model, document: Data(contentsOf: URL.fixtures.appending(path: path)))
  }

  @Test(arguments: XMLFixture.paths)
  func `a document is rewritten byte for byte`(path: String) throws {
    let folder = try folder(path)
    let before = try folder.text()
    let container = try folder.openIgnoringVersions()
    let coordinator = container.persistentStoreCoordinator
    for value in [PropertyList.string("fido"), nil] {
      try coordinator.setMetadata(value, forKey: "dog", of: container.persistentStore)
    }
    #expect(try folder.text() == before)
    let context = container.newBackgroundContext()
    let mapping = try context.all("XDDevEntityMapping")[0]
    let name = mapping.text("destinationName")
    mapping.setValue("Dog", forKey: "destinationName")
    try context.save()
    let (old, new) = (before.split(separator: "\n"), try folder.text().split(separator: "\n"))
    #expect(old.count == new.count)
    #expect(zip(old, new).filter { $0 != $1 }.count == 1)
    mapping.setValue(name, forKey: "destinationName")
    try context.save()
    #expect(try folder.text() == before)
  }

  @Test(arguments: XMLFixture.paths)
  func `a document with added objects keeps its former content`(path: String) throws {
    let folder = try folder(path)
    let before = try folder.text()
    let context = try folder.openIgnoringVersions().newBackgroundContext()
    let mapping = try context.all("XDDevEntityMapping")[0]
    let new = ManagedObject("XDDevAttributeMapping", in: context)
    new.setValue(mapping, forKey: "entityMapping")
    try context.save()
    context.delete(new)
    try context.save()
    let highest = try #require(new.objectID.primaryKey)
    let expected = before.replacing(
      /<nextObjectID>\d+</, with: "<nextObjectID>\(highest)<")
    #expect(try folder.text() == expected)
  }
}

/// The documents, by their paths in the folder of fixtures.
enum XMLFixture {
  static let paths: [String] =
    FileManager.default.enumerator(atPath: URL.fixtures.path)?.compactMap { $0 as? String }
    .filter { $0.hasSuffix("xcmapping.xml") }.sorted() ?? []
}

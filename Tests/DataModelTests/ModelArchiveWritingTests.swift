import Foundation
import TestSupport
import Testing

@testable import DataModel

@Suite struct `An archived model` {
  private let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Animal", isAbstract: true,
        properties: [
          .attribute(
            AttributeDescription(
              name: "name", type: .string, defaultValue: .string("nobody"),
              versionHashModifier: "2", renamingIdentifier: "title", userInfo: ["note": "short"])),
          .attribute(
            AttributeDescription(
              name: "weight", type: .decimal, isOptional: true,
              defaultValue: .decimal(Decimal(string: "-12345678901234567890.125")!),
              minimumValue: .decimal(Decimal(string: "0.5")!))),
          .attribute(
            AttributeDescription(
              name: "legs", type: .integer16, minimumValue: .integer(0),
              maximumValue: .integer(8))),
          .attribute(
            AttributeDescription(
              name: "speed", type: .float, isOptional: true, maximumValue: .double(2.5))),
          .attribute(
            AttributeDescription(
              name: "breed", type: .string, minimumValue: .integer(2), maximumValue: .integer(30))),
          .attribute(
            AttributeDescription(
              name: "seen", type: .date,
              minimumValue: .date(Date(timeIntervalSinceReferenceDate: 0)))),
          .relationship(
            RelationshipDescription(
              name: "owner", destinationEntityName: "Person", inverseName: "animals",
              isOptional: true)),
        ], userInfo: ["origin": "zoo"]),
      EntityDescription(
        name: "Dog", managedObjectClassName: "Hound", superentityName: "Animal",
        properties: [
          .attribute(
            AttributeDescription(
              name: "photo", type: .binaryData, isOptional: true,
              defaultValue: .binary(Data([1, 2])), allowsExternalBinaryDataStorage: true,
              preservesValueInHistoryOnDeletion: true)),
          .attribute(
            AttributeDescription(
              name: "home", type: .uri, defaultValue: .uri(URL(string: "https://example.org/a")!))),
          .attribute(
            AttributeDescription(
              name: "tag", type: .uuid,
              defaultValue: .uuid(UUID(uuidString: "8B5F6718-6C65-4788-9202-E6B09B82F38A")!))),
          .attribute(
            AttributeDescription(
              name: "born", type: .date, isTransient: true,
              defaultValue: .date(Date(timeIntervalSinceReferenceDate: 86_400.5)), isIndexed: true)),
          .attribute(
            AttributeDescription(
              name: "coat", type: .transformable, isOptional: true,
              valueTransformerName: "Coats", attributeValueClassName: "Coat")),
          .attribute(
            AttributeDescription(
              name: "place", type: .composite, isOptional: true,
              elements: [AttributeDescription(name: "latitude", type: .double)])),
        ], uniquenessConstraints: [["name", "tag"]],
        indexes: [
          FetchIndexDescription(
            name: "byBirth",
            elements: [
              .init(propertyName: "born", isAscending: false),
              .init(propertyName: "tag", collationType: .rTree),
            ])
        ], versionHashModifier: "other", renamingIdentifier: "Hund",
        compoundIndexes: [["name", "born"]]),
      EntityDescription(
        name: "Person", managedObjectClassName: "ManagedObject",
        properties: [
          .attribute(
            AttributeDescription(
              name: "count", type: .integer64, derivationExpression: "count:(animals)")),
          .attribute(
            AttributeDescription(name: "changed", type: .date, derivationExpression: "now()")),
          .relationship(
            RelationshipDescription(
              name: "animals", destinationEntityName: "Animal", inverseName: "owner", minCount: 1,
              maxCount: 0, isOrdered: true, deleteRule: .cascade, userInfo: ["a": "b"])),
        ]),
    ], versionIdentifiers: ["1", "one"], configurations: ["people": ["Person"]])

  @Test func `is read back equal from a file`() throws {
    try expectSame(ManagedObjectModel(archive: model.archive), model)
  }

  @Test func `is read back equal from a store`() throws {
    try expectSame(ManagedObjectModel(modelCache: model.modelCache), model)
  }

  private func expectSame(_ found: ManagedObjectModel, _ expected: ManagedObjectModel) throws {
    #expect(found.entityVersionHashesByName == expected.entityVersionHashesByName)
    #expect(found.versionIdentifiers == expected.versionIdentifiers)
    #expect(found.configurations == expected.configurations)
    #expect(
      found.configurations.map { found.entities(forConfigurationName: $0)?.map(\.name) }
        == expected.configurations.map { expected.entities(forConfigurationName: $0)?.map(\.name) })
    #expect(found.entities.map(\.name) == expected.entities.map(\.name))
    for (one, other) in zip(found.entities, expected.entities) {
      var sorted = other
      sorted.properties.sort { $0.name < $1.name }
      #expect(one == sorted)
    }
  }

  @Test func `has the same bytes each time`() {
    #expect(model.archive == model.archive)
  }

  @Test func `does not need a relationship's inverse, or its destination entity`() throws {
    let lonely = ManagedObjectModel(entities: [
      EntityDescription(
        name: "A",
        properties: [
          .relationship(
            RelationshipDescription(name: "b", destinationEntityName: "None", inverseName: "a"))
        ])
    ])
    try expectSame(ManagedObjectModel(archive: lonely.archive), lonely)
  }

  @Test(.enabled("needs python3") { Python.isInstalled })
  func `is a keyed archive to an independent reader`() throws {
    let script = """
      import plistlib, sys
      archive = plistlib.loads(bytes.fromhex(sys.argv[1]))
      objects = archive["$objects"]
      assert archive["$archiver"] == "NSKeyedArchiver" and objects[0] == "$null"
      def follow(value):
          if isinstance(value, plistlib.UID):
              assert 0 <= value.data < len(objects)
          elif isinstance(value, dict):
              for each in value.values(): follow(each)
          elif isinstance(value, list):
              for each in value: follow(each)
      for value in objects: follow(value)
      root = objects[archive["$top"]["root"].data]
      table = objects[root["NSEntities"].data]
      print(sorted(objects[key.data] for key in table["NS.keys"]))
      """
    let hex = hexadecimal(model.archive)
    #expect(try Python.run(script, [hex]).text == "['Animal', 'Dog', 'Person']\n")
  }
}

/// Real models, written and read back.
@Suite(.enabled(if: StoreArchive.areThere, "no fixtures or python3"))
struct `The models of real stores` {
  @Test(arguments: StoreArchive.all)
  func `are equal after writing and reading`(store: StoreArchive) throws {
    let model = try ManagedObjectModel(modelCache: store.read().content)
    for again in [
      try ManagedObjectModel(archive: model.archive),
      try ManagedObjectModel(modelCache: model.modelCache),
    ] {
      #expect(again.entities == model.entities)
      #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
      #expect(again.versionIdentifiers == model.versionIdentifiers)
      #expect(again.configurations == model.configurations)
    }
  }

  @Test(arguments: URL.compiledModels)
  func `hash as the list beside compiled models states`(file: URL) throws {
    let model = try ManagedObjectModel(archive: Array(Data(contentsOf: file)))
    let info = try PropertyList(
      contents: Array(
        Data(contentsOf: file.deletingLastPathComponent().appending(path: "VersionInfo.plist"))))
    guard case .dictionary(let entries) = info,
      case .dictionary(let versions)? = entries["NSManagedObjectModel_VersionHashes"],
      case .dictionary(let hashes)? = versions[file.deletingPathExtension().lastPathComponent]
    else {
      Issue.record("no hashes of \(file.lastPathComponent)")
      return
    }
    #expect(
      model.entityVersionHashesByName.mapValues { PropertyList.data(Data($0.bytes)) } == hashes)
    #expect(try ManagedObjectModel(archive: model.archive).entities == model.entities)
  }
}

extension URL {
  /// The `.mom` files of the fixtures.
  static let compiledModels: [URL] = {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: URL.fixtures.path)) ?? []
    return paths.filter { $0.hasSuffix(".mom") }.sorted().map { URL.fixtures.appending(path: $0) }
  }()
}

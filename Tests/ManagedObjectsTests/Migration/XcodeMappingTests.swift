import DataFormats
@testable import DataModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Xcode's source of mapping models: XML stores.
struct XcodeMappingTests {
  private static let old = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Dog",
      properties: [
        .value("name", .string), .value("age", .integer16),
        .toMany("walks", "Walk", back: "dog"), .toOne("owner", "Person", back: "dogs"),
      ]),
    EntityDescription(name: "Person", properties: [.toMany("dogs", "Dog", back: "owner")]),
    EntityDescription(name: "Walk", properties: [.toOne("dog", "Dog", back: "walks")]),
    EntityDescription(name: "Run", superentityName: "Walk"),
  ])

  private static let new: ManagedObjectModel = {
    var title = AttributeDescription(name: "title", type: .string, isOptional: true)
    title.renamingIdentifier = "name"
    return ManagedObjectModel(entities: [
      EntityDescription(
        name: "Dog",
        properties: [
          .attribute(title), .value("age", .integer16), .value("weight", .double),
          .toMany("walks", "Walk", back: "dog"), .toOne("owner", "Person", back: "dogs"),
          .toOne("vet", "Person"),
        ]),
      EntityDescription(name: "Person", properties: [.toMany("dogs", "Dog", back: "owner")]),
      EntityDescription(name: "Walk", properties: [.toOne("dog", "Dog", back: "walks")]),
      EntityDescription(name: "Run", superentityName: "Walk"),
    ])
  }()

  private func document() -> XcodeMappingText { XcodeMappingText(from: Self.old, to: Self.new) }

  private func read(_ document: XcodeMappingText) throws -> [EntityMapping] {
    try MappingModel(Array(document.text.utf8)).entityMappings
  }

  @Test func `values are computed as Xcode's compiler does`() throws {
    var document = document()
    document.add(
      1, from: "Dog", to: "Dog",
      attributes: [("weight", ""), ("title", ""), ("age", "")],
      relationships: [("walks", ""), ("vet", ""), ("owner", "")])
    document.add(2, from: "Person", to: "Person")
    document.add(3, from: "Walk", to: "Walk")
    document.add(4, from: "Run", to: "Run")
    let dog = try #require(read(document).first)
    #expect(
      dog.attributeMappings == [
        PropertyMapping(name: "age", sourceName: "age"),
        PropertyMapping(name: "title", sourceName: "name"),
        PropertyMapping(name: "weight", sourceName: nil),
      ])
    #expect(
      dog.relationshipMappings == [
        PropertyMapping(name: "owner", sourceName: "owner", mappedBy: "PersonToPerson"),
        PropertyMapping(name: "vet", value: nil),
        // Walks become objects by two mappings.
        PropertyMapping(name: "walks", sourceName: "walks", mappedBy: nil),
      ])
  }

  @Test func `a written expression has precedence over a computed one`() throws {
    let expression = MappingArchive.expression { $0.function("abs:", [$0.source("age")]) }
    var document = document()
    document.add(
      1, from: "Dog", to: "Dog",
      attributes: [
        ("age", XcodeMappingText.attribute("valueexpressiondata", binary: expression)),
        ("title", XcodeMappingText.attribute("autogenerateexpression", "0")),
      ],
      relationships: [
        (
          "owner",
          XcodeMappingText.attribute("sourcekeypath", "$source.walks.@distinctUnionOfObjects.dog")
            + XcodeMappingText.attribute("sourcemappingname", "DogToDog")
        )
      ])
    let dog = try #require(read(document).first)
    let source = FetchExpression.variable("source")
    #expect(
      dog.attributeMappings.map(\.value) == [
        .expression(.function(.abs, [.property(of: source, "age")])), nil,
      ])
    #expect(
      dog.relationshipMappings.map(\.value) == [
        .destinationInstances(
          of: .property(of: source, "walks.@distinctUnionOfObjects.dog"), mappedBy: "DogToDog")
      ])
  }

  @Test func `a key path may be the source object itself, but no other variable`() throws {
    func read(_ path: String) throws -> PropertyMapping.Value? {
      var document = document()
      document.add(
        1, from: "Dog", to: "Dog",
        relationships: [
          (
            "vet",
            XcodeMappingText.attribute("sourcekeypath", path)
              + XcodeMappingText.attribute("sourcemappingname", "DogToVet")
          )
        ])
      return try self.read(document)[0].relationshipMappings[0].value
    }
    #expect(
      try read("$source")
        == .destinationInstances(of: .variable("source"), mappedBy: "DogToVet"))
    #expect(
      throws: MappingModelError.Reason.unsupportedExpression(
        entityMapping: "DogToDog", property: "vet", "has the key path $destination.owner")
    ) { try read("$destination.owner") }
  }

  @Test func `entity mappings have names, types, hashes, policies, conditions and notes`() throws {
    let notes = MappingArchive.expression { $0.dictionary(["a": "b"]) }
    var document = document()
    document.add(
      1, from: "Dog", to: "Dog",
      XcodeMappingText.attribute("migrationpolicyclassname", "App.DogPolicy")
        + XcodeMappingText.attribute("sourcefilterpredicatestring", "age \\u3e00 2")
        + XcodeMappingText.attribute("userinfodata", binary: notes))
    document.add(2, from: "Walk", to: nil)
    document.add(3, from: nil, to: "Person")
    document.add(4, from: "Dog", to: "Walk", attributes: [("pace", "")])
    document.add(
      5, from: "Dog", to: "Dog",
      attributes: [("age", XcodeMappingText.attribute("userinfodata", binary: notes))])
    document.add(
      6, from: "Dog", to: "Dog", XcodeMappingText.attribute("mappingtypename", "Transform"))
    let mappings = try read(document)
    #expect(
      mappings.map(\.name) == ["DogToDog", "Walk", "Person", "DogToWalk", "DogToDog", "DogToDog"])
    #expect(
      mappings.map(\.mappingType) == [.custom, .remove, .add, .transform, .copy, .transform])
    #expect(mappings[0].entityMigrationPolicyClassName == "App.DogPolicy")
    #expect(try mappings[0].sourcePredicate == FetchPredicate(format: "age > 2"))
    #expect(mappings[0].userInfo == ["a": "b"])
    #expect(mappings[4].attributeMappings[0].userInfo == ["a": "b"])
    #expect(mappings[0].sourceEntityVersionHash == Self.old.entityVersionHashesByName["Dog"])
    #expect(mappings[0].destinationEntityVersionHash == Self.new.entityVersionHashesByName["Dog"])
    #expect(mappings[2].sourceEntityVersionHash == nil)
    #expect(mappings[3].destinationEntityVersionHash == Self.new.entityVersionHashesByName["Walk"])
  }

  @Test func `entity mappings are ordered by their numbers, and orphans are skipped`()
    throws
  {
    var document = document()
    document.add("XDDEVATTRIBUTEMAPPING", XcodeMappingText.attribute("name", "orphan"))
    document.add(10, from: "Walk", to: "Walk")
    document.add(9, from: "Dog", to: "Dog", attributes: [("age", "")])
    document.add("XDDEVRELATIONSHIPMAPPING", XcodeMappingText.attribute("name", "orphan"))
    let mappings = try read(document)
    #expect(mappings.map(\.name) == ["DogToDog", "WalkToWalk"])
    #expect(mappings.flatMap(\.attributeMappings).map(\.name) == ["age"])
    #expect(mappings.flatMap(\.relationshipMappings).isEmpty)
  }

  @Test func `the hash of an entity that is not fully understood is left open`() throws {
    var entities = Self.old.entities
    let index = try #require(entities.firstIndex { $0.name == "Walk" })
    entities[index].properties.append(
      .attribute(
        AttributeDescription(
          name: "saved", type: .date, isOptional: true, derivationExpression: "now()")))
    let archive = try #require(
      XcodeModelArchive(MappingArchive.xcodeModel(ManagedObjectModel(entities: entities))))
    #expect(archive.versionHash(of: "Walk") == nil && archive.versionHash(of: "Run") == nil)
    #expect(archive.versionHash(of: "Dog") == Self.old.entityVersionHashesByName["Dog"])
    #expect(archive.versionHash(of: "Cat") == nil)
  }

  // MARK: XML stores

  @Test(arguments: [
    ("plain", "plain"), (#"a\\b"#, #"a\b"#), (#"\u3c00a\u3e00 \u2600"#, "<a> &"),
    (#"\u3dd800de"#, #"\u3dd800de"#.replacing(#"\u3dd8"#, with: "\u{FFFD}")),
    (#"\u3dd8\u00de"#, "\u{1F600}"), (#"\x \u12"#, #"\x \u12"#), (#"\"#, #"\"#),
    (#"\u+123"#, #"\u+123"#), (#"\\u3c00"#, #"\u3c00"#),
  ])
  func `a string of an XML store is unescaped`(text: String, expected: String) {
    #expect(text.unescapedXMLStoreText == expected)
  }

  @Test func `objects of an XML store are read with their values and relationships by name`() throws
  {
    let objects = try XMLStoreObject.all(
      in: Array(
        """
        <database><databaseInfo><metadata/></databaseInfo>
        <object type="DOG" id="z102"><attribute name="name" type="string">A\\\\B</attribute>
        <attribute name="photo" type="binary">AQ
        I=</attribute><relationship name="walks" type="0/0" destination="WALK" idrefs="z103 z9"/></object>
        </database>
        """.utf8))
    let dog = try #require(objects?.first)
    #expect(dog.entityName == "DOG" && dog.id == 102 && dog.line == 2)
    #expect(dog.text("name") == #"A\B"# && dog.attributes["name"]?.type == "string")
    #expect(dog.data("photo") == Data([1, 2]))
    #expect(dog.relationships == ["walks": [103, 9]])
    #expect(try XMLStoreObject.all(in: Array("<plist/>".utf8)) == nil)
  }

  // MARK: Damage

  @Test func `damaged XML is an error with its line`() {
    let texts = [
      (
        "<database>\n<object type=\"A\" id=\"x1\"/></database>", 2,
        "'x1' is not the id of an object"
      ),
      (
        "<database>\n<object id=\"z1\"/>\n<object id=\"z1\"/></database>", 3,
        "another object has the id z1"
      ),
      (
        "<database>\n<object id=\"z1\"></database>", 2,
        "</database> does not match <object> of line 2"
      ),
    ]
    for (text, line, reason) in texts {
      #expect(throws: MappingModelError.Reason.damagedXML(line: line, reason)) {
        try MappingModel(Array(text.utf8))
      }
    }
  }

  @Test func `a value's archive that is damaged is an error with its line`() throws {
    var document = document()
    document.add(
      1, from: "Dog", to: "Dog",
      attributes: [("age", XcodeMappingText.attribute("valueexpressiondata", binary: [1, 2]))])
    #expect(
      throws: MappingModelError.Reason.damagedXML(
        line: 6, "valueexpressiondata of z102 is not an archive")
    ) { try read(document) }
  }

  @Test func `Xcode's folder is read through its file`() throws {
    var document = document()
    document.add(1, from: "Dog", to: "Dog")
    let folder = try TemporaryFolder()
    let file = try folder.write(
      Data(document.text.utf8), to: "Old to new.xcmappingmodel/xcmapping.xml")
    let mapping = try MappingModel(contentsOf: file)
    #expect(mapping.entityMappings.map(\.name) == ["DogToDog"])
    #expect(try MappingModel(contentsOf: file.deletingLastPathComponent()) == mapping)
    #expect(throws: MappingModelError(url: folder.url, reason: .unreadable(errno: ENOENT))) {
      try MappingModel(contentsOf: folder.url)
    }
  }
}

import DataFormats
@testable import DataModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Compiled mapping models: keyed archives.
struct MappingArchiveTests {
  private typealias Build = (inout MappingArchive) -> PropertyList

  /// What a value stored in an archive is read as.
  private func value(_ build: @escaping Build) throws -> PropertyMapping.Value? {
    try MappingModel(MappingArchive.mapping(attributes: [("size", build)]))
      .entityMappings[0].attributeMappings[0].value
  }

  private let source = FetchExpression.variable("source")

  @Test func `names, type, hashes, policy and notes are read from the archive`() throws {
    let hash = [UInt8](repeating: 7, count: 32)
    let bytes = MappingArchive.mapping([
      "NSMappingType": .integer(5), "NSEntityMigrationPolicyClassName": .string("App.DogPolicy"),
      "NSSourceEntityVersionHash": .data(Data(hash)),
    ])
    let mapping = try #require(MappingModel(bytes).entityMappings.first)
    #expect(mapping.name == "DogToHound")
    #expect(mapping.sourceEntityName == "Dog" && mapping.destinationEntityName == "Hound")
    #expect(mapping.mappingType == .transform)
    #expect(mapping.sourceEntityVersionHash == VersionHash(bytes: hash))
    #expect(mapping.destinationEntityVersionHash == nil)
    #expect(mapping.entityMigrationPolicyClassName == "App.DogPolicy")
    #expect(mapping.sourcePredicate == nil)
  }

  @Test func `a value is a key path from the source`() throws {
    #expect(try value { $0.source("name") } == .expression(.property(of: source, "name")))
    #expect(
      try value { $0.source("owner.name") } == .expression(.property(of: source, "owner.name")))
    #expect(try value { $0.variable("source") } == .expression(source))
    let mapping = try MappingModel(
      MappingArchive.mapping(attributes: [("title", { $0.source("name") })]))
    #expect(
      mapping.entityMappings[0].attributeMappings == [
        PropertyMapping(name: "title", sourceName: "name")
      ])
  }

  @Test func `a value is a constant of any type`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1000)
    let uuid = UUID()
    let constants: [(AttributeValue?, Build)] = [
      (.string("x"), { $0.text("x") }), (.integer(3), { _ in .integer(3) }),
      (.double(2.5), { _ in .real(2.5) }), (.boolean(true), { _ in .boolean(true) }),
      (nil, { _ in .uid(0) }), (nil, { $0.object("NSNull", [:]) }),
      (.date(date), { $0.object("NSDate", ["NS.time": .real(1000)]) }),
      (.binary(Data([1])), { $0.object("NSMutableData", ["NS.data": .data(Data([1]))]) }),
      (
        .uuid(uuid),
        {
          let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
          return $0.object("NSUUID", ["NS.uuidbytes": .data(bytes)])
        }
      ),
    ]
    for (expected, build) in constants {
      let read = try value { archive in
        let constant = build(&archive)
        return archive.constant(constant)
      }
      #expect(read == .expression(.constant(expected)))
    }
  }

  @Test func `functions are translated to the predicate language`() throws {
    let hours = try value {
      $0.function("divide:by:", [$0.source("seconds"), $0.constant(.integer(3600))])
    }
    #expect(
      hours
        == .expression(
          .function(.divide, [.property(of: source, "seconds"), .constant(.integer(3600))])))
    #expect(
      try value { $0.function("uppercase:", [$0.source("name")]) }
        == .expression(.function(.uppercase, [.property(of: source, "name")])))
    #expect(
      try value { $0.function("count:", [$0.source("walks")]) }
        == .expression(.property(of: source, "walks.@count")))
    #expect(
      try value {
        $0.function("castObject:toType:", [$0.source("age"), $0.constant(.string("NSDate"))])
      }
        == .expression(.function(.toDate, [.property(of: source, "age")])))
    #expect(
      try value { $0.aggregate([$0.constant(.integer(1)), $0.source("age")]) }
        == .expression(.aggregate([.constant(.integer(1)), .property(of: source, "age")])))
  }

  @Test func `a choice is read with its condition`() throws {
    let read = try value {
      let isOld = $0.comparison($0.source("age"), 3, $0.constant(.integer(7)))
      let isFido = $0.comparison(
        $0.source("name"), 8, $0.constant(.string("f")), options: ("NSFlags", 3))
      let hasOwner = $0.compound(
        0, [$0.comparison($0.source("owner"), 4, $0.constant(.uid(0)))])
      let condition = $0.compound(1, [isOld, $0.compound(2, [isFido, hasOwner])])
      return $0.expression(
        "NSTernaryExpression", 20,
        [
          "NSPredicate": condition, "NSTrueExpression": $0.constant(.integer(1)),
          "NSFalseExpression": $0.source("age"),
        ])
    }
    let text = """
      TERNARY($source.age >= 7 AND ($source.name BEGINSWITH[cd] "f" OR NOT $source.owner == nil), 1, \
      $source.age)
      """
    #expect(try read == .expression(FetchExpression(format: text)))
  }

  @Test func `a subquery is read with its variable, which is defined only inside`() throws {
    func subquery(of variable: String) -> Build {
      {
        let minutes = $0.call(
          "valueForKeyPath:", on: $0.variable("walk"), [$0.constant($0.text("minutes"))],
          class: "NSKeyPathExpression")
        let isLong = $0.comparison(minutes, 2, $0.constant(.integer(30)))
        let members = $0.expression(
          "NSSubqueryExpression", 13,
          [
            "NSExpression": $0.source("walks"), "NSVariable": $0.text(variable),
            "NSSubpredicate": isLong,
          ])
        return $0.call(
          "valueForKeyPath:", on: members, [$0.constant($0.text("@count"))],
          class: "NSKeyPathExpression")
      }
    }
    #expect(
      try value(subquery(of: "walk"))
        == .expression(
          FetchExpression(format: "SUBQUERY($source.walks, $walk, $walk.minutes > 30).@count")))
    #expect(
      throws: MappingModelError.Reason.unsupportedExpression(
        entityMapping: "DogToHound", property: "size", "uses $walk")
    ) { try value(subquery(of: "w")) }
  }

  @Test func `a comparison of an unknown type is an error`() {
    for (type, modifier, option) in [(11, 0, 0), (4, 3, 0), (4, 0, 8)] as [(Int64, Int64, Int64)] {
      #expect(
        throws: MappingModelError.Reason.unsupportedExpression(
          entityMapping: "DogToHound", property: "size", "has a comparison of an unknown type")
      ) {
        try value {
          let predicate = $0.comparison(
            $0.source("age"), type, $0.source("age"), modifier: modifier,
            options: ("NSOptions", option))
          return $0.expression("NSTernaryExpression", 20, ["NSPredicate": predicate])
        }
      }
    }
  }

  @Test func `a relationship leads to the objects made from the source's objects`() throws {
    func call(_ selector: String, _ name: String) -> (inout MappingArchive) -> PropertyList {
      {
        $0.call(
          selector, on: $0.variable("manager"),
          [$0.constant($0.text(name)), $0.source("owner")])
      }
    }
    let mapping = try MappingModel(
      MappingArchive.mapping(relationships: [
        ("owner", call("destinationInstancesForEntityMappingNamed:sourceInstances:", "A")),
        (
          "keeper", call("destinationInstancesForSourceRelationshipNamed:sourceInstances:", "owner")
        ),
      ]))
    #expect(
      mapping.entityMappings[0].relationshipMappings == [
        PropertyMapping(name: "owner", sourceName: "owner", mappedBy: "A"),
        PropertyMapping(name: "keeper", sourceName: "owner", mappedBy: nil),
      ])
  }

  @Test func `the condition on the source objects is read`() throws {
    let bytes = MappingArchive.mapping(source: { $0.fetch("Dog", "age > 2") })
    #expect(
      try MappingModel(bytes).entityMappings[0].sourcePredicate
        == FetchPredicate(format: "age > 2"))
  }

  @Test func `a mapping without a source expression takes no objects`() throws {
    let mapping = try MappingModel(MappingArchive.mapping(source: nil))
    #expect(mapping.entityMappings[0].sourcePredicate == .constant(false))
  }

  @Test func `a call of the policy has its arguments`() throws {
    let read = try value { archive in
      archive.call(
        "sizeFromWeight:manager:", on: archive.variable("entityPolicy"),
        [archive.source("weight"), archive.variable("manager")])
    }
    #expect(
      read
        == .policyFunction(
          "sizeFromWeight:manager:",
          arguments: [.property(of: source, "weight"), .variable("manager")]))
    // An operation on its result has no counterpart.
    #expect(
      throws: MappingModelError.Reason.unsupportedExpression(
        entityMapping: "DogToHound", property: "size", "calls size: of the policy")
    ) {
      try value { archive in
        let call = archive.call("size:", on: archive.variable("entityPolicy"), [])
        return archive.function("uppercase:", [call])
      }
    }
    #expect(
      throws: MappingModelError.Reason.unsupportedExpression(
        entityMapping: "DogToHound", property: "size", "uses $stranger")
    ) {
      try value { $0.call("size:", on: $0.variable("entityPolicy"), [$0.variable("stranger")]) }
    }
  }

  @Test func `a property mapping has the developer's notes`() throws {
    let bytes = MappingArchive.mapping(
      attributes: [("size", { $0.source("size") })], notes: ["unit": "kg"])
    let mapping = try #require(MappingModel(bytes).entityMappings.first)
    #expect(mapping.attributeMappings[0].userInfo == ["unit": "kg"])
    #expect(mapping.attributeMappings[0].sourceName == "size")
  }

  // MARK: Expressions without a counterpart

  @Test(arguments: [
    ("calls sourceModel of the migration manager", "manager", "sourceModel"),
    ("calls the method makeUp:", "source", "makeUp:"),
  ])
  func `a call of a method is an error that names mapping, property and method`(
    expected: String, variable: String, selector: String
  ) {
    let bytes = MappingArchive.mapping(attributes: [
      ("name", { $0.call(selector, on: $0.variable(variable), []) })
    ])
    #expect(
      throws: MappingModelError.Reason.unsupportedExpression(
        entityMapping: "DogToHound", property: "name", expected)
    ) { try MappingModel(bytes) }
  }

  @Test(arguments: [
    ("is incomplete", "NSSubqueryExpression"), ("is a FETCH", "NSFetchRequestExpression"),
    ("has a predicate of the class nil", "NSTernaryExpression"),
    ("is a block", "NSBlockExpression"),
    ("has an expression of the class NSSetExpression", "NSSetExpression"),
  ])
  func `an expression of another kind is an error that names the kind`(
    expected: String, className: String
  ) {
    let bytes = MappingArchive.mapping(attributes: [("name", { $0.expression(className, 9, [:]) })])
    #expect(
      throws: MappingModelError.Reason.unsupportedExpression(
        entityMapping: "DogToHound", property: "name", expected)
    ) { try MappingModel(bytes) }
  }

  @Test func `other variables, functions and constants are errors`() {
    let builds: [(String, Build)] = [
      ("uses $destination", { $0.variable("destination") }),
      (
        "calls the function distanceToLocation:fromLocation:",
        { $0.function("distanceToLocation:fromLocation:", [$0.source("a"), $0.source("b")]) }
      ),
      ("calls the function add:to:", { $0.function("add:to:", [$0.source("a")]) }),
      ("has a constant of the class UIColor", { $0.constant($0.object("UIColor", [:])) }),
    ]
    for (expected, build) in builds {
      #expect(
        throws: MappingModelError.Reason.unsupportedExpression(
          entityMapping: "DogToHound", property: "size", expected)
      ) { try value(build) }
    }
  }

  @Test func `values without a counterpart are left to a policy only where there is one`() throws {
    let attributes: [(String, Build)] = [
      ("age", { $0.source("age") }),
      ("name", { $0.call("makeUp:", on: $0.variable("source"), []) }),
    ]
    let policy: [String: PropertyList] = ["NSEntityMigrationPolicyClassName": .string("DogPolicy")]
    let folder = try TemporaryFolder()
    let with = try folder.write(
      MappingArchive.mapping(policy, attributes: attributes), to: "with.cdm")
    let without = try folder.write(
      MappingArchive.mapping(attributes: attributes), to: "without.cdm")
    let mapping = try MappingModel(contentsOf: with, leavingValuesToPolicies: true)
    #expect(
      mapping.entityMappings[0].attributeMappings == [
        PropertyMapping(name: "age", sourceName: "age"), PropertyMapping(name: "name", value: nil),
      ])
    #expect(throws: MappingModelError.self) { try MappingModel(contentsOf: with) }
    #expect {
      try MappingModel(contentsOf: without, leavingValuesToPolicies: true)
    } throws: {
      "\($0)"
        == "\(without.path): the value of name in DogToHound calls the method makeUp:, "
        + "which has no counterpart here."
    }
  }

  @Test func `a source expression that is no fetch of the source's entity is an error`() {
    for (expected, build) in [
      ("is not a fetch request of an entity", { $0.source("walks") }),
      ("fetches Cat", { $0.fetch("Cat", "TRUEPREDICATE") }),
    ] as [(String, Build)] {
      #expect(
        throws: MappingModelError.Reason.unsupportedExpression(
          entityMapping: "DogToHound", property: nil, expected)
      ) { try MappingModel(MappingArchive.mapping(source: build)) }
    }
  }

  @Test func `an invalid condition is an error that shows the mistake`() throws {
    let bytes = MappingArchive.mapping(source: { $0.fetch("Dog", "age >") })
    let error = #expect(throws: MappingModelError.Reason.self) { try MappingModel(bytes) }
    guard case .unreadablePredicate("DogToHound", let inner)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(inner.position == 5)
  }

  // MARK: Damage

  @Test func `every prefix of an archive is an error`() {
    let bytes = MappingArchive.mapping(attributes: [("name", { $0.source("name") })])
    for count in bytes.indices {
      #expect(throws: MappingModelError.Reason.self) { try MappingModel(Array(bytes[..<count])) }
    }
  }

  @Test func `an archive of another kind is not a mapping model`() {
    let bytes = ManagedObjectModel(entities: [EntityDescription(name: "Dog")]).archive
    #expect(throws: MappingModelError.Reason.notAMappingModel) { try MappingModel(bytes) }
    for text in ["", "{}", "<gpx><trk/></gpx>", "<database></database>"] {
      #expect(throws: MappingModelError.Reason.notAMappingModel) {
        try MappingModel(Array(text.utf8))
      }
    }
  }

  @Test func `expressions that nest too deep, or refer to each other too often, are errors`() {
    let deep = MappingArchive.mapping(attributes: [
      (
        "name",
        { archive in
          (0..<200).reduce(archive.source("name")) { inner, _ in
            archive.function("uppercase:", [inner])
          }
        }
      )
    ])
    let often = MappingArchive.mapping(attributes: [
      (
        "name",
        { archive in
          (0..<60).reduce(archive.source("name")) { inner, _ in
            archive.function("add:to:", [inner, inner])
          }
        }
      )
    ])
    for (bytes, expected) in [
      (deep, "is nested too deeply"), (often, "refers to the same objects too often"),
    ] {
      #expect(
        throws: MappingModelError.Reason.unsupportedExpression(
          entityMapping: "DogToHound", property: "name", expected)
      ) { try MappingModel(bytes) }
    }
  }

  @Test func `a missing file is an error with its path`() throws {
    let url = try TemporaryFolder().url.appending(path: "none.cdm")
    #expect(throws: MappingModelError(url: url, reason: .unreadable(errno: ENOENT))) {
      try MappingModel(contentsOf: url)
    }
    #expect("\(MappingModelError(url: url, reason: .notAMappingModel))".hasPrefix(url.path))
  }
}

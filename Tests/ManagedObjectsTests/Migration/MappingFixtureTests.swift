import Foundation
import ModelCompiler
import TestSupport
import Testing

@testable import ManagedObjects

/// Mapping models of real apps, compiled by Apple's tools and written by Xcode.
@Suite(.enabled(if: AppleStore.areThere, "../shared/fixtures is missing"))
struct MappingFixtureTests {
  private let compiled = URL.fixtures.appending(path: "sample/V2toV3.cdm")
  private let source = URL.fixtures.appending(path: "sample/V2toV3.xcmappingmodel")
  private let moody = URL.fixtures.appending(path: "moody")

  private func model(_ path: String) throws -> ManagedObjectModel {
    try CompiledModel(contentsOf: URL.fixtures.appending(path: path)).currentVersion.model
  }

  @Test func `a compiled mapping and Xcode's source of it are read as equal mappings`() throws {
    let mapping = try MappingModel(contentsOf: compiled)
    #expect(
      mapping.entityMappings.map(\.name) == [
        "CarToCar", "LuxuryCarToLuxuryCar", "PersonToPerson", "SportCarToSportCar", "Maker",
      ])
    #expect(
      mapping.entityMappings.map(\.mappingType) == [.custom, .custom, .copy, .custom, .add])
    let car = mapping.entityMappings[0]
    #expect(
      car.relationshipMappings == [
        PropertyMapping(name: "createdBy", value: nil),
        PropertyMapping(name: "owner", sourceName: "owner", mappedBy: "PersonToPerson"),
        PropertyMapping(name: "previousOwners", sourceName: "owner", mappedBy: "PersonToPerson"),
      ])
    let xcodes = try MappingModel(contentsOf: source)
    for (one, other) in zip(mapping.entityMappings, xcodes.entityMappings) { #expect(one == other) }
    #expect(mapping == xcodes)
  }

  @Test func `Xcode's copies of both models yield their version hashes`() throws {
    let mapping = try MappingModel(contentsOf: source)
    let versions = "sample/SampleModel.xcdatamodeld/SampleModel"
    let (old, new) = (try model(versions + "2.xcdatamodel"), try model(versions + "3.xcdatamodel"))
    #expect(mapping.leads(from: old, to: new) && !mapping.leads(from: new, to: old))
    for entity in mapping.entityMappings {
      #expect(entity.destinationEntityVersionHash != nil)
      #expect((entity.sourceEntityVersionHash == nil) == (entity.name == "Maker"))
    }
  }

  @Test func `key paths with operators and Xcode's own expressions are read`() throws {
    let first = try MappingModel(
      contentsOf: moody.appending(path: "Moody 2-Moody 3.xcmappingmodel"))
    #expect(
      first.entityMappings.map(\.name) == [
        "MoodToMood", "CountryToCountry", "ContinentToContinent",
      ])
    #expect(
      first.entityMappingsByName["ContinentToContinent"]?.relationshipMappings == [
        PropertyMapping(name: "countries", sourceName: "countries", mappedBy: "CountryToCountry"),
        PropertyMapping(
          name: "moods",
          value: .destinationInstances(
            of: .property(of: .variable("source"), "countries.@distinctUnionOfSets.moods"),
            mappedBy: "MoodToMood")),
      ])
    let third = try MappingModel(
      contentsOf: moody.appending(path: "Moody 4-Moody 5.xcmappingmodel"))
    #expect(
      third.entityMappingsByName["CountryToCountry"]?.attributeMappings
        .first { $0.name == "isoContinent" }?.value
        == .expression(.property(of: .variable("source"), "continent.numericISO3166Code")))
    let last = try MappingModel(
      contentsOf: moody.appending(path: "Moody 5-Moody 6.xcmappingmodel"))
    #expect(last.entityMappings.map(\.name) == ["Continent", "CountryToCountry", "MoodToMood"])
    #expect(
      last.entityMappings[1].entityMigrationPolicyClassName == "Migrations.Country5ToCountry6Policy"
    )
  }

  @Test func `the mapping from each version of an app to the next is found by hashes`() throws {
    let versions = "moody/Moody.xcdatamodeld/Moody"
    let models = try ["", " 2", " 3", " 4", " 5", " 6"].map {
      try model("\(versions)\($0).xcdatamodel")
    }
    for (index, old) in models.enumerated() {
      for (other, new) in models.enumerated() where [1, 2, -1].contains(other - index) {
        let found = try MappingModel(from: [moody], forSourceModel: old, destinationModel: new)
        let exists = index > 0 && other == index + 1
        #expect((found != nil) == exists, "\(index + 1) to \(other + 1)")
        guard exists else { continue }
        let name = "Moody \(index + 1)-Moody \(other + 1).xcmappingmodel"
        #expect(try found == MappingModel(contentsOf: moody.appending(path: name)))
      }
    }
  }

  @Test func `stores of an app are migrated through its versions by its own mappings`() throws {
    let versions = "moody/Moody.xcdatamodeld/Moody"
    for version in 2...4 {
      let (old, new) = try (
        model("\(versions) \(version).xcdatamodel"), model("\(versions) \(version + 1).xcdatamodel")
      )
      let folder = try StoreFolder(copyOf: moody.appending(path: "Moody \(version).moody"))
      let before = try folder.snapshot(old).objects
      let mapping = try #require(
        try MappingModel(from: [moody], forSourceModel: old, destinationModel: new))
      let manager = MigrationManager(sourceModel: old, destinationModel: new)
      _ = try manager.migrateStore(at: folder.store, mapping: mapping)
      let after = try folder.snapshot(new).objects
      let was = Dictionary(grouping: before, by: \.key.entity)
      let isNow = Dictionary(grouping: after, by: \.key.entity)
      for name in ["Mood", "Country"] {
        #expect(try #require(was[name]).count == isNow[name]?.count)
        for attribute in try #require(new.entitiesByName[name]).attributesByName.keys {
          guard old.entitiesByName[name]?.attributesByName[attribute] != nil else { continue }
          func values(_ objects: [(key: StoreSnapshot.Key, value: [String: [String]])]?) -> [String]
          {
            (objects ?? []).map { "\($0.value[attribute] ?? [])" }.sorted()
          }
          #expect(values(was[name]) == values(isNow[name]), "\(version): \(name).\(attribute)")
        }
      }
      let countries = isNow["Country"] ?? []
      if version == 2 {
        // The continent's moods are those of its countries, each once.
        for (key, continent) in isNow["Continent"] ?? [] {
          let moods = countries.filter { $0.value["continent"] == ["\(key.key)"] }
            .flatMap { $0.value["moods"] ?? [] }
          #expect(continent["moods"]?.sorted() == Set(moods).sorted())
        }
      }
      if version == 4 {
        #expect(countries.contains { $0.value["isoContinent"]?.isEmpty == false })
      }
    }
  }

  @Test func `an app's last mapping makes continents from numbers, by the policy that it names`()
    throws
  {
    let versions = "moody/Moody.xcdatamodeld/Moody"
    let (old, new) = try (
      model("\(versions) 5.xcdatamodel"), model("\(versions) 6.xcdatamodel")
    )
    let folder = try StoreFolder(copyOf: moody.appending(path: "Moody 5.moody"))
    let was = try SQLiteFile(folder.store).rows(
      "SELECT ZNUMERICISO3166CODE, ZISOCONTINENT FROM ZCOUNTRY ORDER BY 1")
    #expect(!was.isEmpty)
    var options = PersistentStoreOptions()
    options.sourceModels = [old]
    options.migratesAutomatically = true
    options.mappingModels = [
      try #require(try MappingModel(from: [moody], forSourceModel: old, destinationModel: new))
    ]
    options.entityMigrationPolicies = ["Country5ToCountry6Policy": ContinentPolicy.self]
    _ = try PersistentContainer(name: "Moody", model: new, storeURL: folder.store, options: options)
    let file = try SQLiteFile(folder.store)
    let isNow = try file.rows(
      """
      SELECT c.ZNUMERICISO3166CODE, k.ZNUMERICISO3166CODE
      FROM ZCOUNTRY c LEFT JOIN ZCONTINENT k ON c.ZCONTINENT = k.Z_PK ORDER BY 1
      """)
    #expect(isNow == was)
    #expect(
      try file.value("SELECT count(*) FROM ZCONTINENT") == "\(Set(was.map { $0[1] }).count)")
    #expect(try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: new).isEmpty)
  }

  @Test(arguments: [true, false])
  func `a mapping of a hierarchy is carried out, by the policy that it names`(isCompiled: Bool)
    throws
  {
    let versions = "sample/SampleModel.xcdatamodeld/SampleModel"
    let (old, new) = (try model(versions + "2.xcdatamodel"), try model(versions + "3.xcdatamodel"))
    let folder = try StoreFolder(
      copyOf: URL.fixtures.appending(path: "sample/SampleModel_V2.sqlite"))
    let cars = """
      SELECT Z_NAME, ZNUMBERPLATE, c.ZMAKER, ZFIRSTNAME, ZLASTNAME FROM ZCAR c
      JOIN Z_PRIMARYKEY e ON c.Z_ENT = e.Z_ENT LEFT JOIN ZPERSON p ON c.ZOWNER = p.Z_PK ORDER BY 2, 1
      """
    // The old store has its entities under the names of the version before.
    let was = try SQLiteFile(folder.store).rows(cars).map { Array($0.dropFirst()) }
    let manager = MigrationManager(sourceModel: old, destinationModel: new)
    manager.entityMigrationPolicies["V2to3MakerPolicy"] = MakerPolicy.self
    let mapping = try MappingModel(contentsOf: isCompiled ? compiled : source)
    try manager.migrateStore(at: folder.store, mapping: mapping)
    let file = try SQLiteFile(folder.store)
    let makers = cars.replacingOccurrences(of: "c.ZMAKER", with: "m.ZNAME").replacingOccurrences(
      of: "LEFT JOIN ZPERSON", with: "LEFT JOIN ZMAKER m ON c.ZCREATEDBY = m.Z_PK LEFT JOIN ZPERSON"
    )
    let isNow = try file.rows(makers)
    #expect(was.count == 125 && isNow.map { Array($0.dropFirst()) } == was)
    #expect(Set(isNow.map { $0[0] }) == ["Car", "SportCar", "LuxuryCar"])
    // Every owner of a car is among those who were.
    let owners = try #require(
      try file.column("SELECT name FROM sqlite_schema WHERE name LIKE 'Z_%PREVIOUS%'").first)
    #expect(
      try file.value("SELECT count(*) FROM \(owners)")
        == "\(was.filter { $0[2] != "NULL" }.count)")
    #expect(try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: new).isEmpty)
  }

  @Test func `every prefix of a compiled mapping is an error`() throws {
    let bytes = Array(try Data(contentsOf: compiled))
    for count in bytes.indices {
      #expect(throws: MappingModelError.Reason.self) { try MappingModel(Array(bytes[..<count])) }
    }
  }

  @Test func `a prefix of Xcode's source is an error with a line`() throws {
    let bytes = Array(try Data(contentsOf: source.appending(path: "xcmapping.xml")))
    for count in stride(from: 30, to: bytes.count, by: 1999) {
      let error = #expect(throws: MappingModelError.Reason.self) {
        try MappingModel(Array(bytes[..<count]))
      }
      guard case .damagedXML(1..., _)? = error else {
        Issue.record("\(count): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func `randomly changed bytes are read or refused`() throws {
    var generator = SeededGenerator(seed: 17)
    let bytes = Array(try Data(contentsOf: compiled))
    for _ in 0..<300 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        changed[Int.random(in: changed.indices, using: &generator)] =
          UInt8.random(in: .min ... .max, using: &generator)
      }
      do throws(MappingModelError.Reason) {
        _ = try MappingModel(changed)
      } catch {
        #expect(!MappingModelError(url: compiled, reason: error).description.isEmpty)
      }
    }
  }
}

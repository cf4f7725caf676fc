import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Random pairs of models, the second made of the first by legal steps; what a store holds is
/// migrated as the mapping says.
struct RandomMigrationTests {
  @Test func `what stores hold is migrated from random models to others`() throws {
    let seed = SeededGenerator.seed()
    for round in 0..<60 {
      var random = SeededGenerator(seed: seed &+ UInt64(round))
      try Self.migrate(&random, "seed \(seed &+ UInt64(round))")
    }
  }

  private static func migrate(_ random: inout SeededGenerator, _ hint: String) throws {
    let model = RandomModel(&random)
    let folder = try StoreFolder()
    let context = try folder.open(model.model).newBackgroundContext()
    var objects = RandomObjects(context: context, model: model)
    for _ in 0..<20 { objects.insert(&random) }
    try context.save()
    var versions = [model.model]
    var log: [String] = []
    for version in 0..<2 {
      var steps = RandomModelSteps(versions[version], version: version)
      for _ in 0..<Int.random(in: 1...5, using: &random) { steps.step(&random) }
      log.append("\(steps.log)")
      do {
        try migrate(
          folder, from: versions[version], to: steps.model, defaults: steps.defaults,
          finishes: version == 1, &random, "\(hint), version \(version): \(log)")
      } catch {
        Issue.record("\(error) (\(hint), version \(version): \(log))")
        return
      }
      versions.append(steps.model)
    }
    // And back, where that can be inferred.
    for version in [1, 0] {
      let (new, old) = (versions[version + 1], versions[version])
      guard let mapping = try? MappingModel.inferred(from: new, to: old) else { return }
      do {
        try migrate(
          folder, from: new, to: old, defaults: defaults(of: old, by: mapping), finishes: false,
          &random,
          "\(hint), back to \(version): \(log)")
      } catch is MigrationError {
        // Not every store can go where its model could: rows may lack what was not required.
        return
      } catch {
        Issue.record("\(error) (\(hint), back to \(version): \(log))")
      }
    }
  }

  /// Migrates a store, and holds what becomes of it against the mapping.
  private static func migrate(
    _ folder: StoreFolder, from old: ManagedObjectModel, to new: ManagedObjectModel,
    defaults: [String: [String]], finishes: Bool, _ random: inout SeededGenerator, _ hint: String
  ) throws {
    let mapping = try MappingModel.inferred(from: old, to: new)
    let before = try folder.snapshot(old)
    var options = PersistentStoreOptions()
    options.defersMigration = Bool.random(using: &random)
    try PersistentStoreCoordinator.migrateStore(at: folder.store, to: new, options: options)
    let faults = try PersistentStoreCoordinator.faults(ofStoreAt: folder.store, model: new)
    #expect(faults.map(\.description) == [], "\(hint)")
    let after = try folder.snapshot(new)
    #expect(
      differences(from: (old, before), to: (new, after), mapping, defaults: defaults) == [],
      "\(hint)")
    // Not always, so that more than one migration may leave something.
    guard finishes || Bool.random(using: &random) else { return }
    try folder.open(new).persistentStoreCoordinator.finishDeferredMigration()
    #expect(try folder.snapshot(new) == after, "\(hint)")
    let fresh = try StoreFolder()
    try fresh.fill(new) { _ in }
    #expect(try columns(of: folder) == columns(of: fresh), "\(hint)")
  }

  /// The default values that missing ones become, by the names of their attributes.
  private static func defaults(
    of model: ManagedObjectModel, by mapping: MappingModel
  ) -> [String: [String]] {
    let new = Set(
      mapping.entityMappings.flatMap(\.attributeMappings).filter { $0.sourceName == nil }
        .map(\.name))
    var defaults: [String: [String]] = [:]
    for entity in model.entities {
      for (name, attribute) in entity.attributesByName
      where !attribute.isOptional || new.contains(name) {
        if let value = attribute.defaultValue { defaults[name] = ["\(value)"] }
      }
    }
    return defaults
  }

  /// The columns of the model's tables, in no order.
  private static func columns(of folder: StoreFolder) throws -> [[String]] {
    try SQLiteFile(folder.store).rows(
      """
      SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
      WHERE m.type = 'table' ORDER BY 1, 2
      """)
  }

  /// What the objects of the new store have otherwise than the mapping says.
  private static func differences(
    from source: (model: ManagedObjectModel, snapshot: StoreSnapshot),
    to destination: (model: ManagedObjectModel, snapshot: StoreSnapshot), _ mapping: MappingModel,
    defaults: [String: [String]]
  ) -> [String] {
    let (before, after) = (source.snapshot, destination.snapshot)
    var differences: [String] = []
    var expected: Set<StoreSnapshot.Key> = []
    for entity in mapping.entityMappings {
      guard let oldName = entity.sourceEntityName, let name = entity.destinationEntityName,
        let former = source.model.entitiesByName[oldName],
        let description = destination.model.entitiesByName[name]
      else { continue }
      let properties = entity.attributeMappings + entity.relationshipMappings
      for (key, values) in before.objects where key.entity == oldName {
        let newKey = StoreSnapshot.Key(entity: name, key: key.key)
        expected.insert(newKey)
        guard let new = after.objects[newKey] else {
          differences.append("\(key) is gone")
          continue
        }
        for property in properties {
          guard let found = new[property.name] else { continue }
          let isAttribute = description.attributesByName[property.name] != nil
          let old = property.sourceName.flatMap { values[$0] }
          let isOrdered = description.relationshipsByName[property.name]?.isOrdered == true
          let wasOrdered =
            property.sourceName.flatMap { former.relationshipsByName[$0] }?.isOrdered == true
          var wanted = old ?? []
          if isAttribute, wanted.isEmpty { wanted = defaults[property.name] ?? [] }
          // Who becomes a member through a new inverse is not the mapping's to say.
          if old == nil, !isAttribute { continue }
          if let end = description.relationshipsByName[property.name]?.destinationEntityName {
            // An object that goes with its entity is nobody's any more; who else is gone is told above.
            let family = destination.model.family(of: end)
            wanted = wanted.filter { key in
              family.contains { after.objects[.init(entity: $0, key: Int64(key)!)] != nil }
            }
          }
          if isOrdered, !wasOrdered { wanted.sort { Int($0)! < Int($1)! } }
          if isOrdered ? found != wanted : found.sorted() != wanted.sorted() {
            differences.append("\(newKey).\(property.name): \(found) for \(wanted)")
          }
        }
      }
    }
    differences += after.objects.keys.filter { !expected.contains($0) }.map { "\($0) is new" }
    return differences.sorted()
  }
}

/// Steps from one version of a model to the next that are always inferred.
struct RandomModelSteps {
  private var entities: [EntityDescription]
  /// What was done, for whoever looks for a failure.
  private(set) var log: [String] = []
  /// The values of attributes that were missing, by attribute, as a snapshot has them.
  private(set) var defaults: [String: [String]] = [:]
  private var touched: Set<String> = []
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz")
  private let prefix: String

  /// - Parameter version: tells new names of one version from those of another.
  init(_ model: ManagedObjectModel, version: Int) {
    // What was renamed by the version before is what it is now.
    entities = model.entities.map { entity in
      var entity = entity
      entity.renamingIdentifier = nil
      entity.properties = entity.properties.map { $0.renamed(to: $0.name, from: nil) }
      return entity
    }
    prefix = "v\(version)"
  }

  var model: ManagedObjectModel { ManagedObjectModel(entities: entities) }

  mutating func step(_ random: inout SeededGenerator) {
    let place = entities.indices.randomElement(using: &random)!
    let name = "\(prefix)\(Self.letters[log.count % 26])"
    switch Int.random(in: 0..<11, using: &random) {
    case 0: add(name, to: place, &random)
    case 1: rename(name, in: place, &random)
    case 2: remove(from: place, &random)
    case 3: changeOrder(&random)
    case 4: renameEntity(place, name)
    case 5: addEntity(name, &random)
    case 6: makeToMany(place, &random)
    case 7: lift(&random)
    case 8: require(place, &random)
    case 9: externalize(place)
    default: addRelationship(name, &random)
    }
  }

  private mutating func add(
    _ name: String, to place: Int, _ random: inout SeededGenerator
  ) {
    log.append("add \(entities[place].name).\(name)")
    if Bool.random(using: &random) {
      entities[place].properties.append(.value(name, .string))
    } else {
      defaults[name] = ["integer(5)"]
      entities[place].properties.append(
        .attribute(.init(name: name, type: .integer32, defaultValue: .integer(5))))
    }
    touched.insert(name)
  }

  private mutating func rename(
    _ name: String, in place: Int, _ random: inout SeededGenerator
  ) {
    let names = entities[place].properties.indices.filter {
      !touched.contains(entities[place].properties[$0].name)
    }
    guard let index = names.randomElement(using: &random) else { return }
    let property = entities[place].properties[index]
    guard property.name != "n" else { return }
    log.append("rename \(entities[place].name).\(property.name) to \(name)")
    touched.formUnion([name])
    entities[place].properties[index] = property.renamed(to: name, from: property.name)
    guard case .relationship(let relationship) = property else { return }
    // Whoever leads back knows it by its name.
    for other in entities.indices {
      entities[other].properties = entities[other].properties.map { back in
        guard case .relationship(var inverse) = back, inverse.inverseName == property.name,
          back.name == relationship.inverseName
        else { return back }
        inverse.inverseName = name
        return .relationship(inverse)
      }
    }
  }

  private mutating func remove(from place: Int, _ random: inout SeededGenerator) {
    let found = entities[place].attributes.filter { $0.name != "n" && !touched.contains($0.name) }
    guard let attribute = found.randomElement(using: &random) else { return }
    log.append("remove \(entities[place].name).\(attribute.name)")
    entities[place].properties.removeAll { $0.name == attribute.name }
  }

  private mutating func changeOrder(_ random: inout SeededGenerator) {
    change(where: { $0.isToMany }, &random) {
      $0.isOrdered.toggle()
      return "order"
    }
  }

  private mutating func makeToMany(_ place: Int, _ random: inout SeededGenerator) {
    // With a to-one back, objects would have to give up what they lead to.
    let all = entities.flatMap(\.relationships)
    change(
      where: { relationship in
        guard let inverse = relationship.inverseName else { return true }
        return all.first { $0.name == inverse }?.isToMany == true
      }, &random
    ) {
      $0.maxCount = 0
      return "to-many"
    }
  }

  private mutating func change(
    where isWanted: (RelationshipDescription) -> Bool, _ random: inout SeededGenerator,
    _ body: (inout RelationshipDescription) -> String
  ) {
    let found = entities.flatMap(\.relationships).filter(isWanted)
    guard let chosen = found.randomElement(using: &random) else { return }
    for place in entities.indices {
      entities[place].properties = entities[place].properties.map { property in
        guard case .relationship(var relationship) = property, relationship.name == chosen.name
        else { return property }
        log.append("\(body(&relationship)) \(chosen.name)")
        return .relationship(relationship)
      }
    }
  }

  private mutating func renameEntity(_ place: Int, _ name: String) {
    let (old, new) = (entities[place].name, name.uppercased())
    guard entities[place].renamingIdentifier == nil, !old.hasPrefix(prefix.uppercased()) else {
      return
    }
    log.append("rename \(old) to \(new)")
    entities[place].name = new
    entities[place].renamingIdentifier = old
    for other in entities.indices {
      if entities[other].superentityName == old { entities[other].superentityName = new }
      entities[other].properties = entities[other].properties.map { property in
        guard case .relationship(var relationship) = property,
          relationship.destinationEntityName == old
        else { return property }
        relationship.destinationEntityName = new
        return .relationship(relationship)
      }
    }
  }

  private mutating func addEntity(_ name: String, _ random: inout SeededGenerator) {
    // Sometimes before all others, so that numbers change; sometimes within a family.
    let first = Bool.random(using: &random) ? "A" : "Z"
    let parent = Bool.random(using: &random) ? entities.randomElement(using: &random)?.name : nil
    let added = "\(first)\(name)"
    guard !entities.contains(where: { $0.name == added }) else { return }
    log.append("add \(added) to \(parent ?? "none")")
    entities.append(
      EntityDescription(
        name: added, superentityName: parent, properties: [.value("\(name)x", .date)]))
  }

  /// Moves an attribute of a subentity to its superentity.
  private mutating func lift(_ random: inout SeededGenerator) {
    let children = entities.indices.filter { entities[$0].superentityName != nil }
    guard let child = children.randomElement(using: &random),
      let parent = entities.firstIndex(where: { $0.name == entities[child].superentityName }),
      let attribute = entities[child].attributes.first(where: {
        $0.name != "n" && !touched.contains($0.name) && $0.isOptional
      })
    else { return }
    log.append("lift \(entities[child].name).\(attribute.name)")
    entities[child].properties.removeAll { $0.name == attribute.name }
    entities[parent].properties.append(.attribute(attribute))
  }

  private mutating func require(_ place: Int, _ random: inout SeededGenerator) {
    let found = entities[place].properties.indices.filter {
      guard case .attribute(let attribute) = entities[place].properties[$0] else { return false }
      return attribute.type == .string && !touched.contains(attribute.name)
    }
    guard let index = found.randomElement(using: &random),
      case .attribute(var attribute) = entities[place].properties[index]
    else { return }
    log.append("require \(attribute.name)")
    attribute.isOptional = false
    attribute.defaultValue = .string("default")
    defaults[attribute.name] = ["string(\"default\")"]
    touched.insert(attribute.name)
    entities[place].properties[index] = .attribute(attribute)
  }

  private mutating func externalize(_ place: Int) {
    entities[place].properties = entities[place].properties.map { property in
      guard case .attribute(var attribute) = property, attribute.type == .binaryData else {
        return property
      }
      log.append("external \(attribute.name)")
      attribute.allowsExternalBinaryDataStorage.toggle()
      return .attribute(attribute)
    }
  }

  private mutating func addRelationship(_ name: String, _ random: inout SeededGenerator) {
    let (one, other) = (
      entities.indices.randomElement(using: &random)!,
      entities.indices.randomElement(using: &random)!
    )
    log.append("relate \(entities[one].name).\(name)r and \(entities[other].name).\(name)s")
    entities[one].properties.append(
      .toMany("\(name)r", entities[other].name, back: "\(name)s", isOrdered: true))
    entities[other].properties.append(
      Bool.random(using: &random)
        ? .toOne("\(name)s", entities[one].name, back: "\(name)r")
        : .toMany("\(name)s", entities[one].name, back: "\(name)r"))
  }
}

extension PropertyDescription {
  /// The property under another name, with the name it had.
  fileprivate func renamed(to name: String, from old: String?) -> PropertyDescription {
    switch self {
    case .attribute(var attribute):
      (attribute.name, attribute.renamingIdentifier) = (name, old)
      return .attribute(attribute)
    case .relationship(var relationship):
      (relationship.name, relationship.renamingIdentifier) = (name, old)
      return .relationship(relationship)
    case .fetchedProperty: return self
    }
  }
}

extension ManagedObjectModel {
  /// An entity and all that descend from it, by their names.
  fileprivate func family(of name: String) -> [String] {
    [name] + entities.filter { $0.superentityName == name }.flatMap { family(of: $0.name) }
  }
}

import DataFormats

/// Writes a model as the keyed archive that Core Data reads: a `.mom` file, or a store's model.
///
///     let writer = ModelArchiveWriter(model, for: .file)
///     writer.archive   // a binary property list
///
/// Everything that affects how rows are stored is written. The keys are those of Core Data's
/// archives.
struct ModelArchiveWriter: Sendable {
  /// The purpose of an archive.
  enum Purpose: Sendable {
    /// A file, in which each entity has only its own properties.
    case file
    /// A store, in which each entity also has inherited properties.
    case store
  }

  private let model: ManagedObjectModel
  private let purpose: Purpose
  private var objects = KeyedArchiveObjects()
  private var entities: [String: PropertyList] = [:]
  /// The relationships by entity and name, for their inverses.
  private var relationships: [String: [String: PropertyList]] = [:]
  private let root: PropertyList

  /// The archive, as a binary property list.
  var archive: [UInt8] { objects.archive(root: root) }

  /// Archives a model; takes some microseconds a property.
  init(_ model: ManagedObjectModel, for purpose: Purpose) {
    self.model = model
    self.purpose = purpose
    root = objects.reserve()
    let sorted = model.entities.sorted { $0.name < $1.name }
    for entity in sorted {
      entities[entity.name] = objects.reserve()
      for property in properties(of: entity) {
        guard case .relationship(let one) = property else { continue }
        relationships[entity.name, default: [:]][one.name] = objects.reserve()
      }
    }
    for entity in sorted { fill(entity) }
    fillRoot(sorted)
  }

  private func properties(of entity: EntityDescription) -> [PropertyDescription] {
    let all = purpose == .store ? Array(entity.propertiesByName.values) : entity.properties
    return all.sorted { $0.name < $1.name }
  }

  private mutating func fillRoot(_ sorted: [EntityDescription]) {
    var entries = [
      "NSEntities": entityTable(sorted), "NSFetchRequestTemplates": KeyedArchiveObjects.null,
    ]
    let identifiers = model.versionIdentifiers.map { objects.reference(toText: $0) }
    entries["NSVersionIdentifiers"] = objects.add(identifiers, class: "NSSet")
    if !model.configurations.isEmpty {
      var configurations: [(name: String, value: PropertyList)] = []
      for name in model.configurations {
        let members = model.entities(forConfigurationName: name) ?? []
        let references = members.compactMap { entities[$0.name] }
        configurations.append((name, objects.add(references, class: "NSSet")))
      }
      entries["NSConfigurations"] = objects.add(configurations)
    }
    objects.fill(root, entries, class: "NSManagedObjectModel")
  }

  /// The entities by name; for a store in a dictionary whose keys are in an object of their own.
  private mutating func entityTable(_ sorted: [EntityDescription]) -> PropertyList {
    let members = sorted.compactMap { entity in entities[entity.name].map { (entity.name, $0) } }
    guard purpose == .store else { return objects.add(members) }
    let keys = members.map { objects.reference(toText: $0.0) }
    let mapping = objects.add(
      [
        "keys": objects.add(keys), "length": .integer(Int64(keys.count)), "version": .integer(1),
      ], class: "NSKnownKeysMappingStrategy1")
    return objects.add(
      [
        "values": objects.add(members.map(\.1)), "searchMapping": mapping, "version": .integer(1),
        "emptyToken": objects.reference(toText: "__empty_slot_token_4c24_98dc_ac1e_b773__"),
      ], class: "NSKnownKeysDictionary1")
  }

  // MARK: Entities

  private mutating func fill(_ entity: EntityDescription) {
    guard let reference = entities[entity.name] else { return }
    var properties: [(name: String, value: PropertyList)] = []
    for property in self.properties(of: entity) {
      guard let archived = archive(property, of: entity) else { continue }
      properties.append((property.name, archived))
    }
    let subentities = model.entities.filter { $0.superentityName == entity.name }
      .sorted { $0.name < $1.name }
      .compactMap { subentity in entities[subentity.name].map { (subentity.name, $0) } }
    let className =
      entity.managedObjectClassName == "ManagedObject"
      ? "NSManagedObject" : entity.managedObjectClassName
    var entries = [
      "NSEntityName": objects.reference(toText: entity.name),
      "NSClassNameForEntity": objects.reference(toText: className),
      "NSProperties": objects.add(properties),
      "NSSubentities": objects.add(subentities),
      "NSSuperentity": entity.superentityName.flatMap { entities[$0] } ?? KeyedArchiveObjects.null,
      "NSManagedObjectModel": root,
      "NSUserInfo": archive(entity.userInfo),
      "NSVersionHashModifier": objects.reference(toText: entity.versionHashModifier),
      "NSRenamingIdentifier": objects.reference(toText: entity.renamingIdentifier ?? entity.name),
    ]
    if entity.isAbstract { entries["NSIsAbstract"] = .boolean(true) }
    if !entity.uniquenessConstraints.isEmpty {
      entries["NSUniqueTuples"] = archive(entity.uniquenessConstraints)
    }
    if !entity.compoundIndexes.isEmpty {
      entries["NSCompoundIndexes"] = archive(entity.compoundIndexes)
    }
    if !entity.indexes.isEmpty {
      entries["NSFetchIndexDescriptions"] = archive(entity.indexes, of: reference)
    }
    objects.fill(reference, entries, class: "NSEntityDescription")
  }

  private mutating func archive(_ lists: [[String]]) -> PropertyList {
    let members = lists.map { list in
      let names = list.map { objects.reference(toText: $0) }
      return objects.add(names, class: "NSMutableArray")
    }
    return objects.add(members, class: "NSMutableArray")
  }

  private mutating func archive(_ userInfo: [String: String]) -> PropertyList {
    let entries = userInfo.sorted { $0.key < $1.key }.map { entry in
      (entry.key, objects.reference(toText: entry.value))
    }
    return objects.add(entries, class: "NSDictionary")
  }

  private mutating func archive(
    _ indexes: [FetchIndexDescription], of entity: PropertyList
  ) -> PropertyList {
    let members = indexes.map { index in
      let reference = objects.reserve()
      let elements = index.elements.map { element in
        objects.add(
          [
            "NSPropertyName": objects.reference(toText: element.propertyName),
            "NSFetchIndexElementType": .integer(Int64(element.collationType.rawValue)),
            "NSAscending": .boolean(element.isAscending),
            "NSFetchIndexDescription": reference,
          ], class: "NSFetchIndexElementDescription")
      }
      objects.fill(
        reference,
        [
          "NSIndexName": objects.reference(toText: index.name), "NSEntity": entity,
          "NSPartialIndexPredicate": KeyedArchiveObjects.null,
          "NSIndexElements": objects.add(elements),
        ], class: "NSFetchIndexDescription")
      return reference
    }
    return objects.add(members, class: "NSMutableArray")
  }

  // MARK: Properties

  private mutating func archive(
    _ property: PropertyDescription, of entity: EntityDescription
  ) -> PropertyList? {
    guard let owner = entities[entity.name] else { return nil }
    switch property {
    case .attribute(let attribute): return objects.add(attribute, of: owner)
    case .relationship(let relationship):
      guard let reference = relationships[entity.name]?[relationship.name] else { return nil }
      fill(reference, relationship, of: owner)
      return reference
    case .fetchedProperty: return nil
    }
  }

  private mutating func fill(
    _ reference: PropertyList, _ relationship: RelationshipDescription, of owner: PropertyList
  ) {
    let destination = relationship.destinationEntityName
    var flags = ArchivedPropertyFlags(
      isOptional: relationship.isOptional, isTransient: relationship.isTransient,
      userInfo: relationship.userInfo, versionHashModifier: relationship.versionHashModifier)
    flags.isOrdered = relationship.isOrdered
    var entries = flags.entries
    entries.merge(
      [
        "NSPropertyName": objects.reference(toText: relationship.name), "NSEntity": owner,
        "NSRenamingIdentifier": objects.reference(
          toText: relationship.renamingIdentifier ?? relationship.name),
        "NSDestinationEntity": entities[destination] ?? KeyedArchiveObjects.null,
        "_NSDestinationEntityName": objects.reference(toText: destination),
        "NSInverseRelationship": inverse(of: relationship),
        "_NSInverseRelationshipName": objects.reference(toText: relationship.inverseName),
        "NSDeleteRule": .integer(Int64(relationship.deleteRule.rawValue)),
        "NSMinCount": .integer(Int64(relationship.minCount)),
        "NSMaxCount": .integer(Int64(relationship.maxCount)),
      ]) { first, _ in first }
    if flags.hasUserInfo { entries["NSUserInfo"] = archive(relationship.userInfo) }
    if let modifier = relationship.versionHashModifier {
      entries["NSVersionHashModifier"] = objects.reference(toText: modifier)
    }
    objects.fill(reference, entries, class: "NSRelationshipDescription")
  }

  /// The inverse relationship, of the nearest entity that has it in the archive.
  private func inverse(of relationship: RelationshipDescription) -> PropertyList {
    guard let name = relationship.inverseName,
      let destination = model.entitiesByName[relationship.destinationEntityName]
    else { return KeyedArchiveObjects.null }
    for entity in model.lineage(of: destination).reversed() {
      if let found = relationships[entity.name]?[name] { return found }
    }
    return KeyedArchiveObjects.null
  }
}

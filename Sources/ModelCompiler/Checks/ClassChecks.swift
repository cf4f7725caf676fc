import DataModel

/// Checks the classes for which Swift is generated.
enum ClassChecks {
  static func check(_ model: SourceModel, _ log: inout DiagnosticLog) {
    let typeNames = model.typeNames
    for entity in model.entities where entity.codeGeneration != .manual {
      guard let className = entity.className else {
        log.warning(
          "accessors are to be written for '\(entity.name)', but it names no class",
          at: entity.location)
        continue
      }
      if !NameChecks.isIdentifier(className) || ReservedNames.isClass(className) {
        log.error(
          "'\(className)' cannot be the name of a class for '\(entity.name)'",
          at: entity.location)
      }
      for property in entity.properties where typeNames.contains(property.name) {
        let fullName = "\(entity.name).\(property.name)"
        if entity.isHandwritten {
          log.warning(
            "the property '\(fullName)' has no accessor: it has the name of a type",
            at: property.location)
        } else {
          log.error(
            "the property '\(fullName)' cannot have the name of a type", at: property.location)
        }
      }
      for attribute in entity.attributes {
        checkValueClass(of: attribute, of: entity, &log)
      }
    }
    let groups = Dictionary(grouping: model.entities.filter { $0.className != nil }) {
      $0.className ?? ""
    }
    for (className, entities) in groups.sorted(by: { $0.key < $1.key })
    where entities.contains(where: { $0.codeGeneration != .manual }) {
      checkSuperclass(of: className, entities, in: model, &log)
      checkProperties(of: className, entities, in: model, &log)
    }
  }

  /// Checks that the class of a transformable's values is a valid Swift type here too.
  private static func checkValueClass(
    of attribute: SourceAttribute, of entity: SourceEntity, _ log: inout DiagnosticLog
  ) {
    guard let name = attribute.customClassName else { return }
    let fullName = "\(entity.name).\(attribute.name)"
    guard let type = SwiftTypeName(name) else {
      log.error(
        "the values of '\(fullName)' cannot be of the class '\(name)'", at: attribute.location)
      return
    }
    guard attribute.type == .transformable, !attribute.isTransient, type.isAppleClass else {
      return
    }
    log.warning(
      "the class '\(name)' of '\(fullName)' is assumed to be one that only Apple's systems have: "
        + "the accessor returns the stored bytes; write a class of your own with its module",
      at: attribute.location)
  }

  /// Checks that a class has a single superclass, whichever entities share it.
  private static func checkSuperclass(
    of className: String, _ entities: [SourceEntity], in model: SourceModel,
    _ log: inout DiagnosticLog
  ) {
    var chain = [className]
    while let superclass = model.superclassNames(of: chain[chain.count - 1])
      .compactMap(\.self).min()
    {
      if chain.contains(superclass) {
        for entity in entities {
          log.error("the class '\(className)' would be its own superclass", at: entity.location)
        }
        return
      }
      chain.append(superclass)
    }
    guard model.superclassNames(of: className).count > 1 else { return }
    for entity in entities.dropFirst() {
      log.error(
        "the class '\(className)' of '\(entity.name)' would have two superclasses: its entities "
          + "have parents of different classes",
        at: entity.location)
    }
  }

  /// Checks that entities with the same class agree about properties of the same name.
  private static func checkProperties(
    of className: String, _ entities: [SourceEntity], in model: SourceModel,
    _ log: inout DiagnosticLog
  ) {
    var known: [String: (shape: [String], entity: String)] = [:]
    for entity in entities {
      let shapes = model.shapes(of: entity)
      let inherited = Set(model.lineage(of: entity).dropFirst().flatMap(\.properties).map(\.name))
      for property in entity.properties where !inherited.contains(property.name) {
        let shape = shapes[property.name] ?? []
        if let other = known[property.name], other.shape != shape {
          log.error(
            "'\(other.entity)' and '\(entity.name)' share the class '\(className)', but differ in "
              + "what '\(property.name)' is",
            at: property.location)
        } else {
          known[property.name] = (shape, entity.name)
        }
      }
    }
  }
}

extension SourceModel {
  /// Returns the superclasses of a class according to its entities' parents; nil is
  /// `ManagedObject`.
  func superclassNames(of className: String) -> Set<String?> {
    let byName = entitiesByName
    let parents = entities.filter { $0.className == className }
      .map { $0.parentName.flatMap { byName[$0] }?.className }
    return Set(parents).subtracting([className])
  }

  /// Returns the values that determine the Swift type of each property, as texts for comparison.
  fileprivate func shapes(of entity: SourceEntity) -> [String: [String]] {
    var shapes: [String: [String]] = [:]
    for attribute in entity.attributes {
      let flags = [attribute.isOptional, attribute.usesScalarValueType, attribute.isDerived]
      let elements = attribute.type == .composite ? elements(of: attribute) ?? [] : []
      shapes[attribute.name] =
        ["\(attribute.type, default: "")", attribute.customClassName ?? ""]
        + flags.map(\.description)
        + elements.map { "\($0.name) \($0.type, default: "")" }
    }
    for relationship in entity.relationships {
      let flags = [relationship.isToMany, relationship.isOrdered]
      shapes[relationship.name] = [relationship.destinationName ?? ""] + flags.map(\.description)
    }
    for property in entity.fetchedProperties {
      shapes[property.name] = ["fetched", property.fetchRequest?.description.entityName ?? ""]
    }
    return shapes
  }
}

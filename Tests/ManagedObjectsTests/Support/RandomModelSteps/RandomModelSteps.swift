import DataModel
import Foundation
import ManagedObjects
import TestSupport

/// Steps from one version of a model to the next that are always inferred.
///
///     var steps = RandomModelSteps(model, version: 1)
///     steps.step(&random)
///     steps.model   // the next version
struct RandomModelSteps {
  var entities: [EntityDescription]
  /// The steps done, for finding the cause of a failure.
  var log: [String] = []
  /// Names of properties that have changed so much that a second step may not use them.
  var touched: Set<String> = []
  /// The root in the version before of each existing entity; a new one has none.
  var formerRoots: [String: String] = [:]
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz")
  let prefix: String

  /// - Parameter version: distinguishes new names of one version from those of another.
  init(_ model: ManagedObjectModel, version: Int) {
    // Properties renamed by the version before have their new names now.
    entities = model.entities.map { entity in
      var entity = entity
      entity.renamingIdentifier = nil
      entity.properties = entity.properties.map { $0.renamed(to: $0.name, from: nil) }
      return entity
    }
    prefix = "v\(version)"
    for entity in entities { formerRoots[entity.name] = lineage(of: entity.name)[0].name }
  }

  /// The model, of entities without renaming identifiers.
  var model: ManagedObjectModel {
    ManagedObjectModel(
      entities: entities.map { entity in
        EntityDescription(
          name: entity.name, superentityName: entity.superentityName,
          properties: entity.properties, uniquenessConstraints: entity.uniquenessConstraints,
          indexes: entity.indexes, renamingIdentifier: entity.renamingIdentifier)
      })
  }

  /// Does one step, or none if the drawn step has nothing to do.
  mutating func step(_ random: inout SeededGenerator) {
    let index = entities.indices.randomElement(using: &random)!
    let name = "\(prefix)\(Self.letters[log.count % 26])"
    switch Int.random(in: 0..<22, using: &random) {
    case 0: add(name, to: index, &random)
    case 1: rename(name, in: index, &random)
    case 2: remove(from: index, &random)
    case 3: require(index, &random)
    case 4: relax(index, &random)
    case 5: externalize(index)
    case 6, 7: toggleTransient(index, &random)
    case 8: lift(&random)
    case 9: moveDown(&random)
    case 10: derive(name, &random)
    case 11: changeComposite(name, index, &random)
    case 12: changeOrder(&random)
    case 13: makeToMany(&random)
    case 14: addRelationship(name, &random)
    case 15: removeRelationship(&random)
    case 16: toggleTransientRelationship(&random)
    case 17: renameEntity(index, name)
    case 18: addEntity(name, &random)
    case 19: removeEntity(&random)
    case 20: changeParent(index, &random)
    default: changeIndexes(name, index, &random)
    }
    tidy()
  }

  // MARK: The model

  /// An entity after those whose properties it inherits, the root first.
  func lineage(of name: String) -> [EntityDescription] {
    guard let entity = entities.first(where: { $0.name == name }) else { return [] }
    return (entity.superentityName.map(lineage) ?? []) + [entity]
  }

  /// Every property of an entity, inherited ones included.
  func properties(of name: String) -> [PropertyDescription] {
    lineage(of: name).flatMap(\.properties)
  }

  /// Changes the properties of every entity; nil removes one.
  mutating func changeProperties(_ body: (PropertyDescription) -> PropertyDescription?) {
    for index in entities.indices {
      entities[index].properties = entities[index].properties.compactMap(body)
    }
  }

  /// Changes the attributes of an entity that a body wants.
  mutating func changeAttribute(
    of index: Int, where isWanted: (AttributeDescription) -> Bool, _ random: inout SeededGenerator,
    _ body: (inout AttributeDescription) -> String
  ) {
    let found = entities[index].properties.indices.filter {
      guard case .attribute(let attribute) = entities[index].properties[$0] else { return false }
      return attribute.name != "n" && !touched.contains(attribute.name) && isWanted(attribute)
    }
    guard let chosen = found.randomElement(using: &random),
      case .attribute(var attribute) = entities[index].properties[chosen]
    else { return }
    log.append("\(body(&attribute)) \(entities[index].name).\(attribute.name)")
    touched.insert(attribute.name)
    entities[index].properties[chosen] = .attribute(attribute)
  }

  /// Removes what names a property that no longer exists, or cannot be named so.
  private mutating func tidy() {
    var isChanged = true
    while isChanged {
      let before = self
      for index in entities.indices {
        let all = before.properties(of: entities[index].name)
        let own = entities[index].properties
        entities[index].uniquenessConstraints.removeAll { names in
          !names.allSatisfy { name in own.contains { $0.name == name && $0.isOneColumn } }
        }
        entities[index].indexes.removeAll { fetchIndex in
          !fetchIndex.elements.allSatisfy { element in
            own.contains { $0.name == element.propertyName && $0.isOneColumn }
          }
        }
        entities[index].properties.removeAll { property in
          guard case .attribute(let attribute) = property,
            let expression = attribute.derivationExpression
          else { return false }
          return !before.canDerive(expression, from: all)
        }
      }
      isChanged = entities != before.entities
    }
  }

  private func canDerive(_ expression: String, from properties: [PropertyDescription]) -> Bool {
    let parts = expression.split(separator: ".").map(String.init)
    guard
      case .relationship(let relationship)? = properties.first(where: { $0.name == parts[0] }),
      relationship.isToMany, !relationship.isTransient
    else { return false }
    return parts.count == 2
      || self.properties(of: relationship.destinationEntityName).contains { $0.name == parts[1] }
  }
}

extension PropertyDescription {
  /// The property under another name, with the name it had.
  func renamed(to name: String, from old: String?) -> PropertyDescription {
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

  /// Whether the store has it in one column, which may be indexed.
  var isOneColumn: Bool {
    switch self {
    case .attribute(let attribute):
      !attribute.isTransient && attribute.type != .composite && attribute.type != .binaryData
    case .relationship(let relationship): !relationship.isTransient && !relationship.isToMany
    case .fetchedProperty: false
    }
  }
}

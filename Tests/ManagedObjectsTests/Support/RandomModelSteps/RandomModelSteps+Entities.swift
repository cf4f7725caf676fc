import DataModel
import ManagedObjects
import TestSupport

extension RandomModelSteps {
  mutating func renameEntity(_ index: Int, _ name: String) {
    let (old, new) = (entities[index].name, name.uppercased())
    guard entities[index].renamingIdentifier == nil, !old.hasPrefix(prefix.uppercased()) else {
      return
    }
    log.append("rename \(old) to \(new)")
    entities[index].name = new
    entities[index].renamingIdentifier = old
    formerRoots[new] = formerRoots.removeValue(forKey: old)
    for other in entities.indices where entities[other].superentityName == old {
      entities[other].superentityName = new
    }
    changeProperties { property in
      guard case .relationship(var relationship) = property,
        relationship.destinationEntityName == old
      else { return property }
      relationship.destinationEntityName = new
      return .relationship(relationship)
    }
  }

  mutating func addEntity(_ name: String, _ random: inout SeededGenerator) {
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

  /// Removes an entity without subentities, with the relationships that lead to it.
  mutating func removeEntity(_ random: inout SeededGenerator) {
    let leaves = entities.filter { entity in
      !entities.contains { $0.superentityName == entity.name }
    }
    guard entities.count > 2, let entity = leaves.randomElement(using: &random) else { return }
    log.append("remove \(entity.name)")
    let own = Set(entity.relationships.map(\.name))
    removeRelationships { $0.destinationEntityName == entity.name || own.contains($0.name) }
    entities.removeAll { $0.name == entity.name }
    formerRoots[entity.name] = nil
  }

  /// Gives an entity another parent, or none.
  mutating func changeParent(_ index: Int, _ random: inout SeededGenerator) {
    let entity = entities[index]
    let family = Set(model.family(of: entity.name))
    let parents = entities.map(\.name).filter { !family.contains($0) }
    let parent =
      Int.random(in: 0..<4, using: &random) == 0 ? nil : parents.randomElement(using: &random)
    guard parent != entity.superentityName else { return }
    // Rows of two tables cannot be combined in one.
    let root = parent.map { lineage(of: $0)[0].name }
    let relatives = Set(root.map(model.family) ?? []).union(family)
    guard Set(relatives.compactMap { formerRoots[$0] }).count <= 1 else { return }
    let own = Set(
      entities.filter { family.contains($0.name) }.flatMap(\.properties).map(\.name))
    let inherited = Set(parent.map { properties(of: $0).map(\.name) } ?? [])
    guard own.isDisjoint(with: inherited) else { return }
    log.append(
      "move \(entity.name) from \(entity.superentityName ?? "none") to \(parent ?? "none")")
    // Relationships to a parent that it leaves would no longer lead to it.
    let before = Set(lineage(of: entity.name).map(\.name))
    entities[index].superentityName = parent
    let lost = before.subtracting(lineage(of: entity.name).map(\.name))
    removeRelationships { lost.contains($0.destinationEntityName) }
  }

  /// Adds, changes or removes a fetch index or a constraint.
  mutating func changeIndexes(
    _ name: String, _ index: Int, _ random: inout SeededGenerator
  ) {
    if Bool.random(using: &random), entities[index].properties.contains(where: { $0.name == "n" }) {
      // Every object's number is its own, so rows meet the constraint.
      log.append("constraint on \(entities[index].name).n")
      let exists = !entities[index].uniquenessConstraints.isEmpty
      entities[index].uniquenessConstraints = exists ? [] : [["n"]]
      return
    }
    let columns = entities[index].properties.filter(\.isOneColumn).map(\.name)
      .shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random))
    let elements = columns.map {
      FetchIndexDescription.Element(
        propertyName: $0, isAscending: Bool.random(using: &random))
    }
    guard !elements.isEmpty else { return }
    if let place = entities[index].indexes.indices.randomElement(using: &random) {
      log.append("change or drop \(entities[index].indexes[place].name)")
      if Bool.random(using: &random) {
        entities[index].indexes.remove(at: place)
      } else {
        entities[index].indexes[place].elements = elements
      }
    } else {
      log.append("index \(entities[index].name).by\(name) on \(Array(columns))")
      entities[index].indexes.append(FetchIndexDescription(name: "by\(name)", elements: elements))
    }
  }
}

import DataModel
import ManagedObjects
import TestSupport

extension RandomModelSteps {
  mutating func changeOrder(_ random: inout SeededGenerator) {
    change(where: { $0.isToMany }, &random) {
      $0.isOrdered.toggle()
      return "order"
    }
  }

  mutating func makeToMany(_ random: inout SeededGenerator) {
    // With a to-one as its inverse, objects would have to give up their destinations.
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
    var step = ""
    changeProperties { property in
      guard case .relationship(var relationship) = property, relationship.name == chosen.name
      else { return property }
      step = body(&relationship)
      return .relationship(relationship)
    }
    log.append("\(step) \(chosen.name)")
  }

  mutating func addRelationship(_ name: String, _ random: inout SeededGenerator) {
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

  /// Removes a relationship: with its inverse, or this end alone.
  mutating func removeRelationship(_ random: inout SeededGenerator) {
    guard
      let relationship = entities.flatMap(\.relationships).randomElement(using: &random)
    else { return }
    if Bool.random(using: &random) {
      log.append("remove \(relationship.name) and \(relationship.inverseName ?? "no inverse")")
      removeRelationships { $0.name == relationship.name }
    } else {
      log.append("remove \(relationship.name) alone")
      changeProperties { property in
        if property.name == relationship.name { return nil }
        guard case .relationship(var inverse) = property,
          inverse.inverseName == relationship.name
        else { return property }
        inverse.inverseName = nil
        return .relationship(inverse)
      }
    }
  }

  /// Removes relationships, with their inverses.
  mutating func removeRelationships(where isWanted: (RelationshipDescription) -> Bool) {
    let gone = entities.flatMap(\.relationships).filter(isWanted)
    let names = Set(gone.flatMap { [$0.name, $0.inverseName ?? $0.name] })
    changeProperties { names.contains($0.name) ? nil : $0 }
  }

  /// Makes a relationship and its inverse transient, or stored again.
  mutating func toggleTransientRelationship(_ random: inout SeededGenerator) {
    guard
      let chosen = entities.flatMap(\.relationships).filter({ !touched.contains($0.name) })
        .randomElement(using: &random)
    else { return }
    let names = [chosen.name, chosen.inverseName ?? chosen.name]
    log.append("\(chosen.isTransient ? "store" : "make transient") \(names)")
    touched.formUnion(names)
    changeProperties { property in
      guard case .relationship(var relationship) = property, names.contains(relationship.name)
      else { return property }
      relationship.isTransient = !chosen.isTransient
      return .relationship(relationship)
    }
  }
}

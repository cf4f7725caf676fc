import DataModel
import ManagedObjects
import TestSupport

extension RandomModelSteps {
  mutating func add(_ name: String, to index: Int, _ random: inout SeededGenerator) {
    log.append("add \(entities[index].name).\(name)")
    entities[index].properties.append(
      Bool.random(using: &random)
        ? .value(name, .string)
        : .attribute(.init(name: name, type: .integer32, defaultValue: .integer(5))))
    touched.insert(name)
  }

  mutating func rename(_ name: String, in index: Int, _ random: inout SeededGenerator) {
    let names = entities[index].properties.indices.filter {
      !touched.contains(entities[index].properties[$0].name)
    }
    guard let place = names.randomElement(using: &random) else { return }
    let property = entities[index].properties[place]
    let old = property.name
    // Another entity may have a property of that name since one was moved down.
    guard old != "n",
      entities.filter({ $0.properties.contains { $0.name == old } }).count == 1
    else { return }
    log.append("rename \(entities[index].name).\(old) to \(name)")
    touched.insert(name)
    entities[index].properties[place] = property.renamed(to: name, from: old)
    // Everything that refers to it does so by name.
    changeProperties { other in
      switch other {
      case .relationship(var relationship) where relationship.inverseName == old:
        relationship.inverseName = name
        return .relationship(relationship)
      case .attribute(var attribute):
        attribute.derivationExpression = attribute.derivationExpression.map {
          $0.split(separator: ".").map { $0 == old ? name : String($0) }.joined(separator: ".")
        }
        return .attribute(attribute)
      default: return other
      }
    }
    for fetchIndex in entities[index].indexes.indices {
      for element in entities[index].indexes[fetchIndex].elements.indices
      where entities[index].indexes[fetchIndex].elements[element].propertyName == old {
        entities[index].indexes[fetchIndex].elements[element].propertyName = name
      }
    }
  }

  mutating func remove(from index: Int, _ random: inout SeededGenerator) {
    let found = entities[index].attributes.filter { $0.name != "n" && !touched.contains($0.name) }
    guard let attribute = found.randomElement(using: &random) else { return }
    log.append("remove \(entities[index].name).\(attribute.name)")
    entities[index].properties.removeAll { $0.name == attribute.name }
  }

  mutating func require(_ index: Int, _ random: inout SeededGenerator) {
    changeAttribute(of: index, where: { $0.type == .string && $0.isOptional }, &random) {
      $0.isOptional = false
      $0.defaultValue = .string("default")
      return "require"
    }
  }

  mutating func relax(_ index: Int, _ random: inout SeededGenerator) {
    changeAttribute(of: index, where: { !$0.isOptional }, &random) {
      $0.isOptional = true
      $0.defaultValue = nil
      return "relax"
    }
  }

  mutating func externalize(_ index: Int) {
    entities[index].properties = entities[index].properties.map { property in
      guard case .attribute(var attribute) = property, attribute.type == .binaryData else {
        return property
      }
      log.append("external \(attribute.name)")
      attribute.allowsExternalBinaryDataStorage.toggle()
      return .attribute(attribute)
    }
  }

  mutating func toggleTransient(_ index: Int, _ random: inout SeededGenerator) {
    // A value that was never stored is missing, so it must be optional or have a default.
    changeAttribute(
      of: index,
      where: { !$0.isDerived && ($0.isOptional || $0.defaultValue != nil) }, &random
    ) {
      $0.isTransient.toggle()
      return $0.isTransient ? "make transient" : "store"
    }
  }

  // MARK: Up and down

  /// Moves an attribute of a subentity to its superentity.
  mutating func lift(_ random: inout SeededGenerator) {
    let children = entities.indices.filter { entities[$0].superentityName != nil }
    guard let child = children.randomElement(using: &random),
      let parent = entities.firstIndex(where: { $0.name == entities[child].superentityName }),
      let attribute = entities[child].attributes.first(where: {
        $0.name != "n" && !touched.contains($0.name) && $0.isOptional && !$0.isDerived
      })
    else { return }
    log.append("lift \(entities[child].name).\(attribute.name)")
    // Its siblings may have it too; then the values of all are combined.
    let family = model.family(of: entities[parent].name)
    for index in entities.indices where family.contains(entities[index].name) {
      entities[index].properties.removeAll { $0.name == attribute.name }
    }
    touched.insert(attribute.name)
    entities[parent].properties.append(.attribute(attribute))
  }

  /// Moves an attribute to some of the subentities of the one that has it.
  mutating func moveDown(_ random: inout SeededGenerator) {
    let parents = entities.indices.filter { index in
      entities.contains { $0.superentityName == entities[index].name }
    }
    guard let parent = parents.randomElement(using: &random),
      let attribute = entities[parent].attributes.first(where: {
        $0.name != "n" && !touched.contains($0.name) && !$0.isDerived
      })
    else { return }
    let children = entities.indices.filter {
      entities[$0].superentityName == entities[parent].name
    }
    let heirs = children.shuffled(using: &random).prefix(
      Int.random(in: 1...children.count, using: &random))
    log.append(
      "move \(entities[parent].name).\(attribute.name) to \(heirs.map { entities[$0].name })")
    entities[parent].properties.removeAll { $0.name == attribute.name }
    for heir in heirs { entities[heir].properties.append(.attribute(attribute)) }
    touched.insert(attribute.name)
  }

  // MARK: Derived attributes, composites

  mutating func derive(_ name: String, _ random: inout SeededGenerator) {
    let owners = entities.indices.flatMap { index in
      entities[index].relationships.filter { $0.isToMany && !$0.isTransient }.map { (index, $0) }
    }
    guard let (index, relationship) = owners.randomElement(using: &random) else { return }
    let hasNumber = properties(of: relationship.destinationEntityName).contains { $0.name == "n" }
    let expression =
      hasNumber && Bool.random(using: &random)
      ? "\(relationship.name).n.@sum" : "\(relationship.name).@count"
    let derived = entities[index].properties.firstIndex { property in
      if case .attribute(let attribute) = property { attribute.isDerived } else { false }
    }
    // Sometimes an existing one is derived in another way.
    if let derived, Bool.random(using: &random),
      case .attribute(var attribute) = entities[index].properties[derived]
    {
      log.append("derive \(attribute.name) by \(expression)")
      attribute.derivationExpression = expression
      entities[index].properties[derived] = .attribute(attribute)
      touched.insert(attribute.name)
    } else {
      log.append("derive \(entities[index].name).\(name) by \(expression)")
      entities[index].properties.append(
        .attribute(
          .init(name: name, type: .integer64, isOptional: true, derivationExpression: expression)))
      touched.insert(name)
    }
  }

  /// Adds a composite, or changes the elements of one.
  mutating func changeComposite(
    _ name: String, _ index: Int, _ random: inout SeededGenerator
  ) {
    let place = entities[index].properties.firstIndex { property in
      guard case .attribute(let attribute) = property else { return false }
      return attribute.type == .composite && !touched.contains(attribute.name)
    }
    guard let place, case .attribute(var composite) = entities[index].properties[place] else {
      log.append("add the composite \(entities[index].name).\(name)")
      entities[index].properties.append(
        .attribute(
          .init(
            name: name, type: .composite, isOptional: true,
            elements: [
              .init(name: "x", type: .double, isOptional: true),
              .init(
                name: "y", type: .integer64, isOptional: true, defaultValue: .integer(7)),
            ])))
      touched.insert(name)
      return
    }
    if composite.elements.count > 1, Bool.random(using: &random) {
      let gone = composite.elements.remove(
        at: Int.random(in: composite.elements.indices, using: &random))
      log.append("remove \(composite.name).\(gone.name)")
    } else {
      log.append("add \(composite.name).\(name)")
      composite.elements.append(
        .init(
          name: name, type: .string, isOptional: true,
          defaultValue: Bool.random(using: &random) ? .string("new") : nil))
    }
    touched.insert(composite.name)
    entities[index].properties[place] = .attribute(composite)
  }
}

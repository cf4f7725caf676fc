extension ManagedObjectModel {
  /// An error in the expression of a derived attribute, as a sentence; nil if all are supported.
  package var derivationProblem: String? {
    for entity in entities {
      for case .attribute(let attribute) in entity.properties {
        guard let text = attribute.derivationExpression else { continue }
        do throws(Derivation.Problem) {
          try Derivation(text).check(for: attribute.type, of: entity.name) { owner, name in
            property(name, of: owner)
          }
        } catch {
          return
            "The expression '\(text)' of \(entity.name).\(attribute.name) \(error.description)."
        }
      }
    }
    return nil
  }

  private func property(_ name: String, of entity: String) -> Derivation.Property? {
    guard let entity = entitiesByName[entity] else { return nil }
    for property in lineage(of: entity).flatMap(\.properties) where property.name == name {
      switch property {
      case .attribute(let attribute):
        return .attribute(attribute.type, isStored: !attribute.isTransient)
      case .relationship(let relationship):
        let destination = relationship.destinationEntityName
        return relationship.isToMany ? .toMany(destination) : .toOne(destination)
      case .fetchedProperty: return nil
      }
    }
    return nil
  }
}

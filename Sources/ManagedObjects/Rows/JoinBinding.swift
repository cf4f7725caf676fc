import DataModel

/// A to-many relationship stored in a join table: many-to-many, or without an inverse.
struct JoinBinding: Sendable {
  /// One of the two relationships that share the join.
  struct End: Sendable, Hashable {
    /// The index of the entity that declares the relationship.
    let entity: Int
    let name: String
    let isOrdered: Bool
  }

  /// The end whose entity has the smaller number; for two ends on one entity, the one whose name
  /// sorts first.
  let first: End
  /// The other end; nil without an inverse, equal to `first` if the relationship is its own
  /// inverse.
  let second: End?
  /// The index of the entity at the other end.
  let secondEntity: Int

  var isItsOwnInverse: Bool { first == second }

  /// The joins of a model, each once.
  ///
  /// - Parameter entities: the model's entities in the order of their numbers.
  /// - Parameter indices: the index of each entity by name.
  static func joins(
    of entities: [EntityDescription], in model: ManagedObjectModel, indices: [String: Int]
  ) -> [JoinBinding] {
    var joins: [JoinBinding] = []
    for entity in entities {
      let found = entity.properties.compactMap { linked($0, in: model) }
      // Most entities have none, and the rest of the loop is costly.
      if found.isEmpty { continue }
      let inherited = Set(
        model.lineage(of: entity).dropLast().flatMap { $0.properties.map(\.name) })
      let own = found.filter { !inherited.contains($0.name) }
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      for relationship in own {
        let inverse = model.inverse(of: relationship)
        let end = End(
          entity: indices[entity.name] ?? 0, name: relationship.name,
          isOrdered: relationship.isOrdered)
        if joins.contains(where: { $0.second == end }) { continue }
        let other = inverse.map { inverse in
          End(
            entity: indices[
              model.declarer(of: inverse.name, for: relationship.destinationEntityName)] ?? 0,
            name: inverse.name, isOrdered: inverse.isOrdered)
        }
        let destination = indices[relationship.destinationEntityName] ?? 0
        joins.append(
          JoinBinding(first: end, second: other, secondEntity: other?.entity ?? destination))
      }
    }
    return joins
  }

  /// The to-many relationship that a property stores in a join table; nil for any other property.
  private static func linked(
    _ property: PropertyDescription, in model: ManagedObjectModel
  ) -> RelationshipDescription? {
    guard case .relationship(let relationship) = property, relationship.isToMany,
      !relationship.isTransient, model.inverse(of: relationship)?.isToMany != false
    else { return nil }
    return relationship
  }
}

extension ManagedObjectModel {
  /// The name of the entity that declares a property: the topmost superentity that has it.
  func declarer(of property: String, for entityName: String) -> String {
    guard let entity = entitiesByName[entityName] else { return entityName }
    return lineage(of: entity).first { $0.properties.contains { $0.name == property } }?.name
      ?? entityName
  }
}

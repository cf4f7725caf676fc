/// Checks the destinations and inverses of relationships.
enum RelationshipChecks {
  static func check(_ model: SourceModel, _ log: inout DiagnosticLog) {
    let byName = model.entitiesByName
    for entity in model.entities {
      for relationship in entity.relationships {
        let end = End(entity: entity, relationship: relationship)
        if relationship.isOrdered, !relationship.isToMany {
          log.error("the to-one \(end) cannot be ordered", at: end.location)
        }
        guard let destinationName = relationship.destinationName else {
          log.error("the relationship \(end) has no destination", at: end.location)
          continue
        }
        guard let destination = byName[destinationName] else {
          log.error(
            "the relationship \(end) refers to '\(destinationName)', but there is no such entity",
            at: end.location)
          continue
        }
        checkInverse(of: end, at: destination, in: model, &log)
      }
    }
  }

  /// One end of a relationship, printed as `'Dog.walks'`.
  private struct End: CustomStringConvertible {
    var entity: SourceEntity
    var relationship: SourceRelationship

    var location: SourceLocation { relationship.location }
    var description: String { "'\(entity.name).\(relationship.name)'" }
  }

  private static func checkInverse(
    of end: End, at destination: SourceEntity, in model: SourceModel, _ log: inout DiagnosticLog
  ) {
    guard let inverseName = end.relationship.inverseName else {
      log.warning(
        "the relationship \(end) has no inverse: nothing updates it when the object at "
          + "the other end is deleted",
        at: end.location)
      return
    }
    if let noted = end.relationship.inverseEntityName,
      !model.areRelated(noted, destination.name)
    {
      log.error(
        "the relationship \(end) refers to '\(destination.name)', but its inverse is given "
          + "as one of '\(noted)'",
        at: end.location)
      return
    }
    let inverses = model.lineage(of: destination).flatMap { ancestor in
      ancestor.relationships.map { End(entity: ancestor, relationship: $0) }
    }
    guard let inverse = inverses.first(where: { $0.relationship.name == inverseName }) else {
      log.error(
        "the inverse of \(end) is '\(destination.name).\(inverseName)', but there is no such "
          + "relationship",
        at: end.location)
      return
    }
    checkPair(end, inverse, in: model, &log)
  }

  private static func checkPair(
    _ end: End, _ inverse: End, in model: SourceModel, _ log: inout DiagnosticLog
  ) {
    let leadsBack =
      inverse.relationship.inverseName == end.relationship.name
      && inverse.relationship.destinationName.map {
        model.areRelated($0, end.entity.name)
      } == true
    if leadsBack { return }
    let problem = "the inverse of \(end) is \(inverse), but that one does not refer back to it"
    if end.relationship.isToMany {
      // It is not known where Core Data stores the links.
      log.error(problem, at: end.location)
    } else {
      // There are apps with such models; the store has a separate column for the to-one.
      log.warning(problem + ": it is treated as having no inverse", at: end.location)
    }
  }
}

extension SourceModel {
  /// Returns whether two entities are the same, or one inherits from the other.
  fileprivate func areRelated(_ name: String, _ other: String) -> Bool {
    let byName = entitiesByName
    guard let entity = byName[name], let otherEntity = byName[other] else { return false }
    return lineage(of: entity).contains { $0.name == other }
      || lineage(of: otherEntity).contains { $0.name == name }
  }
}

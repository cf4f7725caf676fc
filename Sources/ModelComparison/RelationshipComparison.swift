import DataModel

/// The differences between two versions of a relationship.
enum RelationshipComparison {
  static func changes(
    _ old: RelationshipDescription, _ new: RelationshipDescription, in entity: EntityDescription
  ) -> [ModelDifference.Change] {
    var comparison = Comparison(old, new) { PropertyDescription.relationship($0).share(in: entity) }
    comparison.note("destination", \.destinationEntityName) { $0 }
    comparison.note("inverse", \.inverseName)
    comparison.note("optional", \.isOptional)
    comparison.note("transient", \.isTransient)
    comparison.note("least count", \.minCount) { String($0) }
    comparison.note("most count", \.maxCount) { $0 == 1 ? "to-one" : $0 == 0 ? "to-many" : "\($0)" }
    comparison.note("ordered", \.isOrdered)
    comparison.note("delete rule", \.deleteRule) { $0.reading }
    comparison.note("version hash modifier", \.versionHashModifier)
    comparison.note(EntityComparison.renamingIdentifier, \.renamingIdentifier)
    comparison.note("user info", \.userInfo)
    return comparison.changes
  }
}

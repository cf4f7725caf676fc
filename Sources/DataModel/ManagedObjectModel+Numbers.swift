extension ManagedObjectModel {
  /// The entities in the order in which a SQLite store numbers them, from 1 on.
  ///
  /// Depth first: root entities sorted by name, ignoring case, each followed by its subentities,
  /// sorted likewise. Abstract entities are included.
  package var entitiesInNumberOrder: [EntityDescription] {
    var ordered: [EntityDescription] = []
    func visit(_ parent: String?) {
      let sorted = entities.filter { $0.superentityName == parent }.sorted {
        ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name)
      }
      for entity in sorted {
        ordered.append(entity)
        visit(entity.name)
      }
    }
    visit(nil)
    return ordered
  }
}

extension FetchPlan {
  /// Decides the order of the rows if there are no sort descriptors.
  ///
  /// Without limit and offset, any order will do, so that the store may choose an index; `KeyOrder`
  /// detects if the rows must be sorted by primary key afterwards. With a limit or an offset, all
  /// stores must pick the same rows: in the order of the indexed attribute that the predicate
  /// bounds, so that few rows are found without reading all, or else by primary key.
  ///
  /// - Parameter byIndex: whether rows may be picked by an index. All plans of a fetch are sorted
  ///   alike, since the rows of several stores are merged.
  mutating func decideOrder(among bindings: [EntityBinding], byIndex: Bool) {
    guard sorts.isEmpty else { return }
    if limit == 0, offset == 0 {
      isUnordered = true
    } else if byIndex, let bound = predicate?.indexedBound(of: entity, among: bindings) {
      sorts = [bound]
    }
  }
}

extension BoundPredicate {
  /// The order of an index on an attribute of the evaluated row that the condition bounds; nil if
  /// there is none.
  fileprivate func indexedBound(
    of entity: EntityBinding, among bindings: [EntityBinding]
  ) -> BoundSort? {
    switch self {
    case .comparison(let path, .lessThan, .some), .comparison(let path, .lessThanOrEqual, .some),
      .comparison(let path, .greaterThan, .some),
      .comparison(let path, .greaterThanOrEqual, .some):
      guard path.hops.isEmpty else { return nil }
      return entity.indexIsAscending(on: path.slot, among: bindings).map {
        BoundSort(keyPath: path, isAscending: $0)
      }
    case .all(let parts):
      return parts.lazy.compactMap { $0.indexedBound(of: entity, among: bindings) }.first
    default: return nil
    }
  }

  /// Whether an index finds the rows whose attribute has one of some values.
  func asksForIndexedValues(of entity: EntityBinding, among bindings: [EntityBinding]) -> Bool {
    switch self {
    case .comparison(let path, .equal, .some), .isIn(let path, _):
      path.hops.isEmpty && entity.indexIsAscending(on: path.slot, among: bindings) != nil
    case .relationship(let path, _): path.hops.isEmpty
    case .all(let parts):
      parts.contains { $0.asksForIndexedValues(of: entity, among: bindings) }
    default: false
    }
  }
}

extension EntityBinding {
  /// Whether small values come first in an index that begins with an attribute; nil if the model
  /// defines no such index.
  fileprivate func indexIsAscending(on slot: Int, among bindings: [EntityBinding]) -> Bool? {
    guard case .attribute(let attribute) = slots[slot] else { return nil }
    if attribute.isIndexed { return true }
    var next: EntityBinding? = self
    while let entity = next {
      for index in entity.description.indexes where index.partialIndexPredicate == nil {
        if let first = index.elements.first, first.collationType == .binary,
          first.propertyName == attribute.name
        {
          return first.isAscending
        }
      }
      let others = entity.description.compoundIndexes + entity.description.uniquenessConstraints
      if others.contains(where: { $0.first == attribute.name }) { return true }
      next = entity.description.superentityName.flatMap { name in
        bindings.first { $0.name == name && $0.store === store }
      }
    }
    return nil
  }
}

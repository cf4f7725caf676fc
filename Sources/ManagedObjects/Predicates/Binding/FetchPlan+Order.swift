import DataModel

extension FetchPlan {
  /// Decides the order of the rows where nothing is sorted by.
  ///
  /// All rows may come in any order, so that the store is free to use an index; `KeyOrder` puts
  /// what comes in the order of the primary keys. Where a limit or an offset picks some of them,
  /// all stores have to pick the same: those by the indexed attribute that the predicate bounds, so
  /// that a few are found without reading all, else by primary key.
  ///
  /// - Parameter byIndex: whether some may be picked by an index. All plans of a fetch are sorted
  ///   by the same, since what several stores give is put in one order.
  mutating func decideOrder(among bindings: [EntityBinding], byIndex: Bool) {
    guard sorts.isEmpty else { return }
    if limit == 0, offset == 0 {
      isUnordered = true
    } else if byIndex, let bound = predicate?.indexedBound(of: entity, among: bindings) {
      sorts = [bound]
    }
  }
}

/// Whether rows have come in the order of their primary keys.
struct KeyOrder {
  private var last = Int64.min
  /// Whether a row has come behind one with a larger key.
  private(set) var isBroken = false

  mutating func add(_ key: Int64) {
    if key < last { isBroken = true }
    last = key
  }
}

extension BoundPredicate {
  /// The order of an index on an attribute of the judged row that has to lie within a bound; nil
  /// where there is none.
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

  /// Whether an index gives the rows whose value is one of a few.
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
  /// Whether small values stand first in an index that begins with an attribute; nil where the
  /// model asks for no such index.
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

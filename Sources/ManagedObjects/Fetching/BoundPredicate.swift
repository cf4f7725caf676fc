import DataModel

/// A predicate whose names have become slots of one store's entities: what stores evaluate.
indirect enum BoundPredicate {
  case constant(Bool)
  case comparison(BoundKeyPath, FetchPredicate.Operator, AttributeValue?)
  case isIn(BoundKeyPath, [AttributeValue])
  /// The key path ends in a to-one.
  case leads(BoundKeyPath, to: [Int64])
  case selfIn([Int64])
  case all([BoundPredicate])
  case any([BoundPredicate])
  case not(BoundPredicate)
}

extension BoundPredicate {
  /// The key paths that the condition looks along.
  var keyPaths: [BoundKeyPath] {
    switch self {
    case .constant, .selfIn: []
    case .comparison(let path, _, _), .isIn(let path, _), .leads(let path, _): [path]
    case .all(let parts), .any(let parts): parts.flatMap(\.keyPaths)
    case .not(let part): part.keyPaths
    }
  }
}

/// To-ones to follow, and the slot at the end.
struct BoundKeyPath {
  let hops: [EntityBinding.ToOne]
  let slot: Int
  /// The type of the attribute at the end; nil for a to-one or an order key.
  let type: AttributeDescription.AttributeType?
}

/// Turns names into slots.
///
/// - Precondition: the names are the model's; a wrong one is the programmer's mistake.
struct PredicateBinder {
  let entity: EntityBinding
  let bindings: [EntityBinding]

  func bind(_ predicate: FetchPredicate) -> BoundPredicate {
    switch predicate {
    case .constant(let value): return .constant(value)
    case .compare(let comparison): return bind(comparison)
    // Nested ones become one, so that a long chain of `and` is no deep tree.
    case .all(let parts):
      return .all(parts.map(bind).flatMap { if case .all(let inner) = $0 { inner } else { [$0] } })
    case .any(let parts):
      return .any(parts.map(bind).flatMap { if case .any(let inner) = $0 { inner } else { [$0] } })
    case .not(let part): return .not(bind(part))
    }
  }

  private func bind(_ comparison: FetchPredicate.Comparison) -> BoundPredicate {
    let how = comparison.operator
    switch (comparison.left, comparison.right) {
    case (.evaluatedObject, .aggregate(let objects)) where how == .in:
      return .selfIn(keys(objects, of: entity))
    case (.keyPath(let name), .aggregate(let values)) where how == .in:
      let path = keyPath(name)
      let isToOne =
        switch values.first {
        case .object?: true
        case nil: path.type == nil
        default: false
        }
      guard isToOne else {
        return .isIn(
          path,
          values.compactMap {
            if case .constant(let value?) = $0 { comparable(value, with: path, name) } else { nil }
          })
      }
      guard
        let toOne = (path.hops.last.map { bindings[$0.destination] } ?? entity)
          .toOnesBySlot[path.slot]
      else { preconditionFailure("\(entity.name).\(name) is no to-one.") }
      return .leads(path, to: keys(values, of: bindings[toOne.destination]))
    case (.keyPath(let name), .constant(let value)):
      let path = keyPath(name)
      return .comparison(path, how, value.flatMap { comparable($0, with: path, name) })
    default: preconditionFailure("The predicate \(comparison) is not supported yet.")
    }
  }

  func bind(_ sort: FetchSortDescriptor) -> BoundSort {
    BoundSort(sort, along: keyPath(sort.key))
  }

  /// A value to compare with; nil for NaN, which no store holds.
  private func comparable(
    _ value: AttributeValue, with path: BoundKeyPath, _ name: String
  ) -> AttributeValue? {
    guard let type = path.type else {
      preconditionFailure("\(entity.name).\(name) is a to-one: it is compared by object.")
    }
    let kind = SlotKind(type)
    let isOfKind =
      switch value {
      case .string, .uri: kind == .text
      case .uuid, .binary: kind == .blob
      case .integer, .boolean, .double, .decimal, .date: !kind.isTail
      }
    precondition(isOfKind, "\(entity.name).\(name) is compared with a value of another kind.")
    return value.isNaN ? nil : value
  }

  /// The keys of those objects that can be of an entity or of one above or below it.
  private func keys(_ objects: [FetchExpression], of binding: EntityBinding) -> [Int64] {
    objects.compactMap {
      guard case .object(let id) = $0, id.binding.root == binding.root,
        id.binding.store.identifier == binding.store.identifier
      else { return nil }
      return id.key
    }
  }

  private func keyPath(_ path: String) -> BoundKeyPath {
    var hops: [EntityBinding.ToOne] = []
    var binding = entity
    let names = path.split(separator: ".")
    for (place, name) in names.enumerated() {
      guard let slot = binding.slotsByName[String(name)] else {
        preconditionFailure("\(binding.name) has no attribute or to-one \(name).")
      }
      precondition(
        slot < binding.storedSlotCount,
        "\(binding.name).\(name) is transient: there is nothing stored to compare.")
      let toOne = binding.toOnesBySlot[slot]
      guard place < names.count - 1 else {
        guard case .attribute(let attribute) = binding.slots[slot] else {
          return BoundKeyPath(hops: hops, slot: slot, type: nil)
        }
        return BoundKeyPath(hops: hops, slot: slot, type: attribute.type)
      }
      guard let toOne else { preconditionFailure("\(binding.name).\(name) is no to-one.") }
      hops.append(toOne)
      binding = bindings[toOne.destination]
    }
    preconditionFailure("A key path has at least one name.")
  }
}

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

/// To-ones to follow, and the slot at the end.
struct BoundKeyPath {
  var hops: [EntityBinding.ToOne]
  let slot: Int
  /// The type of the attribute at the end; nil for a to-one or an order key.
  let type: AttributeDescription.AttributeType?
}

/// What to sort by, with slots.
struct BoundSort {
  let keyPath: BoundKeyPath
  let isAscending: Bool
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
    case .comparison(let path, let how, let value):
      let path = keyPath(path)
      precondition(
        path.type != nil || value == nil,
        "\(entity.name): a to-one is compared by object, not by value.")
      return .comparison(path, how, value)
    case .isIn(let path, let values): return .isIn(keyPath(path), values)
    case .leads(let path, let ids): return .leads(keyPath(path), to: ids.map(\.key))
    case .selfIn(let ids):
      return .selfIn(ids.filter { entity.family.contains($0.binding.index) }.map(\.key))
    case .all(let parts): return .all(parts.map(bind))
    case .any(let parts): return .any(parts.map(bind))
    case .not(let part): return .not(bind(part))
    }
  }

  func bind(_ sort: FetchSortDescriptor) -> BoundSort {
    BoundSort(keyPath: keyPath(sort.key), isAscending: sort.ascending)
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

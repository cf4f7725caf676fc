/// One relationship in a key path.
enum BoundStep {
  case toOne(EntityBinding.ToOne)
  /// Together with the index of the entity that has the to-many.
  case toMany(EntityBinding.ToMany, entity: Int)

  /// The index of the destination entity.
  var destination: Int {
    switch self {
    case .toOne(let toOne): toOne.destination
    case .toMany(let toMany, _): toMany.destination
    }
  }

  var isToMany: Bool {
    if case .toMany = self { true } else { false }
  }

  /// A number that no other relationship of the entity has.
  var number: Int {
    switch self {
    case .toOne(let toOne): toOne.slot * 2
    case .toMany(let toMany, _): toMany.number * 2 + 1
    }
  }
}

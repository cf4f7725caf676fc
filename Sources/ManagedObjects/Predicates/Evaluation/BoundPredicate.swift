import DataModel
import TextMatching

/// A predicate whose names have become slots of one store's entities: what stores evaluate.
///
/// The first few cases are of the row that is judged and of single values, and quick; the others
/// say everything else.
indirect enum BoundPredicate {
  case constant(Bool)
  /// The operator is one of the first six.
  case comparison(BoundKeyPath, FetchPredicate.Operator, Scalar?)
  case isIn(BoundKeyPath, BoundValues)
  /// The key path ends in a to-one.
  case relationship(BoundKeyPath, isIn: BoundKeys)
  case object(isIn: BoundKeys)
  /// The operator is one of the first six; the options are for texts.
  case compare(BoundExpression, FetchPredicate.Operator, BoundExpression, TextOptions)
  case oneOf(BoundExpression, BoundValues)
  case text(BoundExpression, TextTest)
  /// An operator on texts whose right side is worked out for each row.
  case textOf(BoundExpression, FetchPredicate.Operator, BoundExpression, TextOptions)
  /// A condition holds for one member at least.
  case exists(BoundCollection, BoundPredicate)
  case all([BoundPredicate])
  case any([BoundPredicate])
  case not(BoundPredicate)
}

/// To-ones to follow, and the slot at the end.
struct BoundKeyPath {
  let hops: [EntityBinding.ToOne]
  let slot: Int
  /// The type of the attribute at the end; nil for a to-one or an order key.
  let type: AttributeDescription.AttributeType?
}

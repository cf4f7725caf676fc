/// A predicate bound to slots of one store's entities, as stores evaluate it.
///
/// The first few cases concern only the evaluated row and single values, and are fast; the others
/// cover everything else.
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
  /// An operator on texts whose right side is evaluated for each row.
  case textOf(BoundExpression, FetchPredicate.Operator, BoundExpression, TextOptions)
  /// The condition holds for at least one member.
  case exists(BoundCollection, BoundPredicate)
  case all([BoundPredicate])
  case any([BoundPredicate])
  case not(BoundPredicate)
}

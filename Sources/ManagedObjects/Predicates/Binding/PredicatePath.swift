/// A resolved key path.
struct PredicatePath {
  /// The end of a key path.
  enum End {
    /// The object that the path leads to.
    case object
    /// A value, or the key of a to-one if the type is nil.
    case slot(Int, AttributeDescription.AttributeType?)
    /// An operator applied to the members: `@count`, `@sum.duration`.
    case operation(AggregateFunction, String?)
  }

  /// The to-manys in the path.
  var levels: [BoundCollection.Level] = []
  /// The scope from which the rest of the path starts.
  var scope: Int
  /// The to-ones after the last to-many.
  var hops: [EntityBinding.ToOne] = []
  /// The entity at the end of the part resolved so far.
  var entity: EntityBinding
  var end = End.object
  /// The index of the member from which the path continues; nil for all members.
  var element: FetchExpression.ElementIndex?
  /// The scopes visible at the end.
  var scopes: PredicateBinder.Scopes
}
